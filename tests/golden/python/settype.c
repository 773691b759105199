// The type of an object, replaced: the object holds the reference from then on.
// alone
// needs: 3.9
#include "pycompat.h"

static PyTypeObject *meta;
static PyTypeObject Base_Type;

static PyObject *set_type_ok(PyObject *self, PyTypeObject *type) {
  Py_INCREF(type);
  Py_XSETREF(meta, type);
  Py_INCREF(type);
  Py_SET_TYPE((PyObject *)&Base_Type, type);
  Py_RETURN_NONE;
}

static PyObject *taken_once_more(PyObject *self, PyTypeObject *type) {
  Py_INCREF(type);
  Py_XSETREF(meta, type);
  Py_INCREF(type);
  Py_INCREF(type);
  Py_SET_TYPE((PyObject *)&Base_Type, type);
  Py_RETURN_NONE;  // expect: python-leak
}

static PyMethodDef methods[] = {
    {"a", (PyCFunction)set_type_ok, METH_O, NULL},
    {"b", (PyCFunction)taken_once_more, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
PyMethodDef *export_methods(void) { return methods; }
