// exception-set: a value is returned while an exception is set.
#include "pycompat.h"

static PyObject *set_none_for_failure(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) Py_RETURN_NONE;  // expect: python-exception-set
  return text;
}

static PyObject *set_ok_cleared(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  return text;
}

PyMethodDef exception_set_methods[] = {
    {"none", set_none_for_failure, METH_O, NULL},
    {"ok", set_ok_cleared, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
