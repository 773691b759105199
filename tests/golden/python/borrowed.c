// Borrowed references: idioms B01 to B11 (B02 stands in first.c).
// alone
#include "pycompat.h"

#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#pragma clang diagnostic ignored "-Wconditional-uninitialized"

extern int use(PyObject *o);

// ---- B01: owned on both branches before the join --------------------------------------------------------------------

static PyObject *B01_ok_owned_on_both_branches(PyObject *self, PyObject *p) {
  if (PyBytes_Check(p)) {
    Py_INCREF(p);
  } else {
    p = PyUnicode_AsUTF8String(p);
    if (p == NULL) return NULL;
  }
  int n = use(p);
  Py_DECREF(p);
  return PyLong_FromLong(n);
}

static PyObject *B01_bad_owned_on_one_branch(PyObject *self, PyObject *p) {
  if (!PyBytes_Check(p)) {
    p = PyUnicode_AsUTF8String(p);
    if (p == NULL) return NULL;
  }
  int n = use(p);
  Py_DECREF(p);  // expect: python-over-release
  return PyLong_FromLong(n);
}

// ---- B03: mixed ownership at a join ---------------------------------------------------------------------------------

static PyObject *new_array(Py_ssize_t n) { return PyByteArray_FromStringAndSize(NULL, n); }
extern int solve(PyObject *tt);

static PyObject *B03_failure_releases_argument(PyObject *self, PyObject *args) {
  PyObject *in_tt, *tt;
  int mode;
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "iOn", &mode, &in_tt, &n)) return NULL;
  if (mode < 0)
    tt = in_tt;
  else
    tt = new_array(n);
  if (tt == NULL || solve(tt) < 0) {
    Py_XDECREF(tt);  // expect: python-over-release
    return NULL;
  }
  if (mode < 0) Py_INCREF(tt);
  return Py_BuildValue("N", tt);
}

static PyObject *B03_ok_owned_before_the_join(PyObject *self, PyObject *args) {
  PyObject *in_tt, *tt;
  int mode;
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "iOn", &mode, &in_tt, &n)) return NULL;
  if (mode < 0)
    tt = Py_NewRef(in_tt);
  else
    tt = new_array(n);
  if (tt == NULL || solve(tt) < 0) {
    Py_XDECREF(tt);
    return NULL;
  }
  return Py_BuildValue("N", tt);
}

// The late INCREF alone, with a failing path that asks the mode as well.
static PyObject *B03_ok_failure_asks_the_mode(PyObject *self, PyObject *args) {
  PyObject *in_tt, *tt;
  int mode;
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "iOn", &mode, &in_tt, &n)) return NULL;
  if (mode < 0)
    tt = in_tt;
  else
    tt = new_array(n);
  if (tt == NULL || solve(tt) < 0) {
    if (mode >= 0) Py_XDECREF(tt);
    return NULL;
  }
  if (mode < 0) Py_INCREF(tt);
  return Py_BuildValue("N", tt);
}

// ---- B04: a lookup result used after its key was deleted ------------------------------------------------------------

static PyObject *lookup(PyObject *fields, PyObject *key) {
  PyObject *v = PyDict_GetItemWithError(fields, key);
  if (v == NULL && !PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
  return v;
}

static PyObject *B04_used_after_delete(PyObject *self, PyObject *args) {
  PyObject *fields, *key;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &fields, &key)) return NULL;
  PyObject *names = PyDict_GetItemWithError(fields, key);
  if (names == NULL) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
  }
  if (PyDict_DelItem(fields, key) < 0) return NULL;
  return PySequence_Tuple(names);  // expect: python-use-after-release
}

static PyObject *B04_used_after_clear(PyObject *self, PyObject *args) {
  PyObject *fields, *key;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &fields, &key)) return NULL;
  PyObject *names = lookup(fields, key);
  if (names == NULL) return NULL;
  PyDict_Clear(fields);
  return PySequence_Tuple(names);  // expect: python-use-after-release
}

static PyObject *B04_ok_reference_taken_before_delete(PyObject *self, PyObject *args) {
  PyObject *fields, *key;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &fields, &key)) return NULL;
  PyObject *names = lookup(fields, key);
  if (names == NULL) return NULL;
  Py_INCREF(names);
  if (PyDict_DelItem(fields, key) < 0) {
    Py_DECREF(names);
    return NULL;
  }
  PyObject *t = PySequence_Tuple(names);
  Py_DECREF(names);
  return t;
}

// ---- B05: a list item held across arbitrary code --------------------------------------------------------------------

static PyObject *B05_list_item_across_compare(PyObject *self, PyObject *args) {
  PyObject *lst, *want;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &lst, &want)) return NULL;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lst); i++) {
    PyObject *x = PyList_GET_ITEM(lst, i);
    int eq = PyObject_RichCompareBool(x, want, Py_EQ);
    if (eq < 0) return NULL;
    if (eq == 1) return Py_NewRef(x);  // expect: python-borrow-across-call
  }
  Py_RETURN_NONE;
}

static PyObject *B05_ok_reference_held(PyObject *self, PyObject *args) {
  PyObject *lst, *want;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &lst, &want)) return NULL;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lst); i++) {
    PyObject *x = Py_NewRef(PyList_GET_ITEM(lst, i));
    int eq = PyObject_RichCompareBool(x, want, Py_EQ);
    if (eq == 1) return x;
    Py_DECREF(x);
    if (eq < 0) return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *B05_ok_tuple_item(PyObject *self, PyObject *args) {
  PyObject *tup, *want;
  if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tup, &want)) return NULL;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tup); i++) {
    PyObject *x = PyTuple_GET_ITEM(tup, i);
    int eq = PyObject_RichCompareBool(x, want, Py_EQ);
    if (eq < 0) return NULL;
    if (eq == 1) return Py_NewRef(x);
  }
  Py_RETURN_NONE;
}

// Nobody else has seen the list yet.
static PyObject *B05_ok_fresh_list(PyObject *self, PyObject *args) {
  PyObject *src, *want, *found = NULL;
  if (!PyArg_ParseTuple(args, "OO", &src, &want)) return NULL;
  PyObject *lst = PySequence_List(src);
  if (lst == NULL) return NULL;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lst); i++) {
    PyObject *x = PyList_GET_ITEM(lst, i);
    int eq = PyObject_RichCompareBool(x, want, Py_EQ);
    if (eq < 0) {
      Py_DECREF(lst);
      return NULL;
    }
    if (eq == 1) {
      found = Py_NewRef(x);
      break;
    }
  }
  Py_DECREF(lst);
  if (found == NULL) Py_RETURN_NONE;
  return found;
}

// ---- B06: argument tuple items across calls -------------------------------------------------------------------------

extern PyObject *hook;

static PyObject *B06_ok_tuple_item_across_call(PyObject *self, PyObject *args) {
  if (PyTuple_GET_SIZE(args) < 1) {
    PyErr_SetString(PyExc_TypeError, "one argument needed");
    return NULL;
  }
  PyObject *a = PyTuple_GET_ITEM(args, 0);
  PyObject *r = PyObject_CallOneArg(hook, a);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyObject_Str(a);
}

static PyObject *B06_ok_fastcall_item_across_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs) {
  if (nargs < 1) {
    PyErr_SetString(PyExc_TypeError, "one argument needed");
    return NULL;
  }
  PyObject *r = PyObject_CallOneArg(hook, args[0]);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyObject_Str(args[0]);
}

static PyObject *B06_ok_optional_with_default(PyObject *self, PyObject *args) {
  PyObject *x = Py_None;
  if (!PyArg_ParseTuple(args, "|O", &x)) return NULL;
  PyObject *r = PyObject_CallOneArg(hook, x);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyObject_Str(x);
}

static PyObject *B06_bad_optional_without_default(PyObject *self, PyObject *args) {
  PyObject *x;
  if (!PyArg_ParseTuple(args, "|O", &x)) return NULL;
  return PyObject_Str(x);  // expect: python-uninit
}

// ---- B07: a function that returns borrowed by design ----------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *local;
} Cur;

extern PyObject *g_types, *g_default;

static PyObject *B07_ok_pick(Cur *c, PyObject *oid) {
  PyObject *f = PyDict_GetItem(c->local, oid);
  if (f) return f;
  f = PyDict_GetItem(g_types, oid);
  return f ? f : g_default;
}

static PyObject *B07_ok_caller_keeps_its_hands_off(Cur *self, PyObject *oid) {
  PyObject *f = B07_ok_pick(self, oid);
  return PyObject_CallOneArg(f, oid);
}

static PyObject *B07_ok_caller_takes_a_reference(Cur *self, PyObject *oid) {
  PyObject *f = B07_ok_pick(self, oid);
  Py_INCREF(f);
  return f;
}

static PyObject *B07_bad_caller_releases(Cur *self, PyObject *oid) {
  PyObject *f = B07_ok_pick(self, oid);
  PyObject *r = PyObject_CallOneArg(f, oid);
  Py_DECREF(f);  // expect: python-over-release; maybe: python-borrow-across-call
  return r;
}

static PyObject *B07_bad_caller_returns_it(Cur *self, PyObject *oid) {
  return B07_ok_pick(self, oid);  // expect: python-borrowed-return
}

// ---- B08: a sentinel passed around borrowed -------------------------------------------------------------------------

// Gives a new reference, NULL with an exception, or NotImplemented without a reference.
static PyObject *try_struct(PyObject *op) {
  if (!PyBytes_Check(op)) return Py_NotImplemented;
  return PySequence_Tuple(op);
}

static PyObject *B08_ok_sentinel_gets_its_reference(PyObject *self, PyObject *op) {
  PyObject *tmp = try_struct(op);
  if (tmp == NULL) return NULL;
  if (tmp != Py_NotImplemented) return tmp;
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

static PyObject *B08_ok_released_unless_sentinel(PyObject *self, PyObject *op) {
  PyObject *tmp = try_struct(op);
  if (tmp == NULL) return NULL;
  int n = use(tmp);
  if (tmp != Py_NotImplemented) Py_DECREF(tmp);
  return PyLong_FromLong(n);
}

static PyObject *B08_bad_sentinel_returned_as_it_is(PyObject *self, PyObject *op) {
  PyObject *tmp = try_struct(op);
  return tmp;  // expect: python-borrowed-return until 3.11 -- the sentinel is immortal since
}

static PyObject *B08_bad_result_dropped(PyObject *self, PyObject *op) {  // expect-in-function: python-leak
  PyObject *tmp = try_struct(op);
  if (tmp == NULL) return NULL;
  return PyLong_FromLong(tmp != Py_NotImplemented);
}

// ---- B09: reading a weak reference ----------------------------------------------------------------------------------

static PyObject *B09_ok_strong_before_use(PyObject *ref) {
  PyObject *o = PyWeakref_GetObject(ref);
  if (o == NULL || o == Py_None) return NULL;
  Py_INCREF(o);
  return o;
}

static PyObject *B09_ok_caller(PyObject *self, PyObject *ref) {
  PyObject *o = B09_ok_strong_before_use(ref);
  if (o == NULL) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ReferenceError, "gone");
    return NULL;
  }
  PyObject *s = PyObject_Str(o);
  Py_DECREF(o);
  return s;
}

static PyObject *B09_ok_get_ref(PyObject *self, PyObject *ref) {
  PyObject *o;
  if (PyWeakref_GetRef(ref, &o) < 0) return NULL;
  if (o == NULL) Py_RETURN_NONE;
  PyObject *s = PyObject_Str(o);
  Py_DECREF(o);
  return s;
}

static PyObject *B09_bad_call_before_incref(PyObject *self, PyObject *ref) {
  PyObject *o = PyWeakref_GetObject(ref);
  if (o == NULL) return NULL;
  PyObject *r = PyObject_CallNoArgs(hook);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  Py_INCREF(o);  // expect: python-borrow-across-call|python-use-after-release
  return o;
}

// ---- B10: module dict, builtins, sys attributes ---------------------------------------------------------------------

extern PyObject *g_n;

int B10_ok_borrowed_producers(PyObject *m) {
  PyObject *d = PyModule_GetDict(m);
  PyObject *err = PySys_GetObject("stderr");
  PyObject *top = PyImport_AddModule("__main__");
  if (top == NULL) return -1;
  if (err != NULL && PyDict_SetItemString(d, "err", err) < 0) return -1;
  if (PyDict_SetItemString(d, "main", top) < 0) return -1;
  return PyDict_SetItemString(d, "N", g_n);
}

int B10_ok_dict_next(PyObject *d) {
  PyObject *key, *value;
  Py_ssize_t pos = 0;
  int n = 0;
  while (PyDict_Next(d, &pos, &key, &value)) n += value == Py_None;
  return n;
}

PyObject *B10_ok_set_default(PyObject *d, PyObject *key) {
  PyObject *v = PyDict_SetDefault(d, key, Py_None);
  return Py_XNewRef(v);
}

int B10_bad_module_dict_released(PyObject *m) {
  PyObject *d = PyModule_GetDict(m);
  int rc = PyDict_SetItemString(d, "N", g_n);
  Py_DECREF(d);  // expect: python-over-release
  return rc;
}

int B10_bad_import_add_module_released(void) {
  PyObject *top = PyImport_AddModule("__main__");
  if (top == NULL) return -1;
  int rc = use(top);
  Py_DECREF(top);  // expect: python-over-release
  return rc;
}

// ---- B11: a fast-sequence macro on the wrong object -----------------------------------------------------------------

int FN_B11_fast_macro_on_original(PyObject *seq) {
  int n = 0;
  PyObject *fast = PySequence_Fast(seq, "need a sequence");
  if (fast == NULL) return -1;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++)
    n += use(PySequence_Fast_GET_ITEM(seq, i));  // expect-not-yet: python-fast-macro -- no rule yet about fast-sequence macros
  Py_DECREF(fast);
  return n;
}

int B11_ok_fast_macro_on_result(PyObject *seq) {
  int n = 0;
  PyObject *fast = PySequence_Fast(seq, "need a sequence");
  if (fast == NULL) return -1;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) n += use(PySequence_Fast_GET_ITEM(fast, i));
  Py_DECREF(fast);
  return n;
}

int B11_ok_fast_macro_on_exact_list(PyObject *seq) {
  int n = 0;
  if (!PyList_CheckExact(seq)) {
    PyErr_SetString(PyExc_TypeError, "need a list");
    return -1;
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(seq); i++) n += use(PySequence_Fast_GET_ITEM(seq, i));
  return n;
}

static PyMethodDef cur_methods[] = {
    {"b07_call", (PyCFunction)B07_ok_caller_keeps_its_hands_off, METH_O, NULL},
    {"b07_take", (PyCFunction)B07_ok_caller_takes_a_reference, METH_O, NULL},
    {"b07_release", (PyCFunction)B07_bad_caller_releases, METH_O, NULL},
    {"b07_return", (PyCFunction)B07_bad_caller_returns_it, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static void cur_dealloc(Cur *self) {
  Py_XDECREF(self->local);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject Cur_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "borrowed.Cur",
    .tp_basicsize = sizeof(Cur),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)cur_dealloc,
    .tp_methods = cur_methods,
};

// An item that is replaced, and the value of a dict after code ran that its key chose.
PyObject *item_replaced(PyObject *l) {
  PyObject *x = PyList_GetItem(l, 0);
  if (!x) return NULL;
  Py_INCREF(Py_None);
  if (PyList_SetItem(l, 0, Py_None) < 0) return NULL;
  return PyObject_Str(x);  // expect: python-use-after-release
}

PyObject *ok_other_item_replaced(PyObject *l) {
  PyObject *x = PyList_GET_ITEM(l, 1);
  Py_INCREF(x);
  Py_INCREF(Py_None);
  int failed = PyList_SetItem(l, 1, Py_None);
  PyObject *s = failed ? NULL : PyObject_Str(x);
  Py_DECREF(x);
  return s;
}

PyObject *dict_value_after_code(PyObject *d) {
  PyObject *k, *v;
  Py_ssize_t p = 0;
  while (PyDict_Next(d, &p, &k, &v)) {
    PyObject *s = PyObject_Str(k);
    if (!s) return NULL;
    Py_DECREF(s);
    PyObject *t = PyObject_Str(v);  // expect: python-borrow-across-call
    if (!t) return NULL;
    Py_DECREF(t);
  }
  Py_RETURN_NONE;
}

PyObject *ok_dict_value_kept(PyObject *d) {
  PyObject *k, *v;
  Py_ssize_t p = 0;
  while (PyDict_Next(d, &p, &k, &v)) {
    Py_INCREF(v);
    PyObject *s = PyObject_Str(k);
    if (!s) {
      Py_DECREF(v);
      return NULL;
    }
    Py_DECREF(s);
    PyObject *t = PyObject_Str(v);
    Py_DECREF(v);
    if (!t) return NULL;
    Py_DECREF(t);
  }
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"b01_ok", B01_ok_owned_on_both_branches, METH_O, NULL},
    {"b01_bad", B01_bad_owned_on_one_branch, METH_O, NULL},
    {"b03", B03_failure_releases_argument, METH_VARARGS, NULL},
    {"b03_ok", B03_ok_owned_before_the_join, METH_VARARGS, NULL},
    {"b03_ok2", B03_ok_failure_asks_the_mode, METH_VARARGS, NULL},
    {"b04", B04_used_after_delete, METH_VARARGS, NULL},
    {"b04_clear", B04_used_after_clear, METH_VARARGS, NULL},
    {"b04_ok", B04_ok_reference_taken_before_delete, METH_VARARGS, NULL},
    {"b05", B05_list_item_across_compare, METH_VARARGS, NULL},
    {"b05_ok", B05_ok_reference_held, METH_VARARGS, NULL},
    {"b05_tuple", B05_ok_tuple_item, METH_VARARGS, NULL},
    {"b05_fresh", B05_ok_fresh_list, METH_VARARGS, NULL},
    {"b06_ok", B06_ok_tuple_item_across_call, METH_VARARGS, NULL},
    {"b06_fast", (PyCFunction)(void (*)(void))B06_ok_fastcall_item_across_call, METH_FASTCALL, NULL},
    {"b06_default", B06_ok_optional_with_default, METH_VARARGS, NULL},
    {"b06_bad", B06_bad_optional_without_default, METH_VARARGS, NULL},
    {"b08_ok", B08_ok_sentinel_gets_its_reference, METH_O, NULL},
    {"b08_ok2", B08_ok_released_unless_sentinel, METH_O, NULL},
    {"b08_bad", B08_bad_sentinel_returned_as_it_is, METH_O, NULL},
    {"b08_bad2", B08_bad_result_dropped, METH_O, NULL},
    {"b09_ok", B09_ok_caller, METH_O, NULL},
    {"b09_ref", B09_ok_get_ref, METH_O, NULL},
    {"b09_bad", B09_bad_call_before_incref, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "borrowed", NULL, -1, methods};

PyMODINIT_FUNC PyInit_borrowed(void) {
  if (PyType_Ready(&Cur_Type) < 0) return NULL;
  return PyModule_Create(&module);
}
