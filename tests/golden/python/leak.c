// leak: a reference is owned at the end and nobody can release it.
#include "pycompat.h"

int leak_when_append_fails(PyObject *list) {  // expect-in-function: python-leak
  PyObject *text = PyUnicode_FromString("x");
  if (text == NULL) return -1;
  if (PyList_Append(list, text) < 0) return -1;
  Py_DECREF(text);
  return 0;
}

int leak_ok_released_both_ways(PyObject *list) {
  PyObject *text = PyUnicode_FromString("x");
  if (text == NULL) return -1;
  const int result = PyList_Append(list, text);
  Py_DECREF(text);
  return result;
}
