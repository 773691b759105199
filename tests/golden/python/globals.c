// Variables of the file that own objects: a method that gives one another object releases what it held.
#include "pycompat.h"

static PyObject *last_seen;
PyObject *static_overwritten(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  last_seen = text;  // expect: python-leak
  return PyLong_FromSsize_t(PyUnicode_GetLength(last_seen));
}
PyObject *static_overwritten_by_argument(PyObject *self, PyObject *o) {
  Py_INCREF(o);
  last_seen = o;  // expect: python-leak
  Py_RETURN_NONE;
}
// What is asked of the old one, and that there is one, does not release it.
PyObject *static_overwritten_if_other(PyObject *self, PyObject *o) {
  if (last_seen != NULL && PyCallable_Check(last_seen)) Py_RETURN_NONE;
  Py_INCREF(o);
  last_seen = o;  // expect: python-leak
  Py_RETURN_NONE;
}

// A helper is not asked how often it runs, and of what it writes to callers are not told.
static PyObject *FN_remember(PyObject *text) {
  last_seen = text;  // expect-not-yet: python-leak
  Py_RETURN_NONE;
}
PyObject *overwritten_by_helper(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  return FN_remember(text);
}

PyObject *ok_released(PyObject *self, PyObject *o) {
  Py_XDECREF(last_seen);
  Py_INCREF(o);
  last_seen = o;
  Py_RETURN_NONE;
}
PyObject *ok_released_after(PyObject *self, PyObject *o) {
  PyObject *old = last_seen;
  Py_INCREF(o);
  last_seen = o;
  Py_XDECREF(old);
  Py_RETURN_NONE;
}
static void forget_last(void) { Py_CLEAR(last_seen); }
PyObject *ok_released_by_helper(PyObject *self, PyObject *o) {
  forget_last();
  Py_INCREF(o);
  last_seen = o;
  Py_RETURN_NONE;
}
PyObject *ok_kept_for_good(PyObject *self, PyObject *ignored) {
  static PyObject *name;
  if (name == NULL) {
    name = PyUnicode_InternFromString("name");
    if (name == NULL) return NULL;
  }
  return PyObject_GetAttr(self, name);
}
static int ready;
static PyObject *table;
PyObject *ok_once(PyObject *self, PyObject *ignored) {
  if (ready) Py_RETURN_NONE;
  table = PyDict_New();
  if (table == NULL) return NULL;
  ready = 1;
  Py_RETURN_NONE;
}
// The old one goes to the caller, or comes back.
PyObject *ok_exchanged(PyObject *self, PyObject *o) {
  PyObject *old = last_seen;
  Py_INCREF(o);
  last_seen = o;
  if (old == NULL) Py_RETURN_NONE;
  return old;
}
PyObject *ok_for_a_while(PyObject *self, PyObject *o) {
  PyObject *old = last_seen, *text;
  Py_INCREF(o);
  last_seen = o;
  text = PyObject_Str(self);
  Py_DECREF(last_seen);
  last_seen = old;
  return text;
}
// Without a reference it owns nothing.
PyObject *ok_taken_away(PyObject *self, PyObject *ignored) {
  PyObject *old = last_seen;
  last_seen = NULL;
  if (old == NULL) Py_RETURN_NONE;
  return old;
}

PyMethodDef globals_methods[] = {
    {"a", static_overwritten, METH_O, NULL},
    {"b", static_overwritten_by_argument, METH_O, NULL},
    {"c", static_overwritten_if_other, METH_O, NULL},
    {"l", overwritten_by_helper, METH_O, NULL},
    {"d", ok_released, METH_O, NULL},
    {"e", ok_released_after, METH_O, NULL},
    {"f", ok_released_by_helper, METH_O, NULL},
    {"g", ok_kept_for_good, METH_NOARGS, NULL},
    {"h", ok_once, METH_NOARGS, NULL},
    {"i", ok_exchanged, METH_O, NULL},
    {"j", ok_for_a_while, METH_O, NULL},
    {"k", ok_taken_away, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef globals_module = {PyModuleDef_HEAD_INIT, "globals", NULL, -1, globals_methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_globals(void) {
  last_seen = PyUnicode_FromString("");
  if (last_seen == NULL) return NULL;
  return PyModule_Create(&globals_module);
}
