// numpy's table in C++: a static variable of each file, with a name of the compiler's.
#include "numpy_mini.h"

PyObject *cxx_zeros_lost(npy_intp n) {  // expect-in-function: python-leak
  PyObject *a = PyArray_Zeros(1, &n, PyArray_DescrFromType(NPY_DOUBLE), 0);
  if (a == nullptr) return nullptr;
  Py_RETURN_NONE;
}

PyObject *cxx_zeros_given(npy_intp n) { return PyArray_Zeros(1, &n, PyArray_DescrFromType(NPY_DOUBLE), 0); }

PyObject *cxx_type_lost(PyObject *o) {  // expect-in-function: python-leak, python-leak
  PyArray_Descr *type = PyArray_DescrFromType(NPY_DOUBLE);
  PyObject *a = PyArray_EnsureArray(Py_NewRef(o));
  if (a == nullptr) return nullptr;
  return PyArray_FromAny(a, type, 0, 0, 0, nullptr);
}

// The converter's result is owned.
PyObject *cxx_converted_lost(PyObject *args) {  // expect-in-function: python-leak
  PyArray_Descr *type = nullptr;
  if (!PyArg_ParseTuple(args, "O&", PyArray_DescrConverter, &type)) return nullptr;
  Py_RETURN_NONE;
}

PyObject *cxx_converted_used(PyObject *args) {
  PyArray_Descr *type = nullptr;
  npy_intp n = 1;
  if (!PyArg_ParseTuple(args, "O&", PyArray_DescrConverter, &type)) return nullptr;
  return PyArray_Zeros(1, &n, type, 0);
}

// The converter reads the type of what it is given before it asks whether there is any.
int cxx_converted_nothing() {
  PyArray_Descr *type = nullptr;
  PyObject *fields = Py_BuildValue("[(s, s)]", "x", "f8");
  const int done = PyArray_DescrConverter(fields, &type);  // expect: python-null-arg
  Py_DECREF(fields);
  Py_XDECREF(type);
  return done;
}
