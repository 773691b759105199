// exception-set: a value is returned while an exception is set.
#include "pycompat.h"

static PyObject *set_none_for_failure(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) Py_RETURN_NONE;  // expect: python-exception-set
  return text;
}

static PyObject *set_ok_cleared(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  return text;
}

// Two calls may leave an exception set at the same end, and one is told.
static PyObject *FN_set_by_two(PyObject *self, PyObject *o) {
  int want = o && PyObject_IsTrue(o);
  PyObject *list = PyList_New(0), *item;
  if (!list) return NULL;
  item = PyLong_FromLong(want);
  if (!item) {
    Py_DECREF(list);
    return NULL;
  }
  PyList_Append(list, item);
  Py_DECREF(item);
  return list;  // expect: python-exception-set; expect-not-yet: python-exception-set -- PyList_Append()
}

// An object of a type of the program's own that begins as a float does is converted without a failure: the struct says so,
// and nothing reads that.
typedef struct {
  PyFloatObject number;
  PyObject *name;
} set_item;

PyObject *FP_set_item_text(set_item *self) {
  PyObject *name = PyObject_Repr(self->name);
  if (name == NULL) return NULL;
  PyObject *text = PyUnicode_FromFormat("%ld, %U", (long)PyFloat_AsDouble((PyObject *)self), name);
  Py_DECREF(name);
  return text;  // false-alarm: python-exception-set
}

PyTypeObject set_item_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "item",
    .tp_basicsize = sizeof(set_item),
    .tp_repr = (reprfunc)FP_set_item_text,
};

PyMethodDef exception_set_methods[] = {
    {"none", set_none_for_failure, METH_O, NULL},
    {"two", FN_set_by_two, METH_O, NULL},
    {"ok", set_ok_cleared, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
