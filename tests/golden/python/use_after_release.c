// use-after-release: an object is used after its release.
#include "pycompat.h"

Py_ssize_t use_after_last_release(PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return -1;
  Py_DECREF(text);
  return PyObject_Length(text);  // expect: python-use-after-release
}

Py_ssize_t use_ok_before_release(PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return -1;
  const Py_ssize_t length = PyObject_Length(text);
  Py_DECREF(text);
  return length;
}
