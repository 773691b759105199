// Clean idioms that look buggy: K01 to K17 (K04 and K08 stand in first.c).
// alone
#include <stdlib.h>
#include <string.h>

#include "numpy_mini.h"
#include "pycompat.h"

// ---- K01: one exit for success and failure --------------------------------------------------------------------------

static PyObject *decode(PyObject *self, PyObject *b) { return PyObject_CallMethod(self, "decode", "O", b); }

static PyObject *K01_ok_one_exit(PyObject *self, PyObject *o) {
  PyObject *b = NULL, *t = NULL, *r = NULL;
  if (!(b = PyObject_Bytes(o))) goto done;
  if (!(t = decode(self, b))) goto done;
  if (!(r = PyTuple_GetItem(t, 0))) goto done;
  Py_INCREF(r);
done:
  Py_XDECREF(t);
  Py_XDECREF(b);
  return r;
}

static PyObject *K01_bad_item_still_borrowed(PyObject *self, PyObject *o) {
  PyObject *b = NULL, *t = NULL, *r = NULL;
  if (!(b = PyObject_Bytes(o))) goto done;
  if (!(t = decode(self, b))) goto done;
  if (!(r = PyTuple_GetItem(t, 0))) goto done;
done:
  Py_XDECREF(t);
  Py_XDECREF(b);
  return r;  // expect: python-use-after-release|python-borrowed-return
}

// ---- K02: disarmed after a success-only steal -----------------------------------------------------------------------

static struct PyModuleDef plain_def = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, NULL};

PyObject *K02_ok_disarm(void) {
  PyObject *a = NULL, *b = NULL;
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  if (!(a = PyBytes_FromString("user."))) goto fail;
  if (!(b = PyBytes_FromString("trusted."))) goto fail;
  if (PyModule_AddObject(m, "NS_A", a) < 0) goto fail;
  a = NULL;
  if (PyModule_AddObject(m, "NS_B", b) < 0) goto fail;
  b = NULL;
  return m;
fail:
  Py_XDECREF(a);
  Py_XDECREF(b);
  Py_DECREF(m);
  return NULL;
}

PyObject *K02_bad_not_disarmed(void) {
  PyObject *a = NULL, *b = NULL;
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  if (!(a = PyBytes_FromString("user."))) goto fail;
  if (!(b = PyBytes_FromString("trusted."))) goto fail;
  if (PyModule_AddObject(m, "NS_A", a) < 0) goto fail;
  if (PyModule_AddObject(m, "NS_B", b) < 0) goto fail;
  return m;
fail:
  Py_XDECREF(a);  // expect: python-over-release
  Py_XDECREF(b);
  Py_DECREF(m);
  return NULL;
}

// ---- K03: a cached global plus a module attribute -------------------------------------------------------------------

static PyObject *g_err;

int K03_ok_global_and_attribute(PyObject *m) {
  if (g_err == NULL) {
    g_err = PyErr_NewException("x.Error", NULL, NULL);
    if (g_err == NULL) return -1;
  }
  Py_INCREF(g_err);
  if (PyModule_AddObject(m, "Error", g_err) < 0) {
    Py_DECREF(g_err);
    return -1;
  }
  return 0;
}

int K03_bad_second_reference_lost(PyObject *m) {  // expect-in-function: python-leak
  if (g_err == NULL) {
    g_err = PyErr_NewException("x.Error", NULL, NULL);
    if (g_err == NULL) return -1;
  }
  Py_INCREF(g_err);
  if (PyModule_AddObject(m, "Error", g_err) < 0) return -1;
  return 0;
}

// ---- K05: a pointer comparison says who owns ------------------------------------------------------------------------

typedef struct {
  const char *name;
  double x;
} DataRow;

extern int has_value(DataRow *row);
extern int use(PyObject *o);

int K05_ok_unless_none(PyObject *d, DataRow *row) {
  PyObject *v = Py_None;
  if (has_value(row)) {
    v = PyFloat_FromDouble(row->x);
    if (v == NULL) return -1;
  }
  int rc = PyDict_SetItemString(d, row->name, v);
  if (v != Py_None) Py_DECREF(v);
  return rc;
}

int K05_ok_unless_original(PyObject *orig) {
  PyObject *arr = orig;
  if (!PyList_CheckExact(orig)) {
    arr = PySequence_List(orig);
    if (arr == NULL) return -1;
  }
  int rc = use(arr);
  if (arr != orig) Py_DECREF(arr);
  return rc;
}

int K05_bad_test_inverted(PyObject *d, DataRow *row) {  // expect-in-function: python-leak
  PyObject *v = Py_None;
  if (has_value(row)) {
    v = PyFloat_FromDouble(row->x);
    if (v == NULL) return -1;
  }
  int rc = PyDict_SetItemString(d, row->name, v);
  if (v == Py_None) Py_DECREF(v);  // expect: python-over-release
  return rc;
}

// ---- K06: a reference kept alive on purpose -------------------------------------------------------------------------

static PyObject *resolve_type(PyObject *val) { return PyObject_GetAttrString(val, "nbtype"); }
extern int code_of(PyObject *ty);

// The code is the address: with keep_alive the type is never freed, so that the address is never reused.
int K06_ok_kept_on_purpose(PyObject *val, int keep_alive) {  // maybe-in-function: python-leak -- as information
  PyObject *ty = resolve_type(val);
  if (ty == NULL) return -1;
  int code = code_of(ty);
  if (!keep_alive) Py_DECREF(ty);
  return code;
}

// ---- K07: static interned names and lazily imported types -----------------------------------------------------------

static PyObject *K07_ok_static_name(PyObject *self, PyObject *o) {
  static PyObject *s_name = NULL;
  if (s_name == NULL && !(s_name = PyUnicode_InternFromString("name"))) return NULL;
  return PyObject_GetAttr(o, s_name);
}

static PyObject *g_decimal;

static PyObject *K07_ok_lazy_import(PyObject *self, PyObject *o) {
  if (g_decimal == NULL) {
    PyObject *mod = PyImport_ImportModule("decimal");
    if (mod == NULL) return NULL;
    g_decimal = PyObject_GetAttrString(mod, "Decimal");
    Py_DECREF(mod);
    if (g_decimal == NULL) return NULL;
  }
  return PyObject_CallOneArg(g_decimal, o);
}

static PyObject *K07_bad_module_of_import_kept(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  if (g_decimal == NULL) {
    PyObject *mod = PyImport_ImportModule("decimal");
    if (mod == NULL) return NULL;
    g_decimal = PyObject_GetAttrString(mod, "Decimal");
    if (g_decimal == NULL) return NULL;
  }
  return PyObject_CallOneArg(g_decimal, o);
}

// ---- K09: in-place string builders ----------------------------------------------------------------------------------

static PyObject *piece(void) { return PyBytes_FromString("piece"); }

static PyObject *K09_ok_builders(PyObject *self, PyObject *part) {
  PyObject *raw = NULL, *name = NULL;
  PyObject *acc = PyUnicode_FromString("acc: ");
  if (acc == NULL) return NULL;
  if (!(raw = PyBytes_FromString("raw"))) goto fail;
  if (!(name = PyUnicode_FromString("name"))) goto fail;
  PyUnicode_Append(&acc, part);
  PyBytes_ConcatAndDel(&raw, piece());
  PyUnicode_InternInPlace(&name);
  if (acc == NULL || raw == NULL) goto fail;
  return Py_BuildValue("(NNN)", acc, raw, name);
fail:
  Py_XDECREF(acc);
  Py_XDECREF(raw);
  Py_XDECREF(name);
  return NULL;
}

static PyObject *K09_bad_append_not_checked(PyObject *self, PyObject *part) {
  PyObject *acc = PyUnicode_FromString("acc: ");
  if (acc == NULL) return NULL;
  PyUnicode_Append(&acc, part);
  Py_ssize_t n = PyUnicode_GetLength(acc);  // expect: python-null-arg
  if (n < 0) {
    Py_DECREF(acc);
    return NULL;
  }
  return Py_BuildValue("(Nn)", acc, n);
}

static PyObject *K09_bad_append_keeps_the_second(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  PyObject *acc = PyUnicode_FromString("acc: ");
  if (acc == NULL) return NULL;
  PyObject *s = PyObject_Str(o);
  if (s == NULL) {
    Py_DECREF(acc);
    return NULL;
  }
  PyUnicode_Append(&acc, s);
  return acc;
}

static PyObject *K09_ok_append_and_del(PyObject *self, PyObject *o) {
  PyObject *acc = PyUnicode_FromString("acc: ");
  if (acc == NULL) return NULL;
  PyUnicode_AppendAndDel(&acc, PyObject_Str(o));
  return acc;
}

// ---- K10: a consuming helper around a maybe-NULL constructor --------------------------------------------------------

static int list_add(PyObject *list, PyObject *item) {
  if (item == NULL) return 0;
  int rc = PyList_Append(list, item);
  Py_DECREF(item);
  return rc == 0;
}

PyObject *K10_ok_consuming_helper(const char **names, int n) {
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  for (int i = 0; i < n; i++)
    if (!list_add(out, PyUnicode_FromString(names[i]))) goto fail;
  return out;
fail:
  Py_DECREF(out);
  return NULL;
}

PyObject *K10_ok_ensure_array(PyObject *a, PyObject *b) { return PyArray_EnsureArray(PyNumber_Subtract(a, b)); }

PyObject *K10_bad_released_again(const char **names, int n) {
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    PyObject *s = PyUnicode_FromString(names[i]);
    if (s == NULL) goto fail;
    if (!list_add(out, s)) {
      Py_DECREF(s);  // expect: python-over-release|python-use-after-release
      goto fail;
    }
  }
  return out;
fail:
  Py_DECREF(out);
  return NULL;
}

// ---- K11: user data with a release callback -------------------------------------------------------------------------

typedef struct lib_handle lib_handle;
extern int lib_set_data(lib_handle *h, int slot, void *data, void (*drop)(void *));

static void drop_with_gil(void *p) {
  PyGILState_STATE g = PyGILState_Ensure();
  Py_DECREF((PyObject *)p);
  PyGILState_Release(g);
}

int K11_ok_library_owns_it(lib_handle *h, PyObject *self) {
  PyObject *ref = PyWeakref_NewRef(self, NULL);
  if (ref == NULL) return -1;
  if (!lib_set_data(h, 1, ref, drop_with_gil)) {
    Py_DECREF(ref);
    return PyErr_NoMemory(), -1;
  }
  return 0;
}

int FN_K11_bad_refused_and_lost(lib_handle *h, PyObject *self) {  // expect-not-yet: python-leak -- a destroy callback beside an object means it is let go
  PyObject *ref = PyWeakref_NewRef(self, NULL);
  if (ref == NULL) return -1;
  if (!lib_set_data(h, 1, ref, drop_with_gil)) return PyErr_NoMemory(), -1;
  return 0;
}

// ---- K12: a capsule that keeps its owner alive ----------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  void *img;
} Image;

static void drop_owner(PyObject *c) { Py_DECREF((PyObject *)PyCapsule_GetContext(c)); }

static void drop_owner_if_any(PyObject *c) { Py_XDECREF((PyObject *)PyCapsule_GetContext(c)); }

static PyObject *K12_ok_capsule_keeps_owner(Image *self, PyObject *unused) {
  PyObject *cap = PyCapsule_New(self->img, "img", drop_owner);
  if (cap == NULL) return NULL;
  Py_INCREF(self);
  PyCapsule_SetContext(cap, self);
  return cap;
}

static PyObject *K12_ok_capsule_with_status(Image *self, PyObject *unused) {
  PyObject *cap = PyCapsule_New(self->img, "img", drop_owner_if_any);
  if (cap == NULL) return NULL;
  Py_INCREF(self);
  if (PyCapsule_SetContext(cap, self) < 0) {
    Py_DECREF(self);
    Py_DECREF(cap);
    return NULL;
  }
  return cap;
}

// The list calls this a leak of both; but CPython's PyCapsule_SetContext fails only for what is no valid capsule,
// which a fresh one is, so the path cannot be taken. By the letter of the contract it leaks: either answer stands.
static PyObject *K12_bad_status_without_release(Image *self, PyObject *unused) {  // maybe-in-function: python-leak
  PyObject *cap = PyCapsule_New(self->img, "img", drop_owner);
  if (cap == NULL) return NULL;
  Py_INCREF(self);
  if (PyCapsule_SetContext(cap, self) < 0) return NULL;
  return cap;
}

static PyObject *K12_bad_capsule_lost(Image *self, PyObject *flag) {  // expect-in-function: python-leak
  PyObject *cap = PyCapsule_New(self->img, "img", NULL);
  if (cap == NULL) return NULL;
  int yes = PyObject_IsTrue(flag);
  if (yes < 0) return NULL;
  return cap;
}

// ---- K13: Py_SETREF with its own old value as input -----------------------------------------------------------------

static PyObject *K13_ok_setref_of_itself(PyObject *self, PyObject *args) {
  PyObject *o, *from, *to;
  if (!PyArg_ParseTuple(args, "OUU", &o, &from, &to)) return NULL;
  PyObject *msg = PyObject_Str(o);
  if (msg == NULL) return NULL;
  Py_SETREF(msg, PyUnicode_Replace(msg, from, to, 1));
  if (msg == NULL) goto fail;
  PyObject *loud = PyUnicode_FromFormat("%U!", msg);
  Py_DECREF(msg);
  return loud;
fail:
  return NULL;
}

static PyObject *K13_bad_plain_assignment(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *o, *from, *to;
  if (!PyArg_ParseTuple(args, "OUU", &o, &from, &to)) return NULL;
  PyObject *msg = PyObject_Str(o);
  if (msg == NULL) return NULL;
  msg = PyUnicode_Replace(msg, from, to, 1);
  return msg;
}

// ---- K14: a holder tuple keeps char pointers valid ------------------------------------------------------------------

extern int set_mechanisms(const char **names, int n);

static PyObject *K14_ok_holder_outlives_pointers(PyObject *self, PyObject *args) {
  const char *names[9];
  PyObject *hold = NULL, *seq;
  if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &seq)) return NULL;
  Py_ssize_t n = PyTuple_GET_SIZE(seq);
  if (n > 8) {
    PyErr_SetString(PyExc_ValueError, "too many");
    return NULL;
  }
  hold = PyTuple_New(n);
  if (hold == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *b = PyUnicode_AsUTF8String(PyTuple_GET_ITEM(seq, i));
    if (b == NULL) goto fail;
    names[i] = PyBytes_AS_STRING(b);
    PyTuple_SET_ITEM(hold, i, b);
  }
  names[n] = NULL;
  int rc = set_mechanisms(names, (int)n);
  Py_DECREF(hold);
  return PyLong_FromLong(rc);
fail:
  Py_DECREF(hold);
  return NULL;
}

static PyObject *K14_bad_holder_released_first(PyObject *self, PyObject *s) {
  const char *names[2];
  PyObject *hold = PyTuple_New(1);
  if (hold == NULL) return NULL;
  PyObject *b = PyUnicode_AsUTF8String(s);
  if (b == NULL) {
    Py_DECREF(hold);
    return NULL;
  }
  names[0] = PyBytes_AS_STRING(b);
  names[1] = NULL;
  PyTuple_SET_ITEM(hold, 0, b);
  Py_DECREF(hold);
  return PyLong_FromLong(set_mechanisms(names, 1));  // expect: python-use-after-release
}

static const char *text_of(PyObject *o, PyObject **owner) {
  *owner = PyObject_Str(o);
  if (*owner == NULL) return NULL;
  const char *p = PyUnicode_AsUTF8(*owner);
  if (p == NULL) Py_CLEAR(*owner);
  return p;
}

static PyObject *K14_ok_owner_handed_out(PyObject *self, PyObject *o) {
  PyObject *owner;
  const char *p = text_of(o, &owner);
  if (p == NULL) return NULL;
  size_t n = strlen(p);
  Py_DECREF(owner);
  return PyLong_FromSize_t(n);
}

// ---- K15: a foreign callback ----------------------------------------------------------------------------------------

typedef struct {
  PyObject *fn, *arg;
} Callback;

int K15_ok_foreign_callback(Callback *ctx) {
  PyGILState_STATE g = PyGILState_Ensure();
  PyObject *r = PyObject_CallOneArg(ctx->fn, ctx->arg);
  if (r == NULL) PyErr_WriteUnraisable(ctx->fn);
  Py_XDECREF(r);
  PyGILState_Release(g);
  return r == NULL ? -1 : 0;
}

int K15_bad_result_kept(Callback *ctx) {  // expect-in-function: python-leak
  PyGILState_STATE g = PyGILState_Ensure();
  PyObject *r = PyObject_CallOneArg(ctx->fn, ctx->arg);
  if (r == NULL) PyErr_WriteUnraisable(ctx->fn);
  PyGILState_Release(g);
  return r == NULL ? -1 : 0;
}

// ---- K16: an optional attribute with a fallback ---------------------------------------------------------------------

extern PyObject *g_hook;

static PyObject *K16_ok_fallback_owned_too(PyObject *self, PyObject *o) {
  PyObject *f = PyObject_GetAttrString(o, "hook");
  if (f == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
    PyErr_Clear();
    f = Py_NewRef(g_hook);
  }
  PyObject *r = PyObject_CallOneArg(f, o);
  Py_DECREF(f);
  return r;
}

static PyObject *K16_bad_fallback_borrowed(PyObject *self, PyObject *o) {
  PyObject *f = PyObject_GetAttrString(o, "hook");
  if (f == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
    PyErr_Clear();
    f = g_hook;
  }
  PyObject *r = PyObject_CallOneArg(f, o);
  Py_DECREF(f);  // expect: python-over-release
  return r;
}

// ---- K17: unchecked fill, one error test at the end -----------------------------------------------------------------

extern PyTypeObject Info_Type;

PyObject *K17_ok_error_test_at_the_end(long a, const char *b) {
  PyObject *s = PyStructSequence_New(&Info_Type);
  if (s == NULL) return NULL;
  PyStructSequence_SetItem(s, 0, PyLong_FromLong(a));
  PyStructSequence_SetItem(s, 1, PyUnicode_FromString(b));
  if (PyErr_Occurred()) {
    Py_DECREF(s);
    return NULL;
  }
  return s;
}

static PyObject *K17_bad_no_error_test(PyObject *self, PyObject *args) {
  const char *b;
  if (!PyArg_ParseTuple(args, "s", &b)) return NULL;
  PyObject *s = PyStructSequence_New(&Info_Type);
  if (s == NULL) return NULL;
  PyStructSequence_SetItem(s, 0, PyUnicode_FromString(b));
  return s;  // expect: python-exception-set
}

static PyMethodDef image_methods[] = {
    {"k12_ok", (PyCFunction)K12_ok_capsule_keeps_owner, METH_NOARGS, NULL},
    {"k12_ok2", (PyCFunction)K12_ok_capsule_with_status, METH_NOARGS, NULL},
    {"k12_bad", (PyCFunction)K12_bad_status_without_release, METH_NOARGS, NULL},
    {"k12_bad2", (PyCFunction)K12_bad_capsule_lost, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject Image_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "looksbuggy.Image",
    .tp_basicsize = sizeof(Image),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = image_methods,
};

static PyMethodDef methods[] = {
    {"k01_ok", K01_ok_one_exit, METH_O, NULL},
    {"k01_bad", K01_bad_item_still_borrowed, METH_O, NULL},
    {"k07_ok", K07_ok_static_name, METH_O, NULL},
    {"k07_ok2", K07_ok_lazy_import, METH_O, NULL},
    {"k07_bad", K07_bad_module_of_import_kept, METH_O, NULL},
    {"k09_ok", K09_ok_builders, METH_O, NULL},
    {"k09_bad", K09_bad_append_not_checked, METH_O, NULL},
    {"k09_bad2", K09_bad_append_keeps_the_second, METH_O, NULL},
    {"k09_ok2", K09_ok_append_and_del, METH_O, NULL},
    {"k13_ok", K13_ok_setref_of_itself, METH_VARARGS, NULL},
    {"k13_bad", K13_bad_plain_assignment, METH_VARARGS, NULL},
    {"k14_ok", K14_ok_holder_outlives_pointers, METH_VARARGS, NULL},
    {"k14_bad", K14_bad_holder_released_first, METH_O, NULL},
    {"k14_ok2", K14_ok_owner_handed_out, METH_O, NULL},
    {"k16_ok", K16_ok_fallback_owned_too, METH_O, NULL},
    {"k16_bad", K16_bad_fallback_borrowed, METH_O, NULL},
    {"k17_bad", K17_bad_no_error_test, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "looksbuggy", NULL, -1, methods};

PyMODINIT_FUNC PyInit_looksbuggy(void) {
  if (PyType_Ready(&Image_Type) < 0) return NULL;
  return PyModule_Create(&module);
}
