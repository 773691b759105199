// What calls in sight say of helpers: results that go straight out, arguments that are only lent; helpers that hand an
// argument back; what the last pointer of a member or a global is worth after its reference went elsewhere.
// alone
// needs: 3.10
#include "pycompat.h"

extern int use(PyObject *o);
extern void *remembered(void);

typedef struct {
  PyObject *hook, *last;
} Settings;

static Settings *settings(PyObject *module) { return (Settings *)PyModule_GetState(module); }

// ---- a result that goes straight out -------------------------------------------------------------------------------

static PyObject *hook_impl_lent(PyObject *module) {
  Settings *s = settings(module);
  if (s->hook == NULL) Py_RETURN_NONE;
  return s->hook;  // expect: python-borrowed-return
}
static PyObject *hook_lent(PyObject *module, PyObject *unused) { return hook_impl_lent(module); }

static PyObject *hook_impl_ok(PyObject *module) {
  Settings *s = settings(module);
  if (s->hook == NULL) Py_RETURN_NONE;
  Py_INCREF(s->hook);
  return s->hook;
}
static PyObject *hook_ok(PyObject *module, PyObject *unused) { return hook_impl_ok(module); }

// The caller takes the reference: nothing is promised by the helper.
static PyObject *hook_lookup(PyObject *module) { return settings(module)->hook; }
static PyObject *hook_looked_up(PyObject *module, PyObject *unused) {
  PyObject *hook = hook_lookup(module);
  if (hook == NULL) Py_RETURN_NONE;
  Py_INCREF(hook);
  return hook;
}

// ---- arguments that are lent ---------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *source;
} View;

static PyTypeObject View_Type;

PyObject *view_of(PyObject *source, int twice) {
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) return NULL;
  Py_INCREF(source);
  if (twice) Py_INCREF(source);
  v->source = source;
  return (PyObject *)v;
}
static PyObject *make_view(PyObject *module, PyObject *source) { return view_of(source, use(module)); }  // expect: python-leak

static PyObject *bare_view_of(PyObject *source) {
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) return NULL;
  v->source = source;  // expect: python-borrowed-return
  return (PyObject *)v;
}
static PyObject *make_bare_view(PyObject *module, PyObject *source) { return bare_view_of(source); }

// The object lives on in another, and what it holds with it.
static PyObject *view_in_list(PyObject *module, PyObject *source) {  // expect-in-function: python-leak
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) {
    Py_DECREF(list);
    return NULL;
  }
  Py_INCREF(source);
  Py_INCREF(source);
  v->source = source;
  if (PyList_Append(list, (PyObject *)v) < 0) Py_CLEAR(list);
  Py_DECREF(v);
  return list;
}

// Nobody in sight calls it.
PyObject *public_view_of(PyObject *source) {
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) return NULL;
  v->source = source;  // expect: python-borrowed-return
  return (PyObject *)v;
}

PyObject *public_view_with_two(PyObject *source) {  // expect-in-function: python-leak
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) return NULL;
  Py_INCREF(source);
  Py_INCREF(source);
  v->source = source;
  return (PyObject *)v;
}

// Its caller hands the reference over.
static PyObject *view_taking(PyObject *source) {
  View *v = PyObject_New(View, &View_Type);
  if (v == NULL) {
    Py_DECREF(source);
    return NULL;
  }
  v->source = source;
  return (PyObject *)v;
}
static PyObject *make_view_of_text(PyObject *module, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  return view_taking(text);
}

static void consumed_twice(PyObject *o) {
  use(o);
  Py_DECREF(o);
  Py_DECREF(o);  // expect: python-over-release
}
int call_consumed_twice(void) {
  PyObject *list = PyList_New(0);
  if (list == NULL) return -1;
  consumed_twice(list);
  return 0;
}

// ---- an argument handed back ---------------------------------------------------------------------------------------

static PyObject *as_text(PyObject *o) {
  if (PyUnicode_Check(o)) return o;  // expect: python-ownership-mix
  return PyObject_Str(o);
}
static PyObject *as_text_ok(PyObject *o) {
  if (PyUnicode_Check(o)) return Py_NewRef(o);
  return PyObject_Str(o);
}
static PyObject *as_text_or_none(PyObject *o) {
  if (PyUnicode_Check(o)) return o;  // maybe: python-ownership-mix
  Py_RETURN_NONE;
}
static PyObject *as_text_with_two(PyObject *o) {  // expect-in-function: python-leak
  if (!PyUnicode_Check(o)) return PyObject_Str(o);
  Py_INCREF(o);
  Py_INCREF(o);
  return o;
}
static PyObject *itself(PyObject *o) { return o; }
int use_texts(PyObject *o) {
  PyObject *a = as_text(o), *b = as_text_ok(o), *c = as_text_or_none(o), *d = as_text_with_two(o);
  int n = use(itself(o));
  Py_XDECREF(a);
  Py_XDECREF(b);
  Py_XDECREF(c);  // maybe: python-over-release
  Py_XDECREF(d);
  return n;
}

// ---- references nobody can give back -------------------------------------------------------------------------------

static int first_is_true(PyObject *list) {  // expect-in-function: python-leak
  PyObject **items = ((PyListObject *)list)->ob_item;
  Py_ssize_t n = PyList_Size(list) - 1;
  Py_INCREF(items[n]);
  return PyObject_IsTrue(items[n]);
}
static int first_is_true_ok(PyObject *list) {
  PyObject **items = ((PyListObject *)list)->ob_item;
  PyObject *item = items[PyList_Size(list) - 1];
  Py_INCREF(item);
  int r = PyObject_IsTrue(item);
  Py_DECREF(item);
  return r;
}
static int first_released(PyObject *list) {
  PyObject *item = PyList_GET_ITEM(list, 0);
  int r = PyObject_IsTrue(item);
  Py_DECREF(item);  // expect: python-over-release
  return r;
}
// Stored by one round, found to be unwanted by the next.
typedef struct {
  PyObject_HEAD
  PyObject *first, *second;
} Chosen;
static PyObject *choose_impl(Chosen *self, PyObject *items) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); ++i) {
    PyObject *item = PyList_GET_ITEM(items, i);
    int n = use(item);
    if (n < 0) {
      PyErr_SetString(PyExc_ValueError, "bad item");
      return NULL;
    }
    Py_INCREF(item);
    if (n == 0) Py_XSETREF(self->first, item);
    else Py_XSETREF(self->second, item);
  }
  Py_RETURN_NONE;
}
PyObject *choose(Chosen *self, PyObject *items) { return choose_impl(self, items); }

int use_items(PyObject *list) { return first_is_true(list) + first_is_true_ok(list) + first_released(list); }

static PyObject *remembered_with_two(PyObject *self, PyObject *unused) {  // expect-in-function: python-leak
  PyObject *o = (PyObject *)remembered();
  if (o == NULL) Py_RETURN_NONE;
  Py_INCREF(o);
  Py_INCREF(o);
  return o;
}

// ---- a helper that looks an object up ------------------------------------------------------------------------------

typedef struct node {
  struct node *next;
  int key;
  View *view;
} Node;
static Node *nodes;

static View *find_view(int key) {
  for (Node *n = nodes; n != NULL; n = n->next)
    if (n->key == key) return n->view;
  return NULL;
}
static PyObject *found_lent(PyObject *self, PyObject *unused) {
  View *v = find_view(use(self));
  if (v == NULL) Py_RETURN_NONE;
  return (PyObject *)v;  // expect: python-borrowed-return
}
static PyObject *found_ok(PyObject *self, PyObject *unused) {
  View *v = find_view(use(self));
  if (v == NULL) Py_RETURN_NONE;
  Py_INCREF(v);
  return (PyObject *)v;
}

// Elements of an array are moved in and out.
static struct {
  int used;
  PyObject *func;
} handlers[4];
static PyObject *get_handler(int i) { return handlers[i].func; }
static void set_handler(int i, PyObject *func) { handlers[i].func = func; }
static PyObject *replace_handler(PyObject *self, PyObject *func) {
  int i = use(self) & 3;
  PyObject *old = get_handler(i);
  Py_INCREF(func);
  set_handler(i, func);
  if (old == NULL) Py_RETURN_NONE;
  return old;
}
static PyObject *drop_handler(PyObject *self, PyObject *unused) {
  int i = use(self) & 3;
  PyObject *old = get_handler(i);
  set_handler(i, NULL);
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

// Returned without a promise: the member has the reference, callers borrow.
static PyObject *source_of(View *v) {
  if (v->source == NULL) v->source = PyDict_New();
  return v->source;
}
static PyObject *view_size(View *self, PyObject *unused) {
  PyObject *d = source_of(self);
  return d == NULL ? NULL : PyLong_FromSsize_t(PyDict_Size(d));
}

// ---- the last pointer -----------------------------------------------------------------------------------------------

static PyObject *Error, *OtherError, *ThirdError;

static int add_errors(PyObject *m) {
  Error = PyErr_NewException("callers.Error", NULL, NULL);  // expect: python-borrowed-return
  if (Error == NULL) return -1;
  if (PyModule_AddObject(m, "Error", Error) < 0) {
    Py_CLEAR(Error);
    return -1;
  }
  OtherError = PyErr_NewException("callers.OtherError", NULL, NULL);
  if (OtherError == NULL) return -1;
  Py_INCREF(OtherError);
  if (PyModule_AddObject(m, "OtherError", OtherError) < 0) {
    Py_DECREF(OtherError);
    return -1;
  }
  ThirdError = PyErr_NewException("callers.ThirdError", NULL, NULL);
  if (ThirdError == NULL || PyModule_AddObjectRef(m, "ThirdError", ThirdError) < 0) return -1;
  return 0;
}

static int fill_state(PyObject *m) {
  Settings *s = settings(m);
  s->hook = PyList_New(0);  // expect: python-borrowed-return
  if (s->hook == NULL) return -1;
  if (PyModule_AddObjectRef(m, "hook", s->hook) < 0) {
    Py_DECREF(s->hook);
    return -1;
  }
  return 0;
}

static PyObject *set_global(PyObject *self, PyObject *arg) {
  PyObject *old = Error;
  Error = arg;  // expect: python-borrowed-return
  Py_XDECREF(old);
  Py_RETURN_NONE;
}
static PyObject *set_global_ok(PyObject *self, PyObject *arg) {
  PyObject *old = Error;
  Py_INCREF(arg);
  Error = arg;
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

static int reset(View *v) { return use(v->source); }
static PyObject *view_close(View *self, PyObject *unused) {
  Py_CLEAR(self->source);
  return PyLong_FromLong(use(self->source));
}
typedef struct {
  PyObject_HEAD
  View *view;
} Holder;
static PyObject *holder_close(Holder *self, PyObject *unused) {
  Py_CLEAR(self->view);
  reset(self->view);  // expect: python-null-arg
  Py_RETURN_NONE;
}
static PyObject *holder_close_ok(Holder *self, PyObject *unused) {
  if (self->view != NULL) reset(self->view);
  Py_CLEAR(self->view);
  Py_RETURN_NONE;
}
static PyObject *holder_used_after(Holder *self, PyObject *unused) {
  self->view = PyObject_New(View, &View_Type);
  if (self->view == NULL) return NULL;
  self->view->source = NULL;
  Py_DECREF(self->view);
  int n = PyCallable_Check((PyObject *)self->view);  // expect: python-use-after-release
  self->view = NULL;
  return PyLong_FromLong(n);
}

static int settings_clear(PyObject *m) {
  Py_CLEAR(settings(m)->hook);
  return 0;
}
static int settings_traverse(PyObject *m, visitproc visit, void *arg) {
  Py_VISIT(settings(m)->hook);
  return 0;
}

static PyMethodDef methods[] = {
    {"a", hook_lent, METH_NOARGS, NULL},
    {"b", hook_ok, METH_NOARGS, NULL},
    {"c", hook_looked_up, METH_NOARGS, NULL},
    {"d", make_view, METH_O, NULL},
    {"e", make_bare_view, METH_O, NULL},
    {"f", make_view_of_text, METH_O, NULL},
    {"g", remembered_with_two, METH_NOARGS, NULL},
    {"h", found_lent, METH_NOARGS, NULL},
    {"i", found_ok, METH_NOARGS, NULL},
    {"j", set_global, METH_O, NULL},
    {"k", set_global_ok, METH_O, NULL},
    {"l", (PyCFunction)holder_close, METH_NOARGS, NULL},
    {"m", (PyCFunction)holder_close_ok, METH_NOARGS, NULL},
    {"n", (PyCFunction)holder_used_after, METH_NOARGS, NULL},
    {"q", replace_handler, METH_O, NULL},
    {"r", drop_handler, METH_NOARGS, NULL},
    {"s", (PyCFunction)view_size, METH_NOARGS, NULL},
    {"p", view_in_list, METH_O, NULL},
    {"o", (PyCFunction)view_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_errors}, {Py_mod_exec, fill_state}, {0, NULL}};
static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "callers", NULL, sizeof(Settings), methods, slots, settings_traverse, settings_clear, NULL};
PyMODINIT_FUNC PyInit_callers(void) { return PyModuleDef_Init(&module); }

static void view_dealloc(View *self) {
  Py_XDECREF(self->source);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
static PyTypeObject View_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "callers.View",
    .tp_basicsize = sizeof(View),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)view_dealloc,
};
int callers_ready(void) { return PyType_Ready(&View_Type); }

// ---- the state of a module -------------------------------------------------------------------------------------------

typedef struct {
  PyObject *first, *second;
} ModuleState;

static int state_exec(PyObject *m) {
  ModuleState *s = (ModuleState *)PyModule_GetState(m);
  s->first = PyList_New(0);
  s->second = PyDict_New();
  return s->first != NULL && s->second != NULL ? 0 : -1;
}
static int state_traverse(PyObject *m, visitproc visit, void *arg) {
  ModuleState *s = (ModuleState *)PyModule_GetState(m);
  Py_VISIT(s->first);
  Py_VISIT(s->second);
  return 0;
}
static int state_clear_forgets(PyObject *m) {  // expect-in-function: python-type-dealloc
  ModuleState *s = (ModuleState *)PyModule_GetState(m);
  Py_CLEAR(s->first);
  return 0;
}
static int state_clear_part(PyObject *m) {
  ModuleState *s = (ModuleState *)PyModule_GetState(m);
  Py_CLEAR(s->first);
  return 0;
}
static void state_free_rest(void *m) {
  ModuleState *s = (ModuleState *)PyModule_GetState((PyObject *)m);
  Py_CLEAR(s->second);
}
static PyModuleDef_Slot state_slots[] = {{Py_mod_exec, state_exec}, {0, NULL}};
static PyModuleDef forgetful_module = {
    PyModuleDef_HEAD_INIT, "forgetful", NULL, sizeof(ModuleState), NULL, state_slots, state_traverse, state_clear_forgets, NULL};
static PyModuleDef careful_module = {
    PyModuleDef_HEAD_INIT, "careful", NULL, sizeof(ModuleState), NULL, state_slots, state_traverse, state_clear_part, state_free_rest};
PyMODINIT_FUNC PyInit_forgetful(void) { return PyModuleDef_Init(&forgetful_module); }
PyMODINIT_FUNC PyInit_careful(void) { return PyModuleDef_Init(&careful_module); }
