// Objects that are remembered in members without a reference, types handed over without one, and references that converters
// of the program give.
// alone
// needs: 3.8
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *callback;
  PyObject *cleared;
  PyObject *args;
  PyObject *first;
  PyObject *unused;
  PyObject *owned;
} Watcher;

static PyObject *remember(Watcher *self, PyObject *callback) {
  self->callback = callback;  // expect: python-borrowed-return
  Py_RETURN_NONE;
}

static PyObject *remember_parsed(Watcher *self, PyObject *args) {
  PyObject *callback;
  if (!PyArg_ParseTuple(args, "O", &callback)) return NULL;
  self->callback = callback;  // expect: python-borrowed-return
  Py_RETURN_NONE;
}

static PyObject *remember_item(Watcher *self, PyObject *list) {
  PyObject *item = PyList_GetItem(list, 0);
  if (item == NULL) return NULL;
  self->callback = item;  // expect: python-borrowed-return
  Py_RETURN_NONE;
}

static PyObject *ok_remember_with_reference(Watcher *self, PyObject *callback) {
  Py_INCREF(callback);
  Py_XSETREF(self->owned, callback);
  Py_RETURN_NONE;
}

static PyObject *ok_remember_for_the_call(Watcher *self, PyObject *callback) {
  PyObject *before = self->callback;
  self->callback = callback;
  PyObject *result = PyObject_Repr(self->callback);
  self->callback = before;
  return result;
}

// Somebody sets it to NULL when what it points to ends.
static PyObject *ok_cleared_elsewhere(Watcher *self, PyObject *parent) {
  self->cleared = parent;
  Py_RETURN_NONE;
}
void parent_ends(Watcher *child) { child->cleared = NULL; }

// What it came from is held.
static PyObject *ok_held_by_container(Watcher *self, PyObject *args) {
  PyObject *first;
  if (!PyArg_ParseTuple(args, "O", &first)) return NULL;
  Py_INCREF(args);
  Py_XSETREF(self->args, args);
  self->first = first;
  Py_RETURN_NONE;
}

// Compared, but never used.
static PyObject *ok_only_compared(Watcher *self, PyObject *o) {
  const int same = self->unused == o;
  self->unused = o;
  return PyBool_FromLong(same);
}

static PyObject *call_all(Watcher *self, PyObject *unused) {
  if (self->callback) return PyObject_CallFunctionObjArgs(self->callback, NULL);
  if (self->cleared) return PyObject_Repr(self->cleared);
  if (self->first) return PyObject_Repr(self->first);
  Py_RETURN_NONE;
}

static void watcher_dealloc(Watcher *self) {
  Py_XDECREF(self->args);
  Py_XDECREF(self->owned);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

PyMethodDef watcher_methods[] = {
    {"a", (PyCFunction)remember, METH_O, NULL},
    {"b", (PyCFunction)remember_parsed, METH_VARARGS, NULL},
    {"c", (PyCFunction)remember_item, METH_O, NULL},
    {"d", (PyCFunction)ok_remember_with_reference, METH_O, NULL},
    {"e", (PyCFunction)ok_remember_for_the_call, METH_O, NULL},
    {"f", (PyCFunction)ok_cleared_elsewhere, METH_O, NULL},
    {"g", (PyCFunction)ok_held_by_container, METH_VARARGS, NULL},
    {"h", (PyCFunction)ok_only_compared, METH_O, NULL},
    {"i", (PyCFunction)call_all, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
PyTypeObject Watcher_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.Watcher", .tp_basicsize = sizeof(Watcher), .tp_methods = watcher_methods, .tp_dealloc = (destructor)watcher_dealloc};

// An iterator over an object that nothing keeps alive.
typedef struct {
  PyObject_HEAD
  Watcher *over;
  PyObject *held;
} Iterator;
static void iterator_dealloc(Iterator *self) {
  Py_XDECREF(self->held);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
static PyObject *iterator_next(Iterator *self) {
  if (self->held) return PyObject_Repr(self->held);
  return PyObject_GetAttrString((PyObject *)self->over, "next");
}
PyTypeObject Iterator_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.Iterator", .tp_basicsize = sizeof(Iterator), .tp_dealloc = (destructor)iterator_dealloc, .tp_iternext = (iternextfunc)iterator_next};

static PyObject *iterate(Watcher *self) {
  Iterator *it = PyObject_New(Iterator, &Iterator_Type);
  if (it == NULL) return NULL;
  it->held = NULL;
  it->over = self;  // expect: python-borrowed-return
  return (PyObject *)it;
}
static PyObject *ok_iterate(Watcher *self) {
  Iterator *it = PyObject_New(Iterator, &Iterator_Type);
  if (it == NULL) return NULL;
  Py_INCREF(self);
  it->held = (PyObject *)self;
  it->over = NULL;
  return (PyObject *)it;
}
PyTypeObject Iterated_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.Iterated", .tp_iter = (getiterfunc)iterate};
PyTypeObject Well_Iterated_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.WellIterated", .tp_iter = (getiterfunc)ok_iterate};

// A plain function may fill a structure that lives no longer than the list.
typedef struct {
  PyObject *callback;
  int n;
} Setup;
void FN_item_left_in_structure(Setup *s, PyObject *list) { s->callback = PyList_GetItem(list, 0); }  // expect-not-yet: python-borrowed-return

// ---- converters -----------------------------------------------------------------------------------------------------

static int to_text(PyObject *o, PyObject **out) {
  *out = PyObject_Str(o);
  return *out != NULL;
}
static int to_same(PyObject *o, PyObject **out) {
  *out = o;
  return 1;
}
static int to_text_void(PyObject *o, void *out) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return 0;
  *(PyObject **)out = text;
  return 1;
}

static PyObject *converted_not_released(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *text;
  if (!PyArg_ParseTuple(args, "O&", to_text, &text)) return NULL;
  return PyObject_Repr(text);
}
static PyObject *converted_void_not_released(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *text;
  if (!PyArg_ParseTuple(args, "O&", to_text_void, &text)) return NULL;
  return PyObject_Repr(text);
}
static PyObject *ok_converted_released(PyObject *self, PyObject *args) {
  PyObject *text;
  if (!PyArg_ParseTuple(args, "O&", to_text, &text)) return NULL;
  PyObject *out = PyObject_Repr(text);
  Py_DECREF(text);
  return out;
}
static PyObject *ok_converted_lent(PyObject *self, PyObject *args) {
  PyObject *same;
  if (!PyArg_ParseTuple(args, "O&", to_same, &same)) return NULL;
  return PyObject_Repr(same);
}
PyMethodDef converting[] = {
    {"a", converted_not_released, METH_VARARGS, NULL},
    {"b", converted_void_not_released, METH_VARARGS, NULL},
    {"c", ok_converted_released, METH_VARARGS, NULL},
    {"d", ok_converted_lent, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- types handed over ----------------------------------------------------------------------------------------------

static PyTypeObject Handed_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.Handed"};
static PyTypeObject Kept_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.Kept"};
static PyTypeObject Late_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "r.Late"};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "r"};
PyMODINIT_FUNC PyInit_r(void) {
  if (PyType_Ready(&Handed_Type) < 0 || PyType_Ready(&Kept_Type) < 0 || PyType_Ready(&Late_Type) < 0 || PyType_Ready(&Watcher_Type) < 0) return NULL;
  PyObject *m = PyModule_Create(&module);
  if (m == NULL) return NULL;
  PyModule_AddObject(m, "Handed", (PyObject *)&Handed_Type);  // expect: python-over-release until 3.12
  Py_INCREF(&Kept_Type);
  PyModule_AddObject(m, "Kept", (PyObject *)&Kept_Type);
  PyModule_AddObject(m, "Late", (PyObject *)&Late_Type);
  Py_INCREF(&Late_Type);
  PyModule_AddObject(m, "list", (PyObject *)&PyList_Type);
  if (PyObject_SetAttrString(m, "first", (PyObject *)&Handed_Type) < 0) Py_CLEAR(m);
  return m;
}
