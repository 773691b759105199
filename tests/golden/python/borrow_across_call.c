// borrow-across-call: a borrowed reference is used after code that may end it.
#include "pycompat.h"

PyObject *borrow_across_repr(PyObject *dict, PyObject *key) {
  PyObject *value = PyDict_GetItem(dict, key);
  if (value == NULL) Py_RETURN_NONE;
  PyObject *shown = PyObject_Repr(key);
  if (shown == NULL) return NULL;
  Py_DECREF(shown);
  return PyObject_Str(value);  // expect: python-borrow-across-call
}

PyObject *borrow_ok_own_reference(PyObject *dict, PyObject *key) {
  PyObject *value = PyDict_GetItem(dict, key);
  if (value == NULL) Py_RETURN_NONE;
  Py_INCREF(value);
  PyObject *shown = PyObject_Repr(key);
  if (shown == NULL) {
    Py_DECREF(value);
    return NULL;
  }
  Py_DECREF(shown);
  PyObject *text = PyObject_Str(value);
  Py_DECREF(value);
  return text;
}
