// Borrowed references left in members that a deallocator releases, members released twice, types used after their
// release, NULL given to helpers that dereference it, results of functions in slots.
// alone
#include "pycompat.h"

extern int use(PyObject *o);

typedef struct {
  PyObject_HEAD
  PyObject *owner;
  PyObject *data;
  PyObject *plain;  // not released: a back pointer
} View;

static void view_clear(View *self) { Py_CLEAR(self->data); }

static void view_dealloc(View *self) {
  Py_XDECREF(self->owner);
  view_clear(self);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject View_Type;

static PyObject *stored_self_without_reference(View *self, PyObject *unused) {
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) return NULL;
  v->owner = (PyObject *)self;  // expect: python-borrowed-return
  v->data = NULL;
  v->plain = NULL;
  return (PyObject *)v;
}

static PyObject *stored_self_ok(View *self, PyObject *unused) {
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) return NULL;
  Py_INCREF(self);
  v->owner = (PyObject *)self;
  v->data = NULL;
  v->plain = NULL;
  return (PyObject *)v;
}

static PyObject *stored_argument_without_reference(View *self, PyObject *args) {
  PyObject *fd;
  if (!PyArg_ParseTuple(args, "O", &fd)) return NULL;
  Py_XDECREF(self->owner);  // maybe: python-borrow-across-call
  self->owner = fd;  // expect: python-borrowed-return
  Py_RETURN_NONE;
}

static PyObject *stored_argument_ok(View *self, PyObject *args) {
  PyObject *fd;
  if (!PyArg_ParseTuple(args, "O", &fd)) return NULL;
  Py_INCREF(fd);
  Py_XSETREF(self->owner, fd);
  Py_RETURN_NONE;
}

static PyObject *stored_member_of_another(View *self, PyObject *unused) {
  View *copy = PyObject_New(View, &View_Type);
  if (copy == NULL) return NULL;
  copy->owner = NULL;
  copy->data = self->data;  // expect: python-borrowed-return
  copy->plain = NULL;
  return (PyObject *)copy;
}

static PyObject *stored_member_ok(View *self, PyObject *unused) {
  View *copy = PyObject_New(View, &View_Type);
  if (copy == NULL) return NULL;
  copy->owner = NULL;
  copy->data = self->data;
  Py_XINCREF(copy->data);
  copy->plain = NULL;
  return (PyObject *)copy;
}

// Moved from one member to another.
static PyObject *stored_member_moved(View *self, PyObject *unused) {
  Py_XDECREF(self->owner);  // maybe: python-borrow-across-call
  self->owner = self->data;
  self->data = NULL;
  Py_RETURN_NONE;
}

// Callers hand their reference over.
static void take_over(View *self, PyObject *data) { self->data = data; }

PyObject *stored_by_helper_ok(View *self, PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return NULL;
  take_over(self, s);
  Py_RETURN_NONE;
}

static PyObject *member_released_twice(View *self, PyObject *unused) {
  Py_XDECREF(self->data);  // maybe: python-borrow-across-call
  Py_XDECREF(self->data);  // expect: python-over-release; maybe: python-borrow-across-call
  self->data = NULL;
  Py_RETURN_NONE;
}

extern PyObject *made_elsewhere(PyObject *o);

static PyObject *unknown_result_released_twice(PyObject *self, PyObject *o) {
  PyObject *x = made_elsewhere(o);
  if (x == NULL) return NULL;
  int n = use(x);
  Py_DECREF(x);
  Py_DECREF(x);  // expect: python-over-release
  return PyLong_FromLong(n);
}

// ---- NULL given to a helper that dereferences it -------------------------------------------------------------------

static void fill(View *v, PyObject *data) {
  v->owner = NULL;
  v->data = data;
  v->plain = NULL;
}

static void fill_through(View *v) { fill(v, NULL); }

static PyObject *null_to_helper(PyObject *self, PyObject *unused) {
  View *v = PyObject_New(View, &View_Type);
  fill(v, NULL);  // expect: python-null-arg
  return (PyObject *)v;
}

static PyObject *null_to_helper_of_helper(PyObject *self, PyObject *unused) {
  View *v = PyObject_New(View, &View_Type);
  fill_through(v);  // expect: python-null-arg
  return (PyObject *)v;
}

typedef struct {
  PyObject *object;
  const char *text;
} Host;

extern int convert_host(PyObject *o, Host *out);
static int first_letter(const char *text) { return text[0]; }

static PyObject *ok_structure_filled_by_converter(PyObject *self, PyObject *args) {
  Host host = {NULL, NULL};
  if (!PyArg_ParseTuple(args, "O&", convert_host, &host)) return NULL;
  int c = first_letter(host.text);
  Py_XDECREF(host.object);
  return PyLong_FromLong(c);
}

static int is_filled(View *v) { return v != NULL && v->data != NULL; }

static PyObject *null_to_helper_that_tests(PyObject *self, PyObject *unused) {
  View *v = PyObject_New(View, &View_Type);
  if (!is_filled(v)) Py_CLEAR(v);
  if (v == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "empty");
  return (PyObject *)v;
}

// ---- a heap type that its last object outlives ----------------------------------------------------------------------

static void type_used_after_release(View *self) {
  PyTypeObject *tp = Py_TYPE(self);
  Py_XDECREF(self->owner);
  Py_XDECREF(self->data);
  Py_DECREF(tp);
  tp->tp_free((PyObject *)self);  // expect: python-use-after-release
}

static void type_asked_for_again_after_release(View *self) {
  PyTypeObject *tp = Py_TYPE(self);
  Py_XDECREF(self->owner);
  Py_XDECREF(self->data);
  Py_DECREF(tp);
  Py_TYPE(self)->tp_free((PyObject *)self);  // expect: python-use-after-release
}

static void type_released_last_ok(View *self) {
  PyTypeObject *tp = Py_TYPE(self);
  Py_XDECREF(self->owner);
  Py_XDECREF(self->data);
  tp->tp_free((PyObject *)self);
  Py_DECREF(tp);
}

static void type_kept_after_bare_free(View *self) {
  Py_XDECREF(self->owner);
  Py_XDECREF(self->data);
  PyObject_Free(self);
}  // expect: python-type-dealloc

static PyType_Slot early_slots[] = {{Py_tp_dealloc, type_used_after_release}, {0, NULL}};
static PyType_Slot again_slots[] = {{Py_tp_dealloc, type_asked_for_again_after_release}, {0, NULL}};
static PyType_Slot late_slots[] = {{Py_tp_dealloc, type_released_last_ok}, {0, NULL}};
static PyType_Slot kept_slots[] = {{Py_tp_dealloc, type_kept_after_bare_free}, {0, NULL}};
PyType_Spec stored_specs[] = {
    {"stored.Early", sizeof(View), 0, Py_TPFLAGS_DEFAULT, early_slots},
    {"stored.Again", sizeof(View), 0, Py_TPFLAGS_DEFAULT, again_slots},
    {"stored.Late", sizeof(View), 0, Py_TPFLAGS_DEFAULT, late_slots},
    {"stored.Kept", sizeof(View), 0, Py_TPFLAGS_DEFAULT, kept_slots},
};

// ---- items of an array of arguments ---------------------------------------------------------------------------------

static PyObject *pick(PyObject *a, PyObject *b) {
  if (use(a)) return Py_NewRef(a);
  return Py_NewRef(b);
}

PyObject *pick_lent(PyObject *a, PyObject *b) {
  if (use(a)) return a;
  return b;
}

static PyObject *fast_ok(PyObject *m, PyObject *const *args, Py_ssize_t n) {
  if (n != 2) return PyErr_Format(PyExc_TypeError, "%zd", n);
  return pick(args[0], args[1]);
}

static PyObject *fast_lent(PyObject *m, PyObject *const *args, Py_ssize_t n) {
  if (n != 2) return PyErr_Format(PyExc_TypeError, "%zd", n);
  return pick_lent(args[0], args[1]);  // expect: python-borrowed-return; maybe: python-borrowed-return
}

static PyObject *fast_kept(PyObject *m, PyObject *const *args, Py_ssize_t n) {  // expect-in-function: python-leak
  if (n != 1) return PyErr_Format(PyExc_TypeError, "%zd", n);
  Py_INCREF(args[0]);
  return PyLong_FromLong(use(args[0]));
}

static PyMethodDef view_methods[] = {
    {"a", (PyCFunction)stored_self_without_reference, METH_NOARGS, NULL},
    {"b", (PyCFunction)stored_self_ok, METH_NOARGS, NULL},
    {"c", (PyCFunction)stored_argument_without_reference, METH_VARARGS, NULL},
    {"d", (PyCFunction)stored_argument_ok, METH_VARARGS, NULL},
    {"e", (PyCFunction)stored_member_of_another, METH_NOARGS, NULL},
    {"f", (PyCFunction)stored_member_ok, METH_NOARGS, NULL},
    {"g", (PyCFunction)stored_member_moved, METH_NOARGS, NULL},
    {"h", (PyCFunction)member_released_twice, METH_NOARGS, NULL},
    {"i", (PyCFunction)unknown_result_released_twice, METH_O, NULL},
    {"j", (PyCFunction)null_to_helper, METH_NOARGS, NULL},
    {"k", (PyCFunction)null_to_helper_of_helper, METH_NOARGS, NULL},
    {"l", (PyCFunction)null_to_helper_that_tests, METH_NOARGS, NULL},
    {"p", (PyCFunction)ok_structure_filled_by_converter, METH_VARARGS, NULL},
    {"m", (PyCFunction)(void (*)(void))fast_ok, METH_FASTCALL, NULL},
    {"n", (PyCFunction)(void (*)(void))fast_lent, METH_FASTCALL, NULL},
    {"o", (PyCFunction)(void (*)(void))fast_kept, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject View_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "stored.View",
    .tp_basicsize = sizeof(View),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)view_dealloc,
    .tp_methods = view_methods,
};

int stored_ready(void) { return PyType_Ready(&View_Type); }
