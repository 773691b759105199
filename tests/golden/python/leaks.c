// Leaks: idioms L03 to L18 (L01, L02, L08 and L12 stand in first.c).
// alone
#include <stdlib.h>

#include "numpy_mini.h"
#include "pycompat.h"

// ---- L03: a temporary consumed by a converting read -----------------------------------------------------------------

Py_ssize_t L03_attribute_read_as_size(PyObject *img) {  // expect-in-function: python-leak
  return PyLong_AsSsize_t(PyObject_GetAttrString(img, "id"));  // NULL is refused with an exception
}

void *L03_number_read_as_pointer(PyObject *addr) {  // expect-in-function: python-leak
  return PyLong_AsVoidPtr(PyNumber_Long(addr));  // expect: python-null-arg
}

Py_ssize_t L03_ok_attribute_released(PyObject *img) {
  PyObject *id = PyObject_GetAttrString(img, "id");
  if (id == NULL) return -1;
  Py_ssize_t n = PyLong_AsSsize_t(id);
  Py_DECREF(id);
  return n;
}

void *L03_ok_number_released(PyObject *addr) {
  PyObject *num = PyNumber_Long(addr);
  if (num == NULL) return NULL;
  void *at = PyLong_AsVoidPtr(num);
  Py_DECREF(num);
  return at;
}

// ---- L04: a char pointer out of a nested temporary ------------------------------------------------------------------

static const char *L04_interior_pointer_returned(PyObject *o) {  // expect-in-function: python-leak
  PyObject *b = PyUnicode_EncodeFSDefault(o);
  return b ? PyBytes_AsString(b) : NULL;
}

// The caller gets the object too, and with it the duty to release it.
static const char *L04_ok_owner_handed_out(PyObject *o, PyObject **owner) {
  *owner = PyUnicode_EncodeFSDefault(o);
  return *owner ? PyBytes_AsString(*owner) : NULL;
}

extern int open_path(const char *path);

static PyObject *L04_ok_open_by_label(PyObject *self, PyObject *o) {
  const char *p = L04_interior_pointer_returned(o);  // the leak is the helper's, not this function's
  if (p == NULL) return NULL;
  return PyLong_FromLong(open_path(p));
}

static PyObject *L04_ok_open_by_owned_label(PyObject *self, PyObject *o) {
  PyObject *owner;
  const char *p = L04_ok_owner_handed_out(o, &owner);
  if (p == NULL) {
    Py_XDECREF(owner);
    return NULL;
  }
  int fd = open_path(p);
  Py_DECREF(owner);
  return PyLong_FromLong(fd);
}

// ---- L05: a container made before the arguments are parsed ----------------------------------------------------------

static PyObject *L05_list_before_parse(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  Py_ssize_t limit;
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  if (!PyArg_ParseTuple(args, "n", &limit)) return NULL;
  if (limit > 0 && PyList_Append(out, Py_None) < 0) {
    Py_DECREF(out);
    return NULL;
  }
  return out;
}

static PyObject *L05_ok_parse_first(PyObject *self, PyObject *args) {
  Py_ssize_t limit;
  if (!PyArg_ParseTuple(args, "n", &limit)) return NULL;
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  if (limit > 0 && PyList_Append(out, Py_None) < 0) {
    Py_DECREF(out);
    return NULL;
  }
  return out;
}

// ---- L06: an early success exit skips the release -------------------------------------------------------------------

extern int rank_of(PyObject *impl);
extern int deep_check(PyObject *impl);

static PyObject *find_impl(PyObject *a, PyObject *b) {
  PyObject *key = PyTuple_Pack(2, a, b);
  if (key == NULL) return NULL;
  PyObject *impl = PyObject_GetItem(a, key);
  Py_DECREF(key);
  return impl;
}

int L06_early_success(PyObject *a, PyObject *b, int wanted) {  // expect-in-function: python-leak
  PyObject *impl = find_impl(a, b);
  if (impl == NULL) return -1;
  if (rank_of(impl) >= wanted) return 1;
  int ok = deep_check(impl);
  Py_DECREF(impl);
  return ok;
}

int L06_ok_early_success_releases(PyObject *a, PyObject *b, int wanted) {
  PyObject *impl = find_impl(a, b);
  if (impl == NULL) return -1;
  if (rank_of(impl) >= wanted) {
    Py_DECREF(impl);
    return 1;
  }
  int ok = deep_check(impl);
  Py_DECREF(impl);
  return ok;
}

// ---- L07: a tail call into a borrowing function ---------------------------------------------------------------------

static PyObject *discover_kind(PyObject *cls) { return PyObject_GetAttrString(cls, "kind"); }
static PyObject *default_instance(PyObject *kind) { return PyObject_CallNoArgs(kind); }
static PyObject *instance_and_drop(PyObject *kind) {
  PyObject *r = PyObject_CallNoArgs(kind);
  Py_DECREF(kind);
  return r;
}

static PyObject *L07_tail_call_borrows(PyObject *self, PyObject *cls) {  // expect-in-function: python-leak
  PyObject *kind = discover_kind(cls);
  if (kind != NULL) return default_instance(kind);
  return NULL;
}

static PyObject *L07_ok_tail_call_consumes(PyObject *self, PyObject *cls) {
  PyObject *kind = discover_kind(cls);
  if (kind != NULL) return instance_and_drop(kind);
  return NULL;
}

static PyObject *L07_ok_result_kept_then_released(PyObject *self, PyObject *cls) {
  PyObject *kind = discover_kind(cls);
  if (kind == NULL) return NULL;
  PyObject *r = default_instance(kind);
  Py_DECREF(kind);
  return r;
}

// ---- L09: a later resource fails, the earlier reference is forgotten ------------------------------------------------

extern void fill_ints(int *to, size_t n);

int L09_key_lost_when_malloc_fails(PyObject *map, long num, size_t n) {  // expect-in-function: python-leak
  PyObject *key = PyLong_FromLong(num);
  if (key == NULL) return -1;
  int *tmp = PyMem_Malloc(n * sizeof(int));
  if (tmp == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  fill_ints(tmp, n);
  PyMem_Free(tmp);
  int rc = PyDict_SetItem(map, key, Py_None);
  Py_DECREF(key);
  return rc;
}

int L09_ok_key_released(PyObject *map, long num, size_t n) {
  PyObject *key = PyLong_FromLong(num);
  if (key == NULL) return -1;
  int *tmp = PyMem_Malloc(n * sizeof(int));
  if (tmp == NULL) {
    Py_DECREF(key);
    PyErr_NoMemory();
    return -1;
  }
  fill_ints(tmp, n);
  PyMem_Free(tmp);
  int rc = PyDict_SetItem(map, key, Py_None);
  Py_DECREF(key);
  return rc;
}

// ---- L10: the module object is lost when init fails half way --------------------------------------------------------

static PyTypeObject Box_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "leaks.Box",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static struct PyModuleDef plain_def = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, NULL};

PyObject *L10_module_lost(void) {  // expect-in-function: python-leak
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  if (PyType_Ready(&Box_Type) < 0) return NULL;
  return m;
}

PyObject *L10_import_array_after_create(void) {  // expect-in-function: python-leak
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  import_array();
  return m;
}

PyObject *L10_ok_module_released(void) {
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  if (PyType_Ready(&Box_Type) < 0) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}

PyObject *L10_ok_import_array_first(void) {
  import_array();
  return PyModule_Create(&plain_def);
}

// ---- a counter raised by hand ----------------------------------------------------------------------------------------

static PyObject *raised_by_hand(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  o->ob_refcnt++;
  return PyObject_Str(o);
}

static PyObject *ok_raised_by_hand(PyObject *self, PyObject *o) {
  o->ob_refcnt++;
  return o;
}

PyMethodDef by_hand[] = {
    {"a", raised_by_hand, METH_O, NULL},
    {"b", ok_raised_by_hand, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- L11: PyModule_AddObject with its status ignored ----------------------------------------------------------------

PyObject *L11_status_ignored(void) {  // expect-in-function: python-leak
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  PyModule_AddObject(m, "EPS", PyFloat_FromDouble(1e-9));  // maybe: python-exception-set -- and the import ends in SystemError
  return m;
}

PyObject *L11_ok_status_checked(void) {
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  PyObject *eps = PyFloat_FromDouble(1e-9);
  if (PyModule_AddObject(m, "EPS", eps) < 0) {  // a NULL value gives -1
    Py_XDECREF(eps);
    Py_DECREF(m);
    return NULL;
  }
  return m;
}

// ---- L13: two names, two INCREFs ------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *single;
} Meta;

PyObject *L13_two_increfs(Meta *meta) {  // expect-in-function: python-leak
  PyObject *res;
  Py_INCREF(meta->single);
  res = meta->single;
  Py_INCREF(res);
  return res;
}

PyObject *L13_ok_one_incref(Meta *meta) {
  PyObject *res;
  Py_INCREF(meta->single);
  res = meta->single;
  return res;
}

// ---- L14: O where N was meant ---------------------------------------------------------------------------------------

static PyObject *wrap(const double *x) { return PyFloat_FromDouble(*x); }
static PyObject *f_new(void) { return PyDict_New(); }
static PyObject *g_new(void) { return PyList_New(0); }

PyObject *L14_o_for_n(const double *t, const double *c) {  // expect-in-function: python-leak
  PyObject *info = PyDict_New();
  if (info == NULL) return NULL;
  return Py_BuildValue("NNO", wrap(t), wrap(c), info);
}

PyObject *L14_inline_build(void) {  // expect-in-function: python-leak, python-leak
  return Py_BuildValue("(OO)", f_new(), g_new());
}

PyObject *L14_inline_pack(void) {  // expect-in-function: python-leak, python-leak; maybe-in-function: python-null-arg
  return PyTuple_Pack(2, f_new(), g_new());
}

PyObject *L14_inline_call(PyObject *h) {  // expect-in-function: python-leak
  return PyObject_CallFunction(h, "O", f_new());
}

PyObject *L14_ok_n_takes_all(const double *t, const double *c) {
  PyObject *info = PyDict_New();
  if (info == NULL) return NULL;
  return Py_BuildValue("NNN", wrap(t), wrap(c), info);
}

PyObject *L14_ok_o_then_release(const double *t, const double *c) {
  PyObject *info = PyDict_New();
  if (info == NULL) return NULL;
  PyObject *r = Py_BuildValue("NNO", wrap(t), wrap(c), info);
  Py_DECREF(info);
  return r;
}

// ---- L15: a fetched exception dropped when a new one is raised ------------------------------------------------------

static PyObject *improve(PyObject *v) { return v ? PyUnicode_FromFormat("while casting: %S", v) : NULL; }

void L15_fetched_exception_dropped(void) {  // expect-in-function: python-leak, python-leak, python-leak
  PyObject *t, *v, *tb;
  PyErr_Fetch(&t, &v, &tb);
  PyObject *msg = improve(v);
  if (msg == NULL) {
    PyErr_Restore(t, v, tb);
    return;
  }
  PyErr_SetObject(PyExc_TypeError, msg);
  Py_DECREF(msg);
}

void L15_raised_exception_dropped(void) {  // expect-in-function: python-leak
  PyObject *exc = PyErr_GetRaisedException();
  PyObject *msg = improve(exc);
  if (msg == NULL) {
    PyErr_SetRaisedException(exc);
    return;
  }
  PyErr_SetObject(PyExc_TypeError, msg);
  Py_DECREF(msg);
}

void L15_ok_fetched_exception_released(void) {
  PyObject *t, *v, *tb;
  PyErr_Fetch(&t, &v, &tb);
  PyObject *msg = improve(v);
  if (msg == NULL) {
    PyErr_Restore(t, v, tb);
    return;
  }
  Py_XDECREF(t);
  Py_XDECREF(v);
  Py_XDECREF(tb);
  PyErr_SetObject(PyExc_TypeError, msg);
  Py_DECREF(msg);
}

void L15_ok_raised_exception_released(void) {
  PyObject *exc = PyErr_GetRaisedException();
  PyObject *msg = improve(exc);
  if (msg == NULL) {
    PyErr_SetRaisedException(exc);
    return;
  }
  Py_XDECREF(exc);
  PyErr_SetObject(PyExc_TypeError, msg);
  Py_DECREF(msg);
}

// ---- L16: the result of a Python call thrown away -------------------------------------------------------------------

void L16_result_only_tested(PyObject *ev) {  // expect-in-function: python-leak
  if (PyObject_CallMethod(ev, "set", NULL) == NULL) PyErr_Clear();
}

static PyObject *L16_first_result_overwritten(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *a, *b, *r;
  if (!PyArg_ParseTuple(args, "OO", &a, &b)) return NULL;
  r = PyObject_CallMethod(a, "open", NULL);
  if (r == NULL) return NULL;
  r = PyObject_CallMethod(b, "open", NULL);
  return r;
}

static PyObject *L16_void_cast(PyObject *self, PyObject *a) {  // expect-in-function: python-leak
  (void)PyObject_CallMethod(a, "close", NULL);
  if (PyErr_Occurred()) return NULL;
  Py_RETURN_NONE;
}

void L16_ok_result_released(PyObject *ev) {
  PyObject *r = PyObject_CallMethod(ev, "set", NULL);
  if (r == NULL)
    PyErr_Clear();
  else
    Py_DECREF(r);
}

static PyObject *L16_ok_first_result_released(PyObject *self, PyObject *args) {
  PyObject *a, *b, *r;
  if (!PyArg_ParseTuple(args, "OO", &a, &b)) return NULL;
  r = PyObject_CallMethod(a, "open", NULL);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  r = PyObject_CallMethod(b, "open", NULL);
  return r;
}

// ---- L17: a return hidden in a macro --------------------------------------------------------------------------------

typedef struct {
  char *buf;
  size_t n, cap;
} Writer;

enum { OP_OMIT = 3 };
extern int put_op(Writer *w, int op);
extern int put_value(Writer *w, PyObject *v);
extern PyObject *s_value;

#define TRY(e)                \
  do {                        \
    if ((e) < 0) return -1;   \
  } while (0)

int L17_return_in_macro(Writer *w, PyObject *val) {  // expect-in-function: python-leak
  PyObject *dflt = PyObject_GetAttr(val, s_value);
  if (dflt == NULL) return -1;
  TRY(put_op(w, OP_OMIT));
  int rc = put_value(w, dflt);
  Py_DECREF(dflt);
  return rc;
}

int L17_ok_macro_before_the_reference(Writer *w, PyObject *val) {
  TRY(put_op(w, OP_OMIT));
  PyObject *dflt = PyObject_GetAttr(val, s_value);
  if (dflt == NULL) return -1;
  int rc = put_value(w, dflt);
  Py_DECREF(dflt);
  return rc;
}

// The macro releases its own reference before it returns, not the caller's.
#define ADD_TYPE(m, name, obj)                     \
  do {                                             \
    Py_INCREF(obj);                                \
    if (PyModule_AddObject((m), (name), (obj)) < 0) { \
      Py_DECREF(obj);                              \
      return -1;                                   \
    }                                              \
  } while (0)

static PyType_Slot no_slots[] = {{0, NULL}};
static PyType_Spec thing_spec = {"leaks.Thing", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, no_slots};

int L17_macro_releases_only_its_own(PyObject *m) {  // expect-in-function: python-leak
  PyObject *t = PyType_FromSpec(&thing_spec);
  if (t == NULL) return -1;
  ADD_TYPE(m, "Thing", t);
  Py_DECREF(t);
  return 0;
}

// ---- L18: ported from a borrowing call to one that gives a reference ------------------------------------------------

static PyObject *L18_port_without_release(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *types, *key, *kind;
  long code = 0;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &types, &key)) return NULL;
  if (PyDict_GetItemRef(types, key, &kind) < 0) return NULL;
  if (kind) {
    code = PyLong_AsLong(kind);
    if (code == -1 && PyErr_Occurred()) return NULL;
  }
  return PyLong_FromLong(code);
}

static PyObject *L18_ok_port_with_release(PyObject *self, PyObject *args) {
  PyObject *types, *key, *kind;
  long code = 0;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &types, &key)) return NULL;
  if (PyDict_GetItemRef(types, key, &kind) < 0) return NULL;
  if (kind) {
    code = PyLong_AsLong(kind);
    Py_DECREF(kind);
    if (code == -1 && PyErr_Occurred()) return NULL;
  }
  return PyLong_FromLong(code);
}

// The mirror image: ported to a borrowing call, the release kept.
static PyObject *L18_bad_release_kept(PyObject *self, PyObject *args) {
  PyObject *types, *key;
  long code = 0;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &types, &key)) return NULL;
  PyObject *kind = PyDict_GetItemWithError(types, key);
  if (kind == NULL && PyErr_Occurred()) return NULL;
  if (kind) {
    code = PyLong_AsLong(kind);
    Py_DECREF(kind);  // expect: python-over-release
    if (code == -1 && PyErr_Occurred()) return NULL;
  }
  return PyLong_FromLong(code);
}

static PyMethodDef methods[] = {
    {"l04", L04_ok_open_by_label, METH_O, NULL},
    {"l04_ok", L04_ok_open_by_owned_label, METH_O, NULL},
    {"l05", L05_list_before_parse, METH_VARARGS, NULL},
    {"l05_ok", L05_ok_parse_first, METH_VARARGS, NULL},
    {"l07", L07_tail_call_borrows, METH_O, NULL},
    {"l07_ok", L07_ok_tail_call_consumes, METH_O, NULL},
    {"l07_ok2", L07_ok_result_kept_then_released, METH_O, NULL},
    {"l16", L16_first_result_overwritten, METH_VARARGS, NULL},
    {"l16_void", L16_void_cast, METH_O, NULL},
    {"l16_ok", L16_ok_first_result_released, METH_VARARGS, NULL},
    {"l18", L18_port_without_release, METH_VARARGS, NULL},
    {"l18_ok", L18_ok_port_with_release, METH_VARARGS, NULL},
    {"l18_bad", L18_bad_release_kept, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "leaks", NULL, -1, methods};

PyMODINIT_FUNC PyInit_leaks(void) { return PyModule_Create(&module); }

// A reference that a failing call has left here is lost at both ends; the one that takes no second failure is told.
int lost_where_one_call_has_failed(PyObject *module, PyObject *error) {
  Py_INCREF(error);
  PyModule_AddObject(module, "error", error);  // expect: python-exception-set
  PyObject *list = PyList_New(0);
  if (list == NULL) return -1;
  Py_DECREF(list);
  return 0;  // expect: python-leak
}
