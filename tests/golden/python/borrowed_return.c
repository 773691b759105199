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

PyMethodDef borrowed_return_methods[] = {
    {"item", return_item, METH_O, NULL},
    {"ok_item", return_ok_item, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
