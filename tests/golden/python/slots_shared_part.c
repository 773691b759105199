// with: slots_shared.c
// This file uses the table that the other one has.
#define PY_ARRAY_UNIQUE_SYMBOL golden_shared_api
#define NO_IMPORT_ARRAY
#include "numpy_mini.h"

PyObject *part_zeros_lost(npy_intp n) {  // expect-in-function: python-leak
  PyObject *a = PyArray_Zeros(1, &n, PyArray_DescrFromType(NPY_DOUBLE), 0);
  if (a == NULL) return NULL;
  Py_RETURN_NONE;
}

PyObject *part_zeros_given(npy_intp n) { return PyArray_Zeros(1, &n, PyArray_DescrFromType(NPY_DOUBLE), 0); }

PyObject *part_converted_lost(PyObject *args) {  // expect-in-function: python-leak
  PyArray_Descr *type = NULL;
  if (!PyArg_ParseTuple(args, "O&", PyArray_DescrConverter, &type)) return NULL;
  Py_RETURN_NONE;
}

PyObject *part_converted_used(PyObject *args) {
  PyArray_Descr *type = NULL;
  npy_intp n = 1;
  if (!PyArg_ParseTuple(args, "O&", PyArray_DescrConverter, &type)) return NULL;
  return PyArray_Zeros(1, &n, type, 0);
}

// A function of the table is a value like any other.
typedef PyObject *(*maker)(PyObject *);
PyObject *part_remembered_lost(PyObject *o) {  // expect-in-function: python-leak
  maker make = (maker)PyArray_EnsureArray;
  Py_INCREF(o);
  PyObject *a = make(o);
  return a == NULL ? NULL : PyObject_Str(a);
}
