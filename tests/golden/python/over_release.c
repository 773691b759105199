// over-release: a reference is released that is not owned.
#include "pycompat.h"

int release_of_borrowed(PyObject *list) {
  PyObject *item = PyList_GetItem(list, 0);
  if (item == NULL) return -1;
  const int yes = PyObject_IsTrue(item);
  Py_DECREF(item);  // expect: python-over-release
  return yes;
}

int release_ok_of_own(PyObject *list) {
  PyObject *item = PySequence_GetItem(list, 0);
  if (item == NULL) return -1;
  const int yes = PyObject_IsTrue(item);
  Py_DECREF(item);
  return yes;
}

// Code out of sight that gets an argument without its type cannot have taken it over.
extern int run_with(int (*each)(void *data, long n), void *data);
extern int keep_with(PyObject *data);
static int call_it(void *data, long n) {
  PyObject *done = PyObject_CallObject(data, NULL);
  Py_XDECREF(done);
  return done == NULL;
}
PyObject *release_of_what_was_lent(PyObject *self, PyObject *args) {
  PyObject *callback;
  if (!PyArg_ParseTuple(args, "O", &callback)) return NULL;
  const int failed = run_with(call_it, callback);
  Py_DECREF(callback);  // expect: python-over-release
  return PyLong_FromLong(failed);
}
PyObject *release_ok_of_what_was_taken(PyObject *self, PyObject *args) {
  PyObject *callback;
  if (!PyArg_ParseTuple(args, "O", &callback)) return NULL;
  Py_INCREF(callback);
  const int failed = run_with(call_it, callback);
  Py_DECREF(callback);
  return PyLong_FromLong(failed);
}
