// missing-exception: failure is returned without an exception.
#include "pycompat.h"

static PyObject *missing_for_empty(PyObject *self, PyObject *list) {
  if (PyList_GET_SIZE(list) == 0) return NULL;  // expect: python-missing-exception
  return PyObject_Repr(list);
}

static PyObject *missing_ok_raised(PyObject *self, PyObject *list) {
  if (PyList_GET_SIZE(list) == 0) {
    PyErr_SetString(PyExc_ValueError, "the list is empty");
    return NULL;
  }
  return PyObject_Repr(list);
}

PyMethodDef missing_exception_methods[] = {
    {"empty", missing_for_empty, METH_O, NULL},
    {"ok", missing_ok_raised, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
