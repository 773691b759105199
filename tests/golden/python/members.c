// Type objects and their members: dealloc, traverse and clear against the references that the instances hold.
// alone
#include <stdlib.h>

#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *name, *value;
  int n;
} Pair;

static int pair_init(Pair *self, PyObject *args, PyObject *kw) {
  PyObject *name, *value;
  if (!PyArg_ParseTuple(args, "OO", &name, &value)) return -1;
  Py_INCREF(name);
  Py_XSETREF(self->name, name);
  Py_INCREF(value);
  Py_XSETREF(self->value, value);
  return 0;
}

// ---- static types without garbage collection ------------------------------------------------------------------------

static void ok_dealloc_releases_both(Pair *self) {
  Py_XDECREF(self->name);
  Py_XDECREF(self->value);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void dealloc_forgets_value(Pair *self) {  // expect-in-function: python-type-dealloc
  Py_XDECREF(self->name);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void release_members(Pair *self) {
  Py_CLEAR(self->name);
  Py_CLEAR(self->value);
}

static void ok_dealloc_through_helper(Pair *self) {
  release_members(self);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject Good_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Good",
    .tp_basicsize = sizeof(Pair),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)pair_init,
    .tp_dealloc = (destructor)ok_dealloc_releases_both,
};
static PyTypeObject Forgetful_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Forgetful",
    .tp_basicsize = sizeof(Pair),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)pair_init,
    .tp_dealloc = (destructor)dealloc_forgets_value,
};
static PyTypeObject Helper_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Helper",
    .tp_basicsize = sizeof(Pair),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)pair_init,
    .tp_dealloc = (destructor)ok_dealloc_through_helper,
};

// A member that only lends: no type that stores into it takes a reference, so none is owed.
typedef struct {
  PyObject_HEAD
  PyObject *owner;
  PyObject *hint;
} Lender;

extern PyObject *g_hints[8];

static int lender_init(Lender *self, PyObject *args, PyObject *kw) {
  PyObject *owner;
  int n;
  if (!PyArg_ParseTuple(args, "Oi", &owner, &n)) return -1;
  Py_INCREF(owner);
  Py_XSETREF(self->owner, owner);
  self->hint = g_hints[n & 7];
  return 0;
}

static void ok_dealloc_of_lender(Lender *self) {
  Py_XDECREF(self->owner);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject Lender_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Lender",
    .tp_basicsize = sizeof(Lender),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)lender_init,
    .tp_dealloc = (destructor)ok_dealloc_of_lender,
};

// ---- garbage-collected types ----------------------------------------------------------------------------------------

static int ok_traverse(Pair *self, visitproc visit, void *arg) {
  Py_VISIT(self->name);
  Py_VISIT(self->value);
  return 0;
}

static int ok_clear(Pair *self) {
  Py_CLEAR(self->name);
  Py_CLEAR(self->value);
  return 0;
}

static void ok_gc_dealloc(Pair *self) {
  PyObject_GC_UnTrack(self);
  ok_clear(self);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static int traverse_misses_value(Pair *self, visitproc visit, void *arg) {  // expect-in-function: python-type-dealloc
  Py_VISIT(self->name);
  return 0;
}

static int clear_misses_value(Pair *self) {  // expect-in-function: python-type-dealloc
  Py_CLEAR(self->name);
  return 0;
}

static void ok_gc_dealloc_by_hand(Pair *self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(self->name);
  Py_XDECREF(self->value);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject Collected_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Collected",
    .tp_basicsize = sizeof(Pair),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)pair_init,
    .tp_dealloc = (destructor)ok_gc_dealloc,
    .tp_traverse = (traverseproc)ok_traverse,
    .tp_clear = (inquiry)ok_clear,
};
static PyTypeObject Incomplete_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Incomplete",
    .tp_basicsize = sizeof(Pair),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)pair_init,
    .tp_dealloc = (destructor)ok_gc_dealloc_by_hand,
    .tp_traverse = (traverseproc)traverse_misses_value,
    .tp_clear = (inquiry)clear_misses_value,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "members", NULL, -1, NULL};

PyMODINIT_FUNC PyInit_members(void) {
  if (PyType_Ready(&Good_Type) < 0 || PyType_Ready(&Forgetful_Type) < 0 || PyType_Ready(&Helper_Type) < 0 ||
      PyType_Ready(&Lender_Type) < 0 || PyType_Ready(&Collected_Type) < 0 || PyType_Ready(&Incomplete_Type) < 0)
    return NULL;
  return PyModule_Create(&module);
}

// ---- what is visited is owned, wherever it was stored ---------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *dict, *key;
} Visited;

typedef struct chain {
  PyObject_HEAD
  struct chain *next;  // walked, not owned
  PyObject *key;
} Chain;
static int chain_traverse(Chain *self, visitproc visit, void *arg) {
  for (Chain *c = self; c != NULL; c = c->next) Py_VISIT(c->key);
  return 0;
}
static void chain_dealloc(Chain *self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(self->key);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
static PyTypeObject Chain_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Chain",
    .tp_basicsize = sizeof(Chain),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)chain_traverse,
    .tp_dealloc = (destructor)chain_dealloc,
};
int chain_ready(void) { return PyType_Ready(&Chain_Type); }

static int visited_traverse(Visited *self, visitproc visit, void *arg) {
  Py_VISIT(self->dict);
  Py_VISIT(self->key);
  return 0;
}
static int visited_clear(Visited *self) {
  Py_CLEAR(self->dict);
  return 0;
}
static void visited_dealloc_forgets(Visited *self) {  // expect-in-function: python-type-dealloc
  PyObject_GC_UnTrack(self);
  visited_clear(self);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
static void visited_dealloc_ok(Visited *self) {
  PyObject_GC_UnTrack(self);
  visited_clear(self);
  Py_XDECREF(self->key);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
static PyTypeObject Forgetful_Visited_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.ForgetfulVisited",
    .tp_basicsize = sizeof(Visited),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)visited_traverse,
    .tp_clear = (inquiry)visited_clear,
    .tp_dealloc = (destructor)visited_dealloc_forgets,
};
static PyTypeObject Visited_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Visited",
    .tp_basicsize = sizeof(Visited),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)visited_traverse,
    .tp_clear = (inquiry)visited_clear,
    .tp_dealloc = (destructor)visited_dealloc_ok,
};
int visited_ready(void) { return PyType_Ready(&Forgetful_Visited_Type) + PyType_Ready(&Visited_Type); }

// ---- objects of the program's own that lead nowhere, and a struct around another ------------------------------------

typedef struct Unit {
  PyObject_HEAD
  struct Unit *base;
  PyObject *text;
} Unit;

typedef struct {
  PyObject_HEAD
  Unit *unit;
  PyObject *callback;
} Quantity;

typedef struct {
  Quantity head;
  PyObject *origin;
} Derived;

static int unit_derive(Unit *self, Unit *base, long n) {
  self->text = PyUnicode_FromFormat("%ld", n);
  if (self->text == NULL) return -1;
  Py_INCREF(base);
  self->base = base;
  return 0;
}

static void unit_dealloc(Unit *self) {
  Py_XDECREF(self->base);
  Py_XDECREF(self->text);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void quantity_set(Quantity *self, Unit *unit, PyObject *callback) {
  Py_INCREF(unit);
  self->unit = unit;
  Py_INCREF(callback);
  self->callback = callback;
}

// Units hold only units and texts.
static int quantity_traverse_without_unit(Quantity *self, visitproc visit, void *arg) {
  Py_VISIT(self->callback);
  return 0;
}

static int quantity_traverse_without_callback(Quantity *self, visitproc visit, void *arg) {  // expect-in-function: python-type-dealloc
  Py_VISIT(self->unit);
  return 0;
}

static void quantity_dealloc(Quantity *self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(self->unit);
  Py_XDECREF(self->callback);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void derived_set(Derived *self, Unit *unit, PyObject *origin) {
  Py_INCREF(unit);
  self->head.unit = unit;
  Py_INCREF(origin);
  self->origin = origin;
}

static void derived_dealloc(Derived *self) {
  Py_CLEAR(self->origin);
  quantity_dealloc((Quantity *)self);
}

static PyTypeObject Unit_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Unit",
    .tp_basicsize = sizeof(Unit),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)unit_dealloc,
};
static PyTypeObject Quantity_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Quantity",
    .tp_basicsize = sizeof(Quantity),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)quantity_dealloc,
    .tp_traverse = (traverseproc)quantity_traverse_without_unit,
};
static PyTypeObject Deaf_Quantity_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.DeafQuantity",
    .tp_basicsize = sizeof(Quantity),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)quantity_dealloc,
    .tp_traverse = (traverseproc)quantity_traverse_without_callback,
};
static PyTypeObject Derived_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "members.Derived",
    .tp_basicsize = sizeof(Derived),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)derived_dealloc,
};

int ready_units(Derived *d, Unit *a, Unit *b, PyObject *o) {
  if (unit_derive(a, b, 1) < 0) return -1;
  quantity_set(&d->head, a, o);
  derived_set(d, b, o);
  return PyType_Ready(&Unit_Type) < 0 || PyType_Ready(&Quantity_Type) < 0 || PyType_Ready(&Deaf_Quantity_Type) < 0 ||
                 PyType_Ready(&Derived_Type) < 0
             ? -1
             : 0;
}
