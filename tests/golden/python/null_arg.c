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

// ---- one of several objects whose number an argument gives ----------------------------------------------------------

PyObject *missing_among_packed(PyObject *self, PyObject *dict) {
  PyObject *x = PyDict_GetItemString(dict, "x");
  return PyTuple_Pack(2, self, x);  // expect: python-null-arg
}

PyObject *found_among_packed(PyObject *self, PyObject *dict) {
  PyObject *x = PyDict_GetItemString(dict, "x");
  if (!x) x = Py_None;
  return PyTuple_Pack(2, self, x);
}
