// Type objects and modules: idioms T01 to T13 (T02 and T05 stand in first.c).
// alone
#include <stdlib.h>

#include "pycompat.h"

// ---- T01: tp_new with tp_alloc --------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *map;
} Obj;

static PyObject *T01_ok_new(PyTypeObject *type, PyObject *args, PyObject *kw) {
  Obj *s = (Obj *)type->tp_alloc(type, 0);
  if (s == NULL) return NULL;
  s->map = PyDict_New();
  if (s->map == NULL) {
    Py_DECREF(s);
    return NULL;
  }
  return (PyObject *)s;
}

static PyObject *T01_bad_new_forgets(PyTypeObject *type, PyObject *a, PyObject *k) {  // expect-in-function: python-leak
  Obj *s = (Obj *)type->tp_alloc(type, 0);
  if (s == NULL) return NULL;
  s->map = PyDict_New();
  if (s->map == NULL) return NULL;
  return (PyObject *)s;
}

static void obj_dealloc(Obj *self) {
  Py_XDECREF(self->map);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject Obj_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Obj",
    .tp_basicsize = sizeof(Obj),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)obj_dealloc,
    .tp_new = T01_ok_new,
};
static PyTypeObject LeakyObj_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.LeakyObj",
    .tp_basicsize = sizeof(Obj),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)obj_dealloc,
    .tp_new = T01_bad_new_forgets,
};

// ---- T03: PyObject_Del of a half-built object -----------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  void *ctx;
  PyObject *source;
} Dec;

extern void *ctx_new(void);
extern void ctx_free(void *ctx);

static void dec_dealloc(Dec *self) {
  ctx_free(self->ctx);
  Py_XDECREF(self->source);
  PyObject_Free(self);
}

static PyTypeObject Dec_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Dec",
    .tp_basicsize = sizeof(Dec),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)dec_dealloc,
};

static PyObject *T03_ok_del_of_half_built(PyObject *self, PyObject *source) {
  Dec *d = PyObject_New(Dec, &Dec_Type);
  if (d == NULL) return NULL;
  d->ctx = ctx_new();
  if (d->ctx == NULL) {
    PyObject_Del(d);
    return PyErr_NoMemory();
  }
  d->source = Py_NewRef(source);
  return (PyObject *)d;
}

static PyObject *T03_bad_del_with_owned_field(PyObject *self, PyObject *source) {  // expect-in-function: python-leak
  Dec *d = PyObject_New(Dec, &Dec_Type);
  if (d == NULL) return NULL;
  d->source = Py_NewRef(source);
  d->ctx = ctx_new();
  if (d->ctx == NULL) {
    PyObject_Del(d);
    return PyErr_NoMemory();
  }
  return (PyObject *)d;
}

// A heap type's instance owns its type as well.
static PyObject *
T03_bad_del_of_heap_instance(PyObject *self, PyObject *type) {  // expect-in-function: python-leak|python-type-dealloc
  if (!PyType_Check(type) || !(((PyTypeObject *)type)->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
    PyErr_SetString(PyExc_TypeError, "need a heap type");
    return NULL;
  }
  Dec *d = PyObject_New(Dec, (PyTypeObject *)type);
  if (d == NULL) return NULL;
  d->source = NULL;
  d->ctx = ctx_new();
  if (d->ctx == NULL) {
    PyObject_Del(d);
    return PyErr_NoMemory();
  }
  return (PyObject *)d;
}

// ---- T04: heap type dealloc -----------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *inner;
} Wrap;

static int wrap_traverse(Wrap *self, visitproc visit, void *arg) {
  Py_VISIT(self->inner);
  Py_VISIT((PyObject *)Py_TYPE(self));
  return 0;
}

static int wrap_clear(Wrap *self) {
  Py_CLEAR(self->inner);
  return 0;
}

static void T04_ok_heap_dealloc(Wrap *self) {
  PyTypeObject *tp = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_CLEAR(self->inner);
  tp->tp_free((PyObject *)self);
  Py_DECREF(tp);
}

static void T04_bad_type_read_after_free(Wrap *self) {
  PyObject_GC_UnTrack(self);
  Py_CLEAR(self->inner);
  Py_TYPE(self)->tp_free((PyObject *)self);
  Py_DECREF(Py_TYPE(self));  // expect: python-use-after-release
}

static PyType_Slot wrap_slots[] = {
    {Py_tp_dealloc, T04_ok_heap_dealloc},
    {Py_tp_traverse, wrap_traverse},
    {Py_tp_clear, wrap_clear},
    {0, NULL},
};
static PyType_Spec wrap_spec = {"types.Wrap", sizeof(Wrap), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, wrap_slots};
static PyType_Slot late_slots[] = {
    {Py_tp_dealloc, T04_bad_type_read_after_free},
    {Py_tp_traverse, wrap_traverse},
    {Py_tp_clear, wrap_clear},
    {0, NULL},
};
static PyType_Spec late_spec = {"types.Late", sizeof(Wrap), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, late_slots};

// ---- T06 to T08: init, getter, setter -------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *v;
} Box;

static int T06_init_runs_twice(Box *self, PyObject *a, PyObject *k) {  // expect-in-function: python-leak
  PyObject *v;
  if (!PyArg_ParseTuple(a, "O", &v)) return -1;
  self->v = Py_NewRef(v);
  return 0;
}

static int T06_ok_init_releases_old(Box *self, PyObject *a, PyObject *k) {
  PyObject *v;
  if (!PyArg_ParseTuple(a, "O", &v)) return -1;
  Py_INCREF(v);
  Py_XSETREF(self->v, v);
  return 0;
}

static PyObject *T06_ok_new_stores_plainly(PyTypeObject *type, PyObject *a, PyObject *k) {
  PyObject *v = Py_None;
  if (!PyArg_ParseTuple(a, "|O", &v)) return NULL;
  Box *self = (Box *)type->tp_alloc(type, 0);
  if (self == NULL) return NULL;
  self->v = Py_NewRef(v);
  return (PyObject *)self;
}

static PyObject *T07_getter_returns_field(Box *self, void *c) {
  return self->v ? self->v : Py_None;  // expect: python-borrowed-return; maybe: python-borrowed-return
}

static PyObject *T07_ok_getter_gives_new_reference(Box *self, void *c) {
  PyObject *r = self->v ? self->v : Py_None;
  Py_INCREF(r);
  return r;
}

static int T08_ok_setter_with_deletion(Box *self, PyObject *v, void *c) {
  Py_XINCREF(v);
  Py_XSETREF(self->v, v);
  return 0;
}

static int T08_bad_setter_ignores_deletion(Box *self, PyObject *v, void *c) {
  Py_INCREF(v);  // expect: python-null-deref|python-null-arg
  Py_XSETREF(self->v, v);
  return 0;
}

static int T08_ok_setter_refuses_deletion(Box *self, PyObject *v, void *c) {
  if (v == NULL) {
    PyErr_SetString(PyExc_TypeError, "cannot delete v");
    return -1;
  }
  Py_INCREF(v);
  Py_XSETREF(self->v, v);
  return 0;
}

static void box_dealloc(Box *self) {
  Py_XDECREF(self->v);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyGetSetDef box_getset[] = {
    {"v", (getter)T07_getter_returns_field, (setter)T08_ok_setter_with_deletion, NULL, NULL},
    {"w", (getter)T07_ok_getter_gives_new_reference, (setter)T08_bad_setter_ignores_deletion, NULL, NULL},
    {"x", (getter)T07_ok_getter_gives_new_reference, (setter)T08_ok_setter_refuses_deletion, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject Box_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Box",
    .tp_basicsize = sizeof(Box),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)box_dealloc,
    .tp_init = (initproc)T06_init_runs_twice,
    .tp_new = PyType_GenericNew,
    .tp_getset = box_getset,
};
static PyTypeObject Box2_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Box2",
    .tp_basicsize = sizeof(Box),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)box_dealloc,
    .tp_init = (initproc)T06_ok_init_releases_old,
    .tp_new = T06_ok_new_stores_plainly,
};

// ---- T09: methods that return self ----------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  long total;
} Acc;

static int bump(Acc *self, PyObject *o) {
  long n = PyLong_AsLong(o);
  if (n == -1 && PyErr_Occurred()) return -1;
  self->total += n;
  return 0;
}

static PyObject *T09_ok_iter(PyObject *self) { return Py_NewRef(self); }

static PyObject *T09_ok_inplace_add(PyObject *self, PyObject *o) {
  return bump((Acc *)self, o) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *T09_bad_inplace_subtract(PyObject *self, PyObject *o) {
  if (bump((Acc *)self, o) < 0) return NULL;
  return self;  // expect: python-borrowed-return
}

static PyObject *T09_bad_iter(PyObject *self) {
  return self;  // expect: python-borrowed-return
}

static PyObject *T09_bad_enter(PyObject *self, PyObject *unused) {
  return self;  // expect: python-borrowed-return
}

static PyNumberMethods acc_number = {
    .nb_inplace_add = T09_ok_inplace_add,
    .nb_inplace_subtract = T09_bad_inplace_subtract,
};
static PyMethodDef acc_methods[] = {
    {"__enter__", T09_bad_enter, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject Acc_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Acc",
    .tp_basicsize = sizeof(Acc),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_number = &acc_number,
    .tp_iter = T09_ok_iter,
    .tp_methods = acc_methods,
};
static PyTypeObject Acc2_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Acc2",
    .tp_basicsize = sizeof(Acc),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = T09_bad_iter,
};

// ---- T10: an exec slot releases its module --------------------------------------------------------------------------

static int T10_exec_releases_module(PyObject *m) {
  if (PyModule_AddObjectRef(m, "T", (PyObject *)&Acc_Type) < 0) {
    Py_DECREF(m);  // expect: python-over-release
    return -1;
  }
  return 0;
}

static int T10_ok_exec(PyObject *m) {
  if (PyModule_AddObjectRef(m, "T", (PyObject *)&Acc_Type) < 0) return -1;
  return 0;
}

static PyModuleDef_Slot wrong_slots[] = {{Py_mod_exec, T10_exec_releases_module}, {0, NULL}};
static struct PyModuleDef wrong_module = {PyModuleDef_HEAD_INIT, "wrong", NULL, 0, NULL, wrong_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_wrong(void) { return PyModuleDef_Init(&wrong_module); }

// In single-phase init the same release is needed.
static struct PyModuleDef plain_module = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyObject *T10_ok_single_phase(void) {
  PyObject *m = PyModule_Create(&plain_module);
  if (m == NULL) return NULL;
  if (PyModule_AddObjectRef(m, "T", (PyObject *)&Acc_Type) < 0) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}

PyObject *T10_bad_single_phase_keeps_module(void) {  // expect-in-function: python-leak
  PyObject *m = PyModule_Create(&plain_module);
  if (m == NULL) return NULL;
  if (PyModule_AddObjectRef(m, "T", (PyObject *)&Acc_Type) < 0) return NULL;
  return m;
}

PyMODINIT_FUNC PyInit_plain(void) { return T10_ok_single_phase(); }

// ---- T11: a heap type stored in module state ------------------------------------------------------------------------

typedef struct {
  PyTypeObject *T;
} State;

static State *get_state(PyObject *m) { return (State *)PyModule_GetState(m); }

static int T11_ok_type_in_state(PyObject *m) {
  PyObject *t = PyType_FromModuleAndSpec(m, &wrap_spec, NULL);
  if (t == NULL) return -1;
  if (PyModule_AddType(m, (PyTypeObject *)t) < 0) {
    Py_DECREF(t);
    return -1;
  }
  get_state(m)->T = (PyTypeObject *)t;
  return 0;
}

static int T11_bad_type_added_and_lost(PyObject *m) {  // expect-in-function: python-leak
  PyObject *t = PyType_FromModuleAndSpec(m, &late_spec, NULL);
  if (t == NULL) return -1;
  return PyModule_AddType(m, (PyTypeObject *)t);
}

// PyModule_Add always steals.
static int T11_bad_released_after_module_add(PyObject *m) {
  PyObject *t = PyType_FromModuleAndSpec(m, &late_spec, NULL);
  if (t == NULL) return -1;
  if (PyModule_Add(m, "Late", t) < 0) {
    Py_DECREF(t);  // expect: python-over-release|python-use-after-release
    return -1;
  }
  return 0;
}

static int T11_ok_module_add_takes_null(PyObject *m) { return PyModule_Add(m, "Late", PyType_FromSpec(&late_spec)); }

static int module_traverse(PyObject *m, visitproc visit, void *arg) {
  State *s = get_state(m);
  if (s != NULL) Py_VISIT((PyObject *)s->T);
  return 0;
}

static int module_clear(PyObject *m) {
  State *s = get_state(m);
  if (s != NULL) Py_CLEAR(s->T);
  return 0;
}

// ---- T12: buffer export ---------------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  int closed;
  char *mem;
  Py_ssize_t n;
} Ex;

static int T12_ok_export(Ex *self, Py_buffer *v, int fl) {
  if (self->closed) {
    v->obj = NULL;
    PyErr_SetString(PyExc_BufferError, "closed");
    return -1;
  }
  v->buf = self->mem;
  v->len = self->n;
  v->itemsize = 1;
  v->readonly = 1;
  v->ndim = 1;
  v->format = NULL;
  v->shape = v->strides = v->suboffsets = NULL;
  v->internal = NULL;
  v->obj = Py_NewRef((PyObject *)self);
  return 0;
}

static int T12_ok_fill_info(Ex *self, Py_buffer *v, int fl) {
  return PyBuffer_FillInfo(v, (PyObject *)self, self->mem, self->n, 1, fl);
}

static int T12_bad_export_without_reference(Ex *self, Py_buffer *v, int fl) {
  v->buf = self->mem;
  v->len = self->n;
  v->itemsize = 1;
  v->readonly = 1;
  v->ndim = 1;
  v->format = NULL;
  v->shape = v->strides = v->suboffsets = NULL;
  v->internal = NULL;
  v->obj = (PyObject *)self;  // expect: python-borrowed-return
  return 0;
}

static int T12_bad_incref_and_fill_info(Ex *self, Py_buffer *v, int fl) {  // expect-in-function: python-leak
  Py_INCREF(self);
  return PyBuffer_FillInfo(v, (PyObject *)self, self->mem, self->n, 1, fl);
}

static PyBufferProcs procs[] = {
    {.bf_getbuffer = (getbufferproc)T12_ok_export},
    {.bf_getbuffer = (getbufferproc)T12_ok_fill_info},
    {.bf_getbuffer = (getbufferproc)T12_bad_export_without_reference},
    {.bf_getbuffer = (getbufferproc)T12_bad_incref_and_fill_info},
};
static PyTypeObject Ex_Types[] = {
    {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Ex0", .tp_basicsize = sizeof(Ex), .tp_as_buffer = &procs[0]},
    {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Ex1", .tp_basicsize = sizeof(Ex), .tp_as_buffer = &procs[1]},
    {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Ex2", .tp_basicsize = sizeof(Ex), .tp_as_buffer = &procs[2]},
    {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Ex3", .tp_basicsize = sizeof(Ex), .tp_as_buffer = &procs[3]},
};

// ---- T13: a free list and resurrection in dealloc -------------------------------------------------------------------

enum { MAXFREE = 16 };

typedef struct {
  PyObject_HEAD
  PyObject *v;
} Cell;

static Cell *free_cells[MAXFREE];
static int n_free;

static void T13_ok_free_list(Cell *c) {
  Py_CLEAR(c->v);
  if (n_free < MAXFREE) {
    free_cells[n_free++] = c;
    return;
  }
  PyObject_Free(c);
}

extern int still_wanted(Cell *c);

static void T13_ok_resurrection(Cell *c) {
  if (still_wanted(c)) {
    Py_INCREF(c);
    return;
  }
  Py_CLEAR(c->v);
  PyObject_Free(c);
}

static PyTypeObject Cell_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Cell",
    .tp_basicsize = sizeof(Cell),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)T13_ok_free_list,
};
static PyTypeObject Phoenix_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "types.Phoenix",
    .tp_basicsize = sizeof(Cell),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)T13_ok_resurrection,
};

PyObject *T13_ok_taken_from_free_list(PyObject *v) {
  Cell *c;
  if (n_free > 0) {
    c = free_cells[--n_free];
    (void)PyObject_Init((PyObject *)c, &Cell_Type);
  } else {
    c = PyObject_New(Cell, &Cell_Type);
    if (c == NULL) return NULL;
  }
  c->v = Py_NewRef(v);
  return (PyObject *)c;
}

static PyMethodDef methods[] = {
    {"t03_ok", T03_ok_del_of_half_built, METH_O, NULL},
    {"t03_bad", T03_bad_del_with_owned_field, METH_O, NULL},
    {"t03_bad2", T03_bad_del_of_heap_instance, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static int ready(PyObject *m) {
  PyTypeObject *all[] = {&Obj_Type, &LeakyObj_Type, &Dec_Type, &Box_Type,  &Box2_Type,
                         &Acc_Type, &Acc2_Type,     &Cell_Type, &Phoenix_Type};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (PyType_Ready(all[i]) < 0) return -1;
  for (int i = 0; i < 4; i++)
    if (PyType_Ready(&Ex_Types[i]) < 0) return -1;
  return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, ready},
    {Py_mod_exec, T10_ok_exec},
    {Py_mod_exec, T11_ok_type_in_state},
    {Py_mod_exec, T11_bad_type_added_and_lost},
    {Py_mod_exec, T11_bad_released_after_module_add},
    {Py_mod_exec, T11_ok_module_add_takes_null},
    {0, NULL},
};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "types", NULL, sizeof(State), methods, module_slots, module_traverse, module_clear, NULL};

PyMODINIT_FUNC PyInit_types(void) { return PyModuleDef_Init(&module); }
