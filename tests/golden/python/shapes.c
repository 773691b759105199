// Shapes of clean code that were once reported in real packages, each with a buggy twin where one is near.
#define PY_SSIZE_T_CLEAN
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *loop, *result, *first, *second;
  PyObject **items;
  Py_ssize_t count;
  struct { long a, b, c; } numbers;
} Box;

// --- An object that somebody else keeps, released and read on: `ok` as long as that one does.
static PyObject *current_var;

static PyObject *make_current(void) {
  PyObject *made = PyList_New(0);
  if (made == NULL) return NULL;
  PyObject *token = PyContextVar_Set(current_var, made);
  if (token == NULL) {
    Py_DECREF(made);
    return NULL;
  }
  Py_DECREF(token);
  return made;
}

static PyObject *current(void) {
  PyObject *value;
  if (PyContextVar_Get(current_var, NULL, &value) < 0) return NULL;
  return value != NULL ? value : make_current();
}

static PyObject *kept_by_variable(PyObject *self, PyObject *unused) {
  PyObject *context = current();
  if (context == NULL) return NULL;
  Py_DECREF(context);
  return PyObject_Str(context);
}

static PyObject *kept_by_nobody(PyObject *self, PyObject *unused) {
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  Py_DECREF(list);
  return PyObject_Str(list);  // expect: python-use-after-release
}

static PyObject *variable_leaks(PyObject *self, PyObject *unused) {  // expect-in-function: python-leak
  PyObject *context = current();
  if (context == NULL) return NULL;
  return PyLong_FromLong(PyList_GET_SIZE(context));
}

// --- An argument kept in a member on success and on failure alike.
static int box_init(Box *self, PyObject *loop) {
  if (loop == Py_None) {
    loop = PyDict_New();
    if (loop == NULL) return -1;
  } else {
    Py_INCREF(loop);
  }
  Py_XSETREF(self->loop, loop);
  self->result = PyObject_CallNoArgs(self->loop);
  return self->result == NULL ? -1 : 0;
}

static int box_tp_init(Box *self, PyObject *args, PyObject *kwargs) {
  PyObject *loop;
  if (!PyArg_ParseTuple(args, "O", &loop)) return -1;
  Py_CLEAR(self->result);
  return box_init(self, loop);
}

// --- A helper that takes a reference over, whatever the object is.
static int keep(Box *self, PyObject *item) {
  if (item == Py_None) {
    Py_DECREF(Py_None);
    return 0;
  }
  Py_XSETREF(self->first, item);
  return 0;
}

static PyObject *kept_by_helper(PyObject *self, PyObject *arg) {
  PyObject *item = PyObject_GetAttrString(arg, "item");
  if (item == NULL || keep((Box *)self, item) < 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject *kept_argument(PyObject *self, PyObject *arg) {
  Py_INCREF(arg);
  if (keep((Box *)self, arg) < 0) return NULL;
  Py_RETURN_NONE;
}

// --- The last element of an array moves out with its reference.
static PyObject *pop(Box *self, PyObject *unused) {
  if (self->count == 0) {
    PyErr_SetString(PyExc_IndexError, "empty");
    return NULL;
  }
  PyObject *item = self->items[self->count - 1];
  self->count--;
  return item;
}

static PyObject *peek(Box *self, PyObject *unused) {
  if (self->count == 0) {
    PyErr_SetString(PyExc_IndexError, "empty");
    return NULL;
  }
  return self->items[self->count - 1];  // expect: python-borrowed-return
}

// --- An item of a list moves out when another takes its place.
static PyObject *replace_first(PyObject *self, PyObject *args) {
  PyObject *list, *item;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &list, &item)) return NULL;
  if (((PyListObject *)list)->ob_item == NULL || PyList_GET_SIZE(list) == 0) return PyErr_NoMemory();
  PyObject *first = ((PyListObject *)list)->ob_item[0];
  Py_INCREF(item);
  PyList_SET_ITEM(list, 0, item);
  return first;
}

// --- A helper that puts its argument where callers cannot see takes the reference over.
static Box *outermost(Box *box) {
  while (box->second != NULL) box = (Box *)box->second;
  return box;
}

static int keep_outside(Box *box, PyObject *item) {
  Box *outer = outermost(box);
  Py_XSETREF(outer->first, item);
  return 0;
}

static PyObject *kept_outside(PyObject *self, PyObject *arg) {
  PyObject *item = PyObject_GetAttrString(arg, "item");
  if (item == NULL || keep_outside((Box *)self, item) < 0) return NULL;
  Py_RETURN_NONE;
}

// --- An object kept in a member, and a pointer to it in one that holds no references.
static PyObject *two_pointers(PyObject *self, PyObject *arg) {
  Box *box = PyObject_New(Box, &PyBaseObject_Type);
  if (box == NULL) return NULL;
  Py_INCREF(arg);
  box->first = arg;
  *(PyObject **)&box->numbers = arg;
  return (PyObject *)box;
}

// --- A format handed on: `N` takes the caller's reference.
static int set_attribute(PyObject *o, const char *name, const char *format, ...) {
  va_list va;
  va_start(va, format);
  PyObject *value = Py_VaBuildValue(format, va);
  va_end(va);
  if (value == NULL) return -1;
  const int status = PyObject_SetAttrString(o, name, value);
  Py_DECREF(value);
  return status;
}

static PyObject *format_handed_on(PyObject *self, PyObject *arg) {
  PyObject *n = PyLong_FromLong(3);
  if (n == NULL || set_attribute(arg, "n", "N", n) < 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject *format_takes_its_own(PyObject *self, PyObject *arg) {  // expect-in-function: python-leak
  PyObject *n = PyLong_FromLong(3);
  if (n == NULL || set_attribute(arg, "n", "O", n) < 0) return NULL;
  Py_RETURN_NONE;
}

// --- Plain memory from the object allocator.
static void box_dealloc(Box *self) {
  for (Py_ssize_t k = 0; k < self->count; ++k) Py_DECREF(self->items[k]);
  PyObject_Free(self->items);
  Py_XDECREF(self->loop);
  Py_XDECREF(self->result);
  Py_XDECREF(self->first);
  Py_XDECREF(self->second);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

// --- Buffers: one without an object needs no release, and one in use is not refilled by who reads it.
static PyObject *view_without_object(PyObject *self, PyObject *unused) {
  static char memory[8];
  Py_buffer view;
  if (PyBuffer_FillInfo(&view, NULL, memory, sizeof memory, 0, PyBUF_CONTIG) < 0) return NULL;
  return PyMemoryView_FromBuffer(&view);
}

PyObject *consume_view(Py_buffer *view);

static PyObject *optional_buffer(PyObject *self, PyObject *arg) {
  Py_buffer view;
  view.buf = NULL;
  if (PyBytes_Check(arg) && PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) return NULL;
  PyObject *out = consume_view(&view);
  if (view.buf != NULL) PyBuffer_Release(&view);
  return out;
}

// --- Flags in the lowest bit of a pointer, and small numbers in place of one.
#define TAGGED(p, flag) ((PyObject *)((uintptr_t)(p) | (flag)))
static PyObject *keep_tagged(Box *self, PyObject *arg) {
  PyObject *text = PyObject_Str(arg);
  if (text == NULL) return NULL;
  self->second = TAGGED(text, self->count & 1);
  Py_RETURN_NONE;
}

#define STRICT ((PyObject *)1)
#define MAX_WORD ((PyObject *)3)
#define IS_OBJECT(p) ((p) < STRICT || MAX_WORD < (p))
static PyObject *small_numbers(PyObject *self, PyObject *arg) {
  PyObject *handler = arg == Py_None ? STRICT : PyObject_Str(arg);
  if (handler == NULL) return NULL;
  if (IS_OBJECT(handler)) Py_DECREF(handler);
  Py_RETURN_NONE;
}

// --- Writing one member by a block copy leaves the others.
static PyObject *fill(Box *self, PyObject *unused) {
  static const long defaults[3] = {1, 2, 3};
  PyObject *first = PyList_New(0);
  if (first == NULL) return NULL;
  Py_XSETREF(self->first, first);
  memcpy(&self->numbers, defaults, sizeof defaults);
  Py_RETURN_NONE;
}

// --- Nor does a copy of some length behind them.
typedef struct {
  PyObject_HEAD
  PyObject *item;
  char name[1];
} Named;

static PyObject *keep_named(PyTypeObject *type, PyObject *item, const char *name, size_t n) {
  Named *made = (Named *)PyType_GenericAlloc(type, 0);
  if (made == NULL) return NULL;
  Py_INCREF(item);
  made->item = item;
  memcpy(made->name, name, n);
  return (PyObject *)made;
}

static PyObject *make_named(PyObject *self, PyObject *arg) { return keep_named(&PyBaseObject_Type, arg, "", 1); }

// --- A struct whose address a library got still holds what was put into it, or what the library put there.
typedef struct {
  PyObject *set;
  int error;
} Walk;
void walk_all(void (*f)(void *), void *data);
static void visit(void *data) { ((Walk *)data)->error = 0; }

static PyObject *struct_shown_to_library(PyObject *self, PyObject *unused) {
  Walk walk = {PySet_New(NULL), 0};
  if (walk.set == NULL) return NULL;
  walk_all(visit, &walk);
  if (walk.error) {
    Py_DECREF(walk.set);
    return NULL;
  }
  return walk.set;
}

// --- Memory that a library lent through a local outlives the function.
typedef struct { PyObject *error, *argument; } Handlers;
void get_handlers(void *context, Handlers **out);
void set_handlers(void *context, Handlers *in);

static PyObject *kept_in_lent_struct(PyObject *self, PyObject *arg) {
  Handlers *h = NULL;
  get_handlers(self, &h);
  if (h == NULL) return PyErr_NoMemory();
  Py_INCREF(arg);
  h->error = arg;
  set_handlers(self, h);
  Py_RETURN_NONE;
}

// --- Failures that need a broken rule are followed where somebody looks.
static PyObject *fresh_tuple(PyObject *self, PyObject *unused) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  PyTuple_SetItem(t, 0, Py_NewRef(self));
  return t;
}

extern Py_ssize_t tuple_at;

static PyObject *fresh_tuple_looked_at(PyObject *self, PyObject *unused) {  // expect-in-function: python-leak
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  if (PyTuple_SetItem(t, tuple_at, Py_NewRef(self)) < 0) return NULL;
  return t;
}

static PyObject *valid_capsule(PyObject *self, PyObject *arg) {
  if (!PyCapsule_IsValid(arg, "box")) {
    PyErr_SetString(PyExc_TypeError, "no box");
    return NULL;
  }
  return PyLong_FromLong(*(long *)PyCapsule_GetPointer(arg, "box"));
}

static PyObject *any_capsule(PyObject *self, PyObject *arg) {
  return PyLong_FromLong(*(long *)PyCapsule_GetPointer(arg, "box"));  // expect: python-null-deref
}

static PyMethodDef box_methods[] = {
    {"pop", (PyCFunction)pop, METH_NOARGS, NULL},
    {"peek", (PyCFunction)peek, METH_NOARGS, NULL},
    {"keep_tagged", (PyCFunction)keep_tagged, METH_O, NULL},
    {"fill", (PyCFunction)fill, METH_NOARGS, NULL},
    {"kept_by_helper", kept_by_helper, METH_O, NULL},
    {"kept_argument", kept_argument, METH_O, NULL},
    {"kept_outside", kept_outside, METH_O, NULL},
    {"two_pointers", two_pointers, METH_O, NULL},
    {"replace_first", replace_first, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

// --- Kept in a local struct, and released by a helper that asks first whether there is a struct at all.
typedef struct {
  PyObject *hours, *minutes, *name;
  long seconds;
} Offset;

typedef struct {
  Offset winter, summer;
} Rule;

static int offset_fill(Offset *o, long seconds, PyObject *name) {
  o->hours = o->minutes = o->name = NULL;
  o->seconds = seconds;
  o->hours = PyLong_FromLong(seconds / 3600);
  if (o->hours == NULL) return -1;
  o->minutes = PyLong_FromLong(seconds / 60);
  if (o->minutes == NULL) return -1;
  Py_INCREF(name);
  o->name = name;
  return 0;
}

static void offset_drop(Offset *o) {
  if (o != NULL) {
    Py_XDECREF(o->hours);
    Py_XDECREF(o->minutes);
    Py_XDECREF(o->name);
  }
}

static void offset_drop_but_one(Offset *o) {
  if (o != NULL) {
    Py_XDECREF(o->hours);
    Py_CLEAR(o->name);
  }
}

int rule_of_helper(Rule *out, long a, long b, PyObject *name) {
  Rule r = {{0}};
  if (offset_fill(&r.winter, a, name) < 0) goto error;
  if (offset_fill(&r.summer, b, name) < 0) goto error;
  *out = r;
  return 0;
error:
  offset_drop(&r.winter);
  offset_drop(&r.summer);
  return -1;
}

int rule_of_forgetful_helper(Rule *out, long a, long b, PyObject *name) {  // expect-in-function: python-leak
  Rule r = {{0}};
  if (offset_fill(&r.winter, a, name) < 0) goto error;
  if (offset_fill(&r.summer, b, name) < 0) goto error;
  *out = r;
  return 0;
error:
  offset_drop_but_one(&r.winter);
  offset_drop(&r.summer);
  return -1;
}

// --- An index below a number that was found to be the size.
PyObject *index_below_size(PyObject *tuple, int n) {
  long sum = 0;
  if (PyTuple_Size(tuple) != n) return NULL;
  for (int i = 0; i < n; i++) sum += PyObject_Size(PyTuple_GetItem(tuple, i)) < 0;
  return PyErr_Occurred() ? NULL : PyLong_FromLong(sum);
}

static long count_of(PyObject *item) { return (long)Py_REFCNT(item); }

PyObject *index_below_size_used(PyObject *tuple, Py_ssize_t n) {
  long sum = 0;
  if (PyTuple_Size(tuple) != n) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) sum += count_of(PyTuple_GetItem(tuple, i));
  return PyLong_FromLong(sum);
}

PyObject *index_up_to_size(PyObject *tuple, Py_ssize_t n) {
  long sum = 0;
  if (PyTuple_Size(tuple) != n) return NULL;
  for (Py_ssize_t i = 0; i <= n; i++) sum += count_of(PyTuple_GetItem(tuple, i));  // expect: python-null-arg
  return PyLong_FromLong(sum);
}

#if PY_VERSION_HEX >= 0x03000000 && PY_VERSION_HEX < 0x030C0000
// --- Made by the call before, and kept.
_Py_IDENTIFIER(lines);

int identifier_made_before(PyObject *m, PyObject *d, PyObject *o) {
  if (o == NULL) return -1;
  if (_PyObject_SetAttrId(m, &PyId_lines, o) < 0) return -1;
  return PyDict_SetItem(d, _PyUnicode_FromId(&PyId_lines), o);
}
#endif

PyTypeObject box_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "shapes.Box",
    .tp_basicsize = sizeof(Box),
    .tp_dealloc = (destructor)box_dealloc,
    .tp_init = (initproc)box_tp_init,
    .tp_methods = box_methods,
};

static PyMethodDef methods[] = {
    {"kept_by_variable", kept_by_variable, METH_NOARGS, NULL},
    {"kept_by_nobody", kept_by_nobody, METH_NOARGS, NULL},
    {"variable_leaks", variable_leaks, METH_NOARGS, NULL},
    {"format_handed_on", format_handed_on, METH_O, NULL},
    {"format_takes_its_own", format_takes_its_own, METH_O, NULL},
    {"view_without_object", view_without_object, METH_NOARGS, NULL},
    {"optional_buffer", optional_buffer, METH_O, NULL},
    {"make_named", make_named, METH_O, NULL},
    {"small_numbers", small_numbers, METH_O, NULL},
    {"struct_shown_to_library", struct_shown_to_library, METH_NOARGS, NULL},
    {"kept_in_lent_struct", kept_in_lent_struct, METH_O, NULL},
    {"fresh_tuple", fresh_tuple, METH_NOARGS, NULL},
    {"fresh_tuple_looked_at", fresh_tuple_looked_at, METH_NOARGS, NULL},
    {"valid_capsule", valid_capsule, METH_O, NULL},
    {"any_capsule", any_capsule, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "shapes", NULL, -1, methods};

PyMODINIT_FUNC PyInit_shapes(void) { return PyModule_Create(&module); }
