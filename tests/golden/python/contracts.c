// Contracts between functions: idioms X03 to X11 (X01 and X02 stand in first.c).
// alone
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "pycompat.h"

extern int use(PyObject *o);

// ---- X03: the callee drops its argument only when it fails ----------------------------------------------------------

typedef struct {
  PyObject_HEAD
  int bits;
} EncObj;

static PyTypeObject Enc_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "contracts.Enc",
    .tp_basicsize = sizeof(EncObj),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

extern int known(const char *mode);

static EncObj *new_enc(void) {
  EncObj *e = PyObject_New(EncObj, &Enc_Type);
  if (e != NULL) e->bits = 8;
  return e;
}

static int setup(EncObj *e, const char *mode) {
  if (!known(mode)) {
    Py_DECREF(e);
    PyErr_SetString(PyExc_ValueError, "unknown mode");
    return -1;
  }
  return 0;
}

static PyObject *X03_ok_callee_drops_on_failure(PyObject *self, PyObject *args) {
  const char *mode;
  if (!PyArg_ParseTuple(args, "s", &mode)) return NULL;
  EncObj *e = new_enc();
  if (e == NULL || setup(e, mode) < 0) return NULL;
  return (PyObject *)e;
}

static PyObject *X03_bad_both_drop(PyObject *self, PyObject *args) {
  const char *mode;
  if (!PyArg_ParseTuple(args, "s", &mode)) return NULL;
  EncObj *e = new_enc();
  if (e == NULL) return NULL;
  if (setup(e, mode) < 0) {
    Py_DECREF(e);  // expect: python-over-release|python-use-after-release
    return NULL;
  }
  return (PyObject *)e;
}

// ---- X04: consume and convert ---------------------------------------------------------------------------------------

static PyObject *X04_ok_to_bytes(PyObject *o) {
  if (o == NULL || PyBytes_Check(o)) return o;
  PyObject *b = PyUnicode_AsUTF8String(o);
  Py_DECREF(o);
  return b;
}

static PyObject *X04_ok_caller_hands_over(PyObject *self, PyObject *o) {
  Py_INCREF(o);
  return X04_ok_to_bytes(o);
}

static PyObject *X04_ok_fresh_handed_over(PyObject *self, PyObject *o) { return X04_ok_to_bytes(PyObject_Str(o)); }

// Released for the caller when it is converted, returned without a reference when it is not.
static PyObject *
X04_bad_borrowed_handed_over(  // expect-in-function: python-over-release; maybe-in-function: python-borrowed-return
    PyObject *self, PyObject *o) {
  return X04_ok_to_bytes(o);
}

static PyObject *X04_bad_released_after(PyObject *self, PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return NULL;
  PyObject *b = X04_ok_to_bytes(s);
  if (b == NULL) {
    Py_DECREF(s);  // expect: python-over-release|python-use-after-release
    return NULL;
  }
  return b;
}

// ---- X05: an owned out-parameter, valid by status -------------------------------------------------------------------

typedef struct {
  PyObject *k, *v;
} TabEntry;

typedef struct {
  TabEntry *slots;
  int n;
} Table;

static TabEntry *slot(Table *t, PyObject *k) {
  for (int i = 0; i < t->n; i++)
    if (t->slots[i].k == k) return &t->slots[i];
  return NULL;
}

static int X05_ok_find(Table *t, PyObject *k, PyObject **out) {
  *out = NULL;
  TabEntry *e = slot(t, k);
  if (e == NULL) return 0;
  *out = Py_NewRef(e->v);
  return 1;
}

int X05_ok_caller_asks_status(Table *t, PyObject *k) {
  PyObject *v;
  int rc = -1;
  if (X05_ok_find(t, k, &v) > 0) {
    rc = use(v);
    Py_DECREF(v);
  }
  return rc;
}

PyObject *X05_ok_caller_passes_it_on(Table *t, PyObject *k) {
  PyObject *v;
  if (!X05_ok_find(t, k, &v)) {
    PyErr_SetObject(PyExc_KeyError, k);
    return NULL;
  }
  return v;
}

int X05_bad_caller_forgets(Table *t, PyObject *k) {  // expect-in-function: python-leak
  PyObject *v;
  if (X05_ok_find(t, k, &v) > 0) return use(v);
  return -1;
}

int X05_bad_caller_ignores_status(Table *t, PyObject *k) {
  PyObject *v;
  X05_ok_find(t, k, &v);
  int rc = PyList_Check(v);  // expect: python-null-deref|python-null-arg
  Py_DECREF(v);
  return rc;
}

// ---- X06: new on one branch, borrowed on the other ------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *cache, *mod;
} Conn;

static PyObject *X06_mixed_result(Conn *c, PyObject *name) {  // expect-in-function: python-ownership-mix
  PyObject *f = PyDict_GetItem(c->cache, name);
  if (f != NULL) return f;
  return PyObject_GetAttr(c->mod, name);
}

static PyObject *X06_ok_new_on_both(Conn *c, PyObject *name) {
  PyObject *f = PyDict_GetItem(c->cache, name);
  if (f != NULL) return Py_NewRef(f);
  return PyObject_GetAttr(c->mod, name);
}

// One report in the callee is enough: no caller can be right.
PyObject *X06_ok_caller_of_mixed(Conn *c, PyObject *name) {
  PyObject *f = X06_mixed_result(c, name);
  if (f == NULL) return NULL;
  PyObject *r = PyObject_CallOneArg(f, name);
  Py_DECREF(f);
  return r;
}

PyObject *X06_ok_caller_of_new(Conn *c, PyObject *name) {
  PyObject *f = X06_ok_new_on_both(c, name);
  if (f == NULL) return NULL;
  PyObject *r = PyObject_CallOneArg(f, name);
  Py_DECREF(f);
  return r;
}

// ---- X07: a helper that takes a message and raises ------------------------------------------------------------------

static PyObject *X07_ok_raise_with(PyObject *cls, PyObject *msg) {
  PyObject *e = PyObject_CallOneArg(cls, msg);
  Py_DECREF(msg);
  if (e != NULL) {
    PyErr_SetObject(cls, e);
    Py_DECREF(e);
  }
  return NULL;
}

static PyObject *X07_ok_caller_hands_message_over(PyObject *self, PyObject *o) {
  PyObject *msg = PyUnicode_FromFormat("bad %R", o);
  if (msg == NULL) return NULL;
  return X07_ok_raise_with(PyExc_ValueError, msg);
}

static PyObject *X07_bad_caller_releases_message(PyObject *self, PyObject *o) {
  PyObject *msg = PyUnicode_FromFormat("bad %R", o);
  if (msg == NULL) return NULL;
  X07_ok_raise_with(PyExc_ValueError, msg);
  Py_DECREF(msg);  // expect: python-over-release|python-use-after-release
  return NULL;
}

// SetCause steals, SetTraceback does not.
static PyObject *X07_ok_cause_is_stolen(PyObject *self, PyObject *cause) {
  PyObject *e = PyObject_CallNoArgs(PyExc_RuntimeError);
  if (e == NULL) return NULL;
  PyException_SetCause(e, Py_NewRef(cause));
  PyErr_SetObject(PyExc_RuntimeError, e);
  Py_DECREF(e);
  return NULL;
}

static PyObject *X07_ok_traceback_is_borrowed(PyObject *self, PyObject *exc) {
  PyObject *tb = PyException_GetTraceback(exc);
  PyObject *e = PyObject_CallNoArgs(PyExc_RuntimeError);
  if (e != NULL && tb != NULL && PyException_SetTraceback(e, tb) < 0) Py_CLEAR(e);
  Py_XDECREF(tb);
  return e;
}

static PyObject *X07_bad_cause_of_borrowed(PyObject *self, PyObject *cause) {
  PyObject *e = PyObject_CallNoArgs(PyExc_RuntimeError);
  if (e == NULL) return NULL;
  PyException_SetCause(e, cause);  // expect: python-over-release|python-borrowed-return
  return e;
}

// ---- X08: an options struct filled and destroyed --------------------------------------------------------------------

typedef struct {
  PyObject *cls, *tz;
  int strict;
} Opts;

static int opts_load(Opts *o, PyObject *arg) {
  memset(o, 0, sizeof *o);
  o->cls = PyObject_GetAttrString(arg, "document_class");
  if (o->cls == NULL) return 0;
  o->tz = PyObject_GetAttrString(arg, "tzinfo");
  if (o->tz == NULL) {
    Py_CLEAR(o->cls);
    return 0;
  }
  return 1;
}

static void opts_free(Opts *o) {
  Py_CLEAR(o->cls);
  Py_CLEAR(o->tz);
}

static PyObject *encode(PyObject *doc, Opts *o) { return PyObject_CallFunctionObjArgs(o->cls, doc, o->tz, NULL); }

static PyObject *X08_ok_load_use_free(PyObject *self, PyObject *args) {
  PyObject *doc, *arg;
  if (!PyArg_ParseTuple(args, "OO", &doc, &arg)) return NULL;
  Opts o;
  if (!opts_load(&o, arg)) return NULL;
  PyObject *r = encode(doc, &o);
  opts_free(&o);
  return r;
}

static PyObject *X08_bad_exit_between(PyObject *self, PyObject *args) {  // expect-in-function: python-leak, python-leak
  PyObject *doc, *arg;
  if (!PyArg_ParseTuple(args, "OO", &doc, &arg)) return NULL;
  Opts o;
  if (!opts_load(&o, arg)) return NULL;
  PyObject *r = encode(doc, &o);
  if (r == NULL) return NULL;
  opts_free(&o);
  return r;
}

// ---- X09: a long jump over owned references -------------------------------------------------------------------------

typedef struct {
  PyObject *fn;
  jmp_buf env;
} CallbackInfo;

extern CallbackInfo *g_cb;

static double take_double(PyObject *r) {
  double d = PyFloat_AsDouble(r);
  Py_DECREF(r);
  return d;
}

double X09_long_jump(double x) {  // expect-in-function: python-leak
  PyObject *a = Py_BuildValue("(d)", x);
  if (a == NULL) longjmp(g_cb->env, 1);
  PyObject *r = PyObject_CallObject(g_cb->fn, a);
  if (r == NULL) longjmp(g_cb->env, 1);
  Py_DECREF(a);
  return take_double(r);
}

double X09_ok_released_before_the_jump(double x) {
  PyObject *a = Py_BuildValue("(d)", x);
  if (a == NULL) longjmp(g_cb->env, 1);
  PyObject *r = PyObject_CallObject(g_cb->fn, a);
  Py_DECREF(a);
  if (r == NULL) longjmp(g_cb->env, 1);
  return take_double(r);
}

// ---- X10: a function pointer from a table ---------------------------------------------------------------------------

typedef struct {
  PyObject *(*getitem)(void *ptr, PyObject *arr);
} DescrTable;

PyObject *X10_ok_new_by_convention(DescrTable *desc, void *ptr, PyObject *arr) {
  PyObject *v = desc->getitem(ptr, arr);
  if (v == NULL) return NULL;
  PyObject *s = PyObject_Str(v);
  Py_DECREF(v);
  return s;
}

PyObject *X10_ok_passed_on(DescrTable *desc, void *ptr, PyObject *arr) { return desc->getitem(ptr, arr); }

// ---- X11: a context struct owns it, another function releases -------------------------------------------------------

typedef struct {
  PyObject *tmp;
} Ctx;

void X11_ok_begin(Ctx *c, PyObject *o) { c->tmp = PyObject_Str(o); }

void X11_ok_end(Ctx *c) {
  Py_XDECREF(c->tmp);
  PyObject_Free(c);
}

int X11_ok_begin_use_end(PyObject *o) {
  Ctx *c = PyObject_Malloc(sizeof *c);
  if (c == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  X11_ok_begin(c, o);
  int rc = c->tmp ? use(c->tmp) : -1;
  X11_ok_end(c);
  return rc;
}

// The field is known to be owned when it is stored to again.
void X11_bad_stored_twice(Ctx *c, PyObject *o, int latin) {  // expect-in-function: python-leak
  c->tmp = PyObject_Str(o);
  if (c->tmp != NULL && latin) c->tmp = PyUnicode_AsLatin1String(c->tmp);
}

void X11_ok_first_one_released(Ctx *c, PyObject *o, int latin) {
  c->tmp = PyObject_Str(o);
  if (c->tmp != NULL && latin) {
    PyObject *first = c->tmp;
    c->tmp = PyUnicode_AsLatin1String(first);
    Py_DECREF(first);
  }
}

static PyMethodDef methods[] = {
    {"x03_ok", X03_ok_callee_drops_on_failure, METH_VARARGS, NULL},
    {"x03_bad", X03_bad_both_drop, METH_VARARGS, NULL},
    {"x04_ok", X04_ok_caller_hands_over, METH_O, NULL},
    {"x04_ok2", X04_ok_fresh_handed_over, METH_O, NULL},
    {"x04_bad", X04_bad_borrowed_handed_over, METH_O, NULL},
    {"x04_bad2", X04_bad_released_after, METH_O, NULL},
    {"x07_ok", X07_ok_caller_hands_message_over, METH_O, NULL},
    {"x07_bad", X07_bad_caller_releases_message, METH_O, NULL},
    {"x07_cause", X07_ok_cause_is_stolen, METH_O, NULL},
    {"x07_tb", X07_ok_traceback_is_borrowed, METH_O, NULL},
    {"x07_bad2", X07_bad_cause_of_borrowed, METH_O, NULL},
    {"x08_ok", X08_ok_load_use_free, METH_VARARGS, NULL},
    {"x08_bad", X08_bad_exit_between, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "contracts", NULL, -1, methods};

PyMODINIT_FUNC PyInit_contracts(void) {
  if (PyType_Ready(&Enc_Type) < 0) return NULL;
  return PyModule_Create(&module);
}

// ---- an entry by the names of its parameters, in no table and without a caller --------------------------------------

PyObject *entry_by_names(PyObject *self, PyObject *args) {
  if (PyTuple_GET_SIZE(args) > 1) return NULL;  // expect: python-missing-exception
  return PyLong_FromLong(1);
}

PyObject *no_entry_by_names(PyObject *dict, PyObject *key) {
  if (PyTuple_GET_SIZE(key) > 1) return NULL;
  return PyLong_FromLong(1);
}
