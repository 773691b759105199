// null-arg: NULL is passed where it is dereferenced.
#include "pycompat.h"

int null_result_passed_on(PyObject *o) {
  PyObject *text = PyObject_Str(o);
  const int yes = PyObject_IsTrue(text);  // expect: python-null-arg
  Py_XDECREF(text);
  return yes;
}

int null_ok_tested_first(PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return -1;
  const int yes = PyObject_IsTrue(text);
  Py_DECREF(text);
  return yes;
}
