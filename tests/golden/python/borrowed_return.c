// borrowed-return: a borrowed reference is returned where a new one is promised.
#include "pycompat.h"

static PyObject *return_item(PyObject *self, PyObject *tuple) {
  return PyTuple_GetItem(tuple, 0);  // expect: python-borrowed-return
}

static PyObject *return_ok_item(PyObject *self, PyObject *tuple) {
  PyObject *item = PyTuple_GetItem(tuple, 0);
  Py_XINCREF(item);
  return item;
}

// None found in what was lent brings no reference that could be returned.
static PyObject *return_none_found(PyObject *self, PyObject *args) {
  PyObject *o;
  if (!PyArg_ParseTuple(args, "O", &o)) return NULL;
  if (o == Py_None) return Py_None;  // expect: python-borrowed-return until 3.11
  return PyObject_Str(o);
}

static PyObject *return_ok_none_found(PyObject *self, PyObject *o) {
  if (o == Py_None) Py_RETURN_NONE;
  return PyObject_Str(o);
}

static PyObject *return_ok_none_got(PyObject *self, PyObject *o) {
  PyObject *x = PyObject_GetAttrString(o, "x");
  if (x == Py_None) return Py_None;
  Py_XDECREF(x);
  return PyObject_Str(o);  // expect: python-exception-set
}

PyMethodDef borrowed_return_methods[] = {
    {"none", return_none_found, METH_VARARGS, NULL},
    {"ok_none", return_ok_none_found, METH_O, NULL},
    {"ok_none_got", return_ok_none_got, METH_O, NULL},
    {"item", return_item, METH_O, NULL},
    {"ok_item", return_ok_item, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
