// annotation: a function does not do what its annotation says.
#include "pycompat.h"

#define SAYS(text) __attribute__((annotate("reckon: " text)))

SAYS("-> borrowed | NULL raises") PyObject *annotation_attribute(PyObject *o);
PyObject *annotation_attribute(PyObject *o) {
  return PyObject_GetAttrString(o, "x");  // expect: python-annotation
}

SAYS("-> new | NULL raises") PyObject *annotation_ok_attribute(PyObject *o);
PyObject *annotation_ok_attribute(PyObject *o) {
  return PyObject_GetAttrString(o, "x");
}

SAYS("-> borrowed | NULL") PyObject *annotation_ok_item(PyObject *list);
PyObject *annotation_ok_item(PyObject *list) {
  return PyList_GetItem(list, 0);
}
