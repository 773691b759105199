// Functions that want bytes fail for anything else, and not for what is known to be bytes.
#include "pycompat.h"

long first_of_anything(PyObject *o) {
  char *s = PyBytes_AsString(o);
  return s[0];  // expect: python-null-deref
}

long first_of_tested(PyObject *o) {
  if (!PyBytes_Check(o)) return -1;
  char *s = PyBytes_AsString(o);
  return s[0];
}

long first_of_tested_exactly(PyObject *o) {
  if (!PyBytes_CheckExact(o)) return -1;
  return PyBytes_AsString(o)[0];
}

long first_of_made(void) {
  PyObject *b = PyBytes_FromStringAndSize("abc", 3);
  if (!b) return -1;
  long first = PyBytes_AsString(b)[0];
  Py_DECREF(b);
  return first;
}

long first_of_encoded(PyObject *text) {
  PyObject *b = PyUnicode_AsUTF8String(text);
  if (!b) return -1;
  long first = PyBytes_AsString(b)[0];
  Py_DECREF(b);
  return first;
}

long tested_too_late(PyObject *o) {
  char *s = PyBytes_AsString(o);
  long first = s[0];  // expect: python-null-deref
  return PyBytes_Check(o) ? first : -1;
}

// Tested and found to be something else.
long first_of_another(PyObject *o) {
  if (PyBytes_Check(o)) return 0;
  return PyBytes_AsString(o)[0];  // expect: python-null-deref
}

// The unit of the format has tested it; units do not tell types yet.
PyObject *FP_first_of_parsed(PyObject *self, PyObject *args) {
  PyObject *b;
  if (!PyArg_ParseTuple(args, "S:first", &b)) return NULL;
  return PyLong_FromLong(PyBytes_AsString(b)[0]);  // false-alarm: python-null-deref
}
