// Formats with # where PY_SSIZE_T_CLEAN was not defined: lengths are int. From 3.10 to 3.12 such a call always
// fails at run time, whatever the type; from 3.13 on lengths are Py_ssize_t in any case.
// alone
#include <Python.h>

#include "pycompat2.h"

static PyObject *size_without_macro(PyObject *self, PyObject *args) {
  const char *s;
  Py_ssize_t n = 0;
  if (!PyArg_ParseTuple(args, "s#", &s, &n)) return NULL;  // expect: python-format until 3.12
  return PyLong_FromSsize_t(n);
}

static PyObject *int_without_macro(PyObject *self, PyObject *args) {
  const char *s;
  int n = 0;
  if (!PyArg_ParseTuple(args, "s#", &s, &n)) return NULL;  // expect: python-format since 3.10
  return PyLong_FromLong(n);
}

PyObject *build_size_without_macro(const char *s, Py_ssize_t n) {
  return Py_BuildValue("y#", s, n);  // expect: python-format until 3.12
}

PyObject *call_without_macro(PyObject *f, const char *s, int n) {
  return PyObject_CallFunction(f, "is#", n, s, n);  // expect: python-format since 3.10
}

// Here # is another thing.
PyObject *ok_print_format(int n) { return PyUnicode_FromFormat("#%d", n); }

PyObject *ok_no_lengths(const char *s, int n) { return Py_BuildValue("(si)", s, n); }

static PyMethodDef methods[] = {
    {"size", size_without_macro, METH_VARARGS, NULL},
    {"int", int_without_macro, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "noclean", NULL, -1, methods};

PyMODINIT_FUNC PyInit_noclean(void) { return PyModule_Create(&module); }
