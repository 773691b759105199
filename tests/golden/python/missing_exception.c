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

// A length that the parser stores is never negative.
static PyObject *missing_ok_negative_length(PyObject *self, PyObject *args) {
  const char *text;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(args, "s#", &text, &length)) return NULL;
  if (length < 0) return NULL;
  return PyUnicode_FromStringAndSize(text, length);
}

// One that need not be given may still be what it was.
static PyObject *missing_for_no_text(PyObject *self, PyObject *args) {
  const char *text = NULL;
  Py_ssize_t length = -1;
  if (!PyArg_ParseTuple(args, "|s#", &text, &length)) return NULL;
  if (length < 0) return NULL;  // expect: python-missing-exception
  return PyUnicode_FromStringAndSize(text, length);
}

PyMethodDef missing_exception_methods[] = {
    {"empty", missing_for_empty, METH_O, NULL},
    {"ok", missing_ok_raised, METH_O, NULL},
    {"length", missing_ok_negative_length, METH_VARARGS, NULL},
    {"text", missing_for_no_text, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
