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
