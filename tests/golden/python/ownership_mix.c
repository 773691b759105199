// ownership-mix: a result is sometimes new and sometimes borrowed.
#include "pycompat.h"

PyObject *mix_item_or_new(PyObject *list) {  // expect-in-function: python-ownership-mix
  if (PyList_GET_SIZE(list) > 0) return PyList_GetItem(list, 0);
  return PyDict_New();
}

PyObject *mix_ok_always_new(PyObject *list) {
  if (PyList_GET_SIZE(list) > 0) return PySequence_GetItem(list, 0);
  return PyDict_New();
}
