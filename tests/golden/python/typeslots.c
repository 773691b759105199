// Types without a deallocator of their own, types made at run time whose traversal leaves them out, and modules whose state
// is not given up.
// alone
// needs: 3.9
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *a;
} Box;

// ---- static types without a deallocator -----------------------------------------------------------------------------

static PyObject *box_new(PyTypeObject *type, PyObject *args, PyObject *kw) {
  Box *self = (Box *)type->tp_alloc(type, 0);
  if (self == NULL) return NULL;
  self->a = PyDict_New();
  if (self->a == NULL) {
    Py_DECREF(self);
    return NULL;
  }
  return (PyObject *)self;
}
PyTypeObject Box_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Box", .tp_basicsize = sizeof(Box), .tp_new = box_new};  // expect: python-type-dealloc

typedef struct {
  PyObject_HEAD
  PyObject *value;
} Cell;

static int cell_set(Cell *self, PyObject *value, void *closure) {
  if (value == NULL) {
    PyErr_SetString(PyExc_AttributeError, "value");
    return -1;
  }
  Py_INCREF(value);
  Py_XSETREF(self->value, value);
  return 0;
}
static PyGetSetDef cell_getset[] = {{"value", NULL, (setter)cell_set, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
PyTypeObject Cell_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Cell", .tp_basicsize = sizeof(Cell), .tp_getset = cell_getset};  // expect: python-type-dealloc

// Numbers need none.
typedef struct {
  PyObject_HEAD
  long n;
} Number;
static int number_init(Number *self, PyObject *args, PyObject *kw) { return PyArg_ParseTuple(args, "l", &self->n) ? 0 : -1; }
PyTypeObject Number_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Number", .tp_basicsize = sizeof(Number), .tp_init = (initproc)number_init};

// The base has one.
typedef struct {
  PyObject_HEAD
  PyObject *name;
} Named;
static int named_init(Named *self, PyObject *args, PyObject *kw) {
  PyObject *name;
  if (!PyArg_ParseTuple(args, "O", &name)) return -1;
  Py_INCREF(name);
  Py_XSETREF(self->name, name);
  return 0;
}
static void named_dealloc(Named *self) {
  Py_XDECREF(self->name);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
PyTypeObject Named_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Named", .tp_basicsize = sizeof(Named), .tp_init = (initproc)named_init, .tp_dealloc = (destructor)named_dealloc};
PyTypeObject Heir_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Heir", .tp_basicsize = sizeof(Named), .tp_base = &Named_Type, .tp_init = (initproc)named_init};

// The base, of the interpreter, releases its own members only.
typedef struct {
  PyListObject list;
  PyObject *extra;
} ListWithExtra;
static int list_init(ListWithExtra *self, PyObject *args, PyObject *kw) {
  PyObject *extra;
  if (!PyArg_ParseTuple(args, "O", &extra)) return -1;
  Py_INCREF(extra);
  Py_XSETREF(self->extra, extra);
  return 0;
}
PyTypeObject List_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.List", .tp_basicsize = sizeof(ListWithExtra), .tp_base = &PyList_Type, .tp_init = (initproc)list_init};  // expect: python-type-dealloc

// It gets one before it is made ready.
typedef struct {
  PyObject_HEAD
  PyObject *late;
} Late;
static int late_init(Late *self, PyObject *args, PyObject *kw) {
  PyObject *late;
  if (!PyArg_ParseTuple(args, "O", &late)) return -1;
  Py_INCREF(late);
  Py_XSETREF(self->late, late);
  return 0;
}
static PyTypeObject Late_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Late", .tp_basicsize = sizeof(Late), .tp_init = (initproc)late_init};
extern void late_free(PyObject *self);

// ---- types made at run time -----------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *held;
} Bare;
static int bare_init(Bare *self, PyObject *args, PyObject *kw) {
  PyObject *held;
  if (!PyArg_ParseTuple(args, "O", &held)) return -1;
  Py_INCREF(held);
  Py_XSETREF(self->held, held);
  return 0;
}
static PyType_Slot bare_slots[] = {{Py_tp_init, bare_init}, {0, NULL}};  // expect: python-type-dealloc
static PyType_Spec bare_spec = {"t.Bare", sizeof(Bare), 0, Py_TPFLAGS_DEFAULT, bare_slots};

typedef struct {
  PyObject_HEAD
  PyObject *held;
} HeapOfBase;
static int heap_of_base_init(HeapOfBase *self, PyObject *args, PyObject *kw) {
  PyObject *held;
  if (!PyArg_ParseTuple(args, "O", &held)) return -1;
  Py_INCREF(held);
  Py_XSETREF(self->held, held);
  return 0;
}
static PyType_Slot heap_of_base_slots[] = {{Py_tp_init, heap_of_base_init}, {0, NULL}};
static PyType_Spec heap_of_base_spec = {"t.HeapOfBase", sizeof(HeapOfBase), 0, Py_TPFLAGS_DEFAULT, heap_of_base_slots};

PyObject *made(PyObject *bases, PyObject **other) {
  Late_Type.tp_dealloc = late_free;
  if (PyType_Ready(&Box_Type) < 0 || PyType_Ready(&Late_Type) < 0) return NULL;
  *other = PyType_FromSpecWithBases(&heap_of_base_spec, bases);
  return PyType_FromSpec(&bare_spec);
}

// ---- types that traverse --------------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *held;
} Heap;

static int heap_traverse(Heap *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(self->held);
  return 0;
}
static int heap_traverse_without_type(Heap *self, visitproc visit, void *arg) {  // expect: python-type-dealloc
  Py_VISIT(self->held);
  return 0;
}
static int heap_traverse_through_helper(Heap *self, visitproc visit, void *arg) { return heap_traverse(self, visit, arg); }
static int heap_traverse_by_base(Heap *self, visitproc visit, void *arg) {
  Py_VISIT(self->held);
  return Named_Type.tp_traverse((PyObject *)self, visit, arg);
}
static int static_traverse(Heap *self, visitproc visit, void *arg) {
  Py_VISIT(self->held);
  return 0;
}
static int heap_clear(Heap *self) {
  Py_CLEAR(self->held);
  return 0;
}
static void heap_dealloc(Heap *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  heap_clear(self);
  type->tp_free((PyObject *)self);
  Py_DECREF(type);
}
PyType_Slot traversed[] = {{Py_tp_dealloc, heap_dealloc}, {Py_tp_traverse, heap_traverse}, {Py_tp_clear, heap_clear}, {0, NULL}};
PyType_Slot left_out[] = {{Py_tp_dealloc, heap_dealloc}, {Py_tp_traverse, heap_traverse_without_type}, {Py_tp_clear, heap_clear}, {0, NULL}};
PyType_Slot by_helper[] = {{Py_tp_dealloc, heap_dealloc}, {Py_tp_traverse, heap_traverse_through_helper}, {Py_tp_clear, heap_clear}, {0, NULL}};
PyType_Slot by_base[] = {{Py_tp_dealloc, heap_dealloc}, {Py_tp_traverse, heap_traverse_by_base}, {Py_tp_clear, heap_clear}, {0, NULL}};
PyTypeObject Static_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Static", .tp_basicsize = sizeof(Heap), .tp_flags = Py_TPFLAGS_HAVE_GC, .tp_traverse = (traverseproc)static_traverse};

// ---- the state of a module ------------------------------------------------------------------------------------------

typedef struct {
  PyObject *error;
} State1;
static int exec1(PyObject *m) {
  State1 *s = PyModule_GetState(m);
  s->error = PyErr_NewException("m.error", NULL, NULL);
  return s->error ? 0 : -1;
}
static int traverse1(PyObject *m, visitproc visit, void *arg) { return 0; }  // expect: python-type-dealloc
static int clear1(PyObject *m) { return 0; }                                 // expect: python-type-dealloc
static PyModuleDef_Slot slots1[] = {{Py_mod_exec, exec1}, {0, NULL}};
struct PyModuleDef module1 = {PyModuleDef_HEAD_INIT, "m1", .m_size = sizeof(State1), .m_slots = slots1, .m_traverse = traverse1, .m_clear = clear1};

typedef struct {
  PyObject *error;
  PyTypeObject *type;
} State2;
static State2 *state2(PyObject *m) { return (State2 *)PyModule_GetState(m); }
static int exec2(PyObject *m) {
  State2 *s = state2(m);
  s->error = PyErr_NewException("m.error", NULL, NULL);
  if (s->error == NULL) return -1;
  s->type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &bare_spec, NULL);
  return s->type ? 0 : -1;
}
static int traverse2(PyObject *m, visitproc visit, void *arg) {
  State2 *s = state2(m);
  Py_VISIT(s->error);
  Py_VISIT(s->type);
  return 0;
}
static int clear2(PyObject *m) {
  State2 *s = state2(m);
  Py_CLEAR(s->error);
  Py_CLEAR(s->type);
  return 0;
}
static void free2(void *m) { clear2((PyObject *)m); }
static PyModuleDef_Slot slots2[] = {{Py_mod_exec, exec2}, {0, NULL}};
struct PyModuleDef module2 = {PyModuleDef_HEAD_INIT, "m2", .m_size = sizeof(State2), .m_slots = slots2, .m_traverse = traverse2, .m_clear = clear2, .m_free = free2};

// Traverses the state, but not the type in it.
typedef struct {
  PyObject *error;
  PyTypeObject *type;
  long n;
} State3;
static int exec3(PyObject *m) {
  State3 *s = PyModule_GetState(m);
  s->error = PyErr_NewException("m.error", NULL, NULL);
  if (s->error == NULL) return -1;
  s->type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &bare_spec, NULL);
  return s->type ? 0 : -1;
}
static int traverse3(PyObject *m, visitproc visit, void *arg) {  // expect: python-type-dealloc
  State3 *s = PyModule_GetState(m);
  Py_VISIT(s->error);
  return 0;
}
static void free3(void *m) {
  State3 *s = PyModule_GetState((PyObject *)m);
  Py_CLEAR(s->error);
  Py_CLEAR(s->type);
}
static PyModuleDef_Slot slots3[] = {{Py_mod_exec, exec3}, {0, NULL}};
struct PyModuleDef module3 = {PyModuleDef_HEAD_INIT, "m3", .m_size = sizeof(State3), .m_slots = slots3, .m_traverse = traverse3, .m_free = free3};

// No function at all: each import in another interpreter leaves one behind.
typedef struct {
  PyObject *error;
  char text[100];
} State4;
static int exec4(PyObject *m) {
  State4 *s = PyModule_GetState(m);
  s->error = PyErr_NewException("m.error", NULL, NULL);
  return s->error ? 0 : -1;
}
static PyModuleDef_Slot slots4[] = {{Py_mod_exec, exec4}, {0, NULL}};
struct PyModuleDef module4 = {PyModuleDef_HEAD_INIT, "m4", .m_size = sizeof(State4), .m_slots = slots4};  // expect: python-type-dealloc

// Made once, and never freed.
typedef struct {
  PyObject *error;
  char text[200];
} State5;
static struct PyModuleDef module5 = {PyModuleDef_HEAD_INIT, "m5", .m_size = sizeof(State5)};
PyMODINIT_FUNC PyInit_m5(void) {
  PyObject *m = PyModule_Create(&module5);
  if (m == NULL) return NULL;
  State5 *s = PyModule_GetState(m);
  s->error = PyErr_NewException("m.error", NULL, NULL);
  if (s->error == NULL) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}
