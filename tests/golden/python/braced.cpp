// References released by a loop over a braced list.
// alone
#include <initializer_list>

#include "pycompat.h"

// The ends of a std::initializer_list are a pointer and a sum, and no summary speaks of sums: that the loop runs at all
// is not known.
int FP_braced_released(PyObject *module) {
  PyObject *a = PyObject_GetAttrString(module, "a");
  PyObject *b = PyObject_GetAttrString(module, "b");
  for (auto each : {a, b}) Py_XDECREF(each);
  return 0;  // false-alarm: python-leak, python-leak
}

int braced_ok_array(PyObject *module) {
  PyObject *a = PyObject_GetAttrString(module, "a");
  PyObject *b = PyObject_GetAttrString(module, "b");
  PyObject *all[] = {a, b};
  for (auto each : all) Py_XDECREF(each);
  return 0;
}

int braced_forgotten(PyObject *module) {  // expect-in-function: python-leak
  PyObject *a = PyObject_GetAttrString(module, "a");
  PyObject *b = PyObject_GetAttrString(module, "b");
  PyObject *all[] = {a};
  for (auto each : all) Py_XDECREF(each);
  return 0;
}
