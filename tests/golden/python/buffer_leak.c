// buffer-leak: a buffer is acquired and not released.
#include "pycompat.h"

int buffer_kept_when_empty(PyObject *data) {  // expect-in-function: python-buffer-leak
  Py_buffer view;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) return -1;
  if (view.len == 0) return 0;
  PyBuffer_Release(&view);
  return 1;
}

int buffer_ok_released(PyObject *data) {
  Py_buffer view;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) return -1;
  const int some = view.len != 0;
  PyBuffer_Release(&view);
  return some;
}
