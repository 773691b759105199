// uninit: an uninitialised pointer is used.
#include "pycompat.h"

PyObject *uninit_second(PyObject *a, PyObject *b) {
  PyObject *left, *right, *both = NULL;
  left = PyObject_Repr(a);
  if (left == NULL) goto done;
  right = PyObject_Repr(b);
  if (right == NULL) goto done;
  both = PyNumber_Add(left, right);
done:
  Py_XDECREF(left);
  Py_XDECREF(right);  // expect: python-uninit
  return both;
}

PyObject *uninit_ok(PyObject *a, PyObject *b) {
  PyObject *left, *right = NULL, *both = NULL;
  left = PyObject_Repr(a);
  if (left == NULL) goto done;
  right = PyObject_Repr(b);
  if (right == NULL) goto done;
  both = PyNumber_Add(left, right);
done:
  Py_XDECREF(left);
  Py_XDECREF(right);
  return both;
}

PyObject *uninit_among_packed(PyObject *o, int known) {
  PyObject *x;
  if (known) x = PyTuple_GET_ITEM(o, 0);
  return PyTuple_Pack(1, x);  // expect: python-uninit
}
