// format: a format string and the arguments of its call disagree.
#include "pycompat.h"

PyObject *format_size_for_int(int row, int column) {
  return Py_BuildValue("(nn)", row, column);  // expect: python-format
}

PyObject *format_ok_int(int row, int column) { return Py_BuildValue("(ii)", row, column); }

PyObject *format_argument_missing(int flags) {
  return PyErr_Format(PyExc_ValueError, "bad flags: %d %d", flags);  // expect: python-format
}

PyObject *format_ok_argument(int flags) { return PyErr_Format(PyExc_ValueError, "bad flags: %d", flags); }
