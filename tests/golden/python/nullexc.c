// NULL and exceptions: idioms N01 to N13 (N03, N08 and N12 stand in first.c).
// alone
#include <stdlib.h>

#include "pycompat.h"

#pragma clang diagnostic ignored "-Wsometimes-uninitialized"

// ---- N01: an unchecked constructor feeding a macro ------------------------------------------------------------------

PyObject *N01_unchecked_tuple(double x, double z, Py_ssize_t extra) {
  PyObject *t = PyFloat_FromDouble(x);
  if (t == NULL) return NULL;
  PyObject *y = PyFloat_FromDouble(z);
  if (y == NULL) {
    Py_DECREF(t);
    return NULL;
  }
  PyObject *a = PyTuple_New(2 + extra);
  PyTuple_SET_ITEM(a, 0, t);  // expect: python-null-deref|python-null-arg
  PyTuple_SET_ITEM(a, 1, y);
  for (Py_ssize_t i = 0; i < extra; i++) PyTuple_SET_ITEM(a, 2 + i, Py_NewRef(Py_None));
  return a;
}

// With the check, but without the releases it then needs.
PyObject *N01_bad_check_without_release(double x, double z) {  // expect-in-function: python-leak, python-leak
  PyObject *t = PyFloat_FromDouble(x);
  if (t == NULL) return NULL;
  PyObject *y = PyFloat_FromDouble(z);
  if (y == NULL) {
    Py_DECREF(t);
    return NULL;
  }
  PyObject *a = PyTuple_New(2);
  if (a == NULL) return NULL;
  PyTuple_SET_ITEM(a, 0, t);
  PyTuple_SET_ITEM(a, 1, y);
  return a;
}

PyObject *N01_ok_checked_and_released(double x, double z) {
  PyObject *t = PyFloat_FromDouble(x);
  if (t == NULL) return NULL;
  PyObject *y = PyFloat_FromDouble(z);
  if (y == NULL) {
    Py_DECREF(t);
    return NULL;
  }
  PyObject *a = PyTuple_New(2);
  if (a == NULL) {
    Py_DECREF(t);
    Py_DECREF(y);
    return NULL;
  }
  PyTuple_SET_ITEM(a, 0, t);
  PyTuple_SET_ITEM(a, 1, y);
  return a;
}

// ---- N02: functions that tolerate NULL ------------------------------------------------------------------------------

static PyObject *N02_ok_getitem_takes_null_key(PyObject *self, PyObject *map) {
  PyObject *k = PyUnicode_FromString("id");
  PyObject *v = PyObject_GetItem(map, k);
  Py_XDECREF(k);
  return v;
}

static PyObject *N02_ok_build_value_takes_null(PyObject *self, PyObject *o) {
  return Py_BuildValue("(N)", PyObject_Str(o));
}

static PyObject *N02_ok_as_long_takes_null(PyObject *self, PyObject *o) {
  PyObject *num = PyNumber_Long(o);
  long n = PyLong_AsLong(num);
  Py_XDECREF(num);
  if (n == -1 && PyErr_Occurred()) return NULL;
  return PyLong_FromLong(n + 1);
}

static PyObject *N02_bad_bytes_as_string(PyObject *self, PyObject *o) {
  PyObject *b = PyObject_Bytes(o);
  const char *p = PyBytes_AsString(b);  // expect: python-null-arg
  PyObject *r = p ? PyUnicode_FromString(p) : NULL;
  Py_XDECREF(b);
  return r;
}

static PyObject *N02_bad_check_macro(PyObject *self, PyObject *o) {
  PyObject *v = PyObject_GetAttrString(o, "v");
  int list = PyList_Check(v);  // expect: python-null-deref|python-null-arg
  Py_XDECREF(v);
  return PyBool_FromLong(list);
}

// A NULL in the middle silently ends the list of arguments.
static PyObject *N02_bad_null_ends_argument_list(PyObject *self, PyObject *o) {
  PyObject *v = PyObject_GetAttrString(o, "v");
  PyObject *r = PyObject_CallFunctionObjArgs(o, v, o, NULL);  // expect: python-null-arg
  Py_XDECREF(v);
  return r;
}

// ---- N04: minus one and PyErr_Occurred ------------------------------------------------------------------------------

static PyObject *take(long n) { return PyLong_FromLong(n * 2); }
static int error_converting(long x) { return x == -1 && PyErr_Occurred() != NULL; }

static PyObject *N04_ok_minus_one_and_occurred(PyObject *self, PyObject *arg) {
  PyObject *o = PyNumber_Long(arg);
  if (o == NULL) return NULL;
  long n = PyLong_AsLong(o);
  if (n == -1 && PyErr_Occurred()) {
    Py_DECREF(o);
    return NULL;
  }
  Py_DECREF(o);
  return take(n);
}

static PyObject *N04_ok_test_in_a_helper(PyObject *self, PyObject *arg) {
  long n = PyLong_AsLong(arg);
  if (error_converting(n)) return NULL;
  return take(n);
}

static PyObject *N04_bad_minus_one_alone(PyObject *self, PyObject *arg) {
  long n = PyLong_AsLong(arg);
  if (n == -1) return NULL;  // expect: python-missing-exception
  return take(n);
}

static PyObject *N04_bad_not_tested(PyObject *self, PyObject *arg) {
  long n = PyLong_AsLong(arg);
  return PyLong_FromLong(n + 1);  // expect: python-exception-set; maybe: python-exception-set
}

// ---- N05: NULL returned without an exception ------------------------------------------------------------------------

static PyObject *N05_null_without_exception(PyObject *self, PyObject *args) {
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "n", &n)) return NULL;
  char *buf = malloc(n);
  if (buf == NULL) return NULL;  // expect: python-missing-exception
  PyObject *r = PyBytes_FromStringAndSize(buf, 0);
  free(buf);
  return r;
}

static PyObject *N05_ok_no_memory(PyObject *self, PyObject *args) {
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "n", &n)) return NULL;
  char *buf = malloc(n);
  if (buf == NULL) return PyErr_NoMemory();
  PyObject *r = PyBytes_FromStringAndSize(buf, 0);
  free(buf);
  return r;
}

// A helper may leave it to its caller to raise.
static PyObject *maybe_name(int code) {
  if (code < 0) return NULL;
  return PyUnicode_FromFormat("code %d", code);
}

static PyObject *N05_ok_caller_raises(PyObject *self, PyObject *args) {
  int code;
  if (!PyArg_ParseTuple(args, "i", &code)) return NULL;
  PyObject *r = maybe_name(code);
  if (r == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no such code");
  return r;
}

// ... and here nobody raises.
static PyObject *N05_bad_nobody_raises(PyObject *self, PyObject *args) {
  int code;
  if (!PyArg_ParseTuple(args, "i", &code)) return NULL;
  return maybe_name(code);  // expect: python-missing-exception
}

// A cleared exception is no exception.
static PyObject *N05_bad_cleared(PyObject *self, PyObject *o) {
  PyObject *r = PyObject_GetAttrString(o, "name");
  if (r == NULL) {
    PyErr_Clear();
    return NULL;  // expect: python-missing-exception
  }
  return r;
}

// ---- N06: the end of an iterator ------------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  Py_ssize_t i, n;
} StepObj;

static PyObject *N06_ok_step_next(StepObj *s) {
  if (s->i >= s->n) return NULL;
  return PyLong_FromSsize_t(s->i++);
}

static PyObject *N06_ok_slot_table_next(StepObj *s) {
  if (s->i >= s->n) return NULL;
  return PyLong_FromSsize_t(s->i++);
}

static PyObject *N06_bad_method_next(StepObj *s, PyObject *unused) {
  if (s->i >= s->n) return NULL;  // expect: python-missing-exception
  return PyLong_FromSsize_t(s->i++);
}

// ---- What success implies --------------------------------------------------------------------------------------------

static int first_number(PyObject *o, long *v) {
  PyObject *x = PySequence_GetItem(o, 0);  // fails if there is no sequence
  if (x == NULL) return 0;
  *v = PyLong_AsLong(x);
  Py_DECREF(x);
  return !(*v == -1 && PyErr_Occurred());
}

PyObject *ok_success_means_it_was_there(PyObject *self, PyObject *seq) {
  long v;
  PyObject *item = PyObject_GetAttrString(seq, "items");
  if (!first_number(item, &v)) {
    Py_XDECREF(item);
    return NULL;
  }
  Py_DECREF(item);
  return PyLong_FromLong(v);
}

PyObject *one_mistake_one_finding(PyObject *self, PyObject *o) {
  PyObject *part = PyObject_GetAttrString(o, "part"), *r = PyUnicode_FromFormat("<%S>", part);
  Py_DECREF(part);  // expect: python-null-arg
  return r;
}

extern void out_of_sight(void);
PyObject *ok_a_call_that_succeeds_leaves_no_exception(PyObject *self, PyObject *f) {
  PyObject *r;
  out_of_sight();
  r = PyObject_CallObject(f, NULL);
  if (r == NULL) return NULL;
  if (PyErr_Occurred()) return NULL;
  return r;
}

PyObject *ok_the_empty_tuple_is_always_there(PyObject *self, PyObject *f) {
  PyObject *none = PyTuple_New(0), *r = PyObject_Call(f, none, NULL);
  Py_DECREF(none);
  return r;
}

PyObject *ok_stored_at_an_index_then_counted(PyObject *self, PyObject *o) {
  PyObject *e[4] = {NULL};
  int i, n = (int)PyList_GET_SIZE(self);
  for (i = 0; i < n && i < 4; i++) {
    e[i] = o;
    Py_INCREF(o);
  }
  for (i = 0; i < n && i < 4; i++) Py_XDECREF(e[i]);
  Py_RETURN_NONE;
}

// ---- A helper gives back its argument, a part of it, or NULL: a test of that says nothing about the argument -----------

static const char *behind_prefix(const char *prefix, const char *name) {
  size_t n;
  if (prefix == NULL || *prefix == 0) return name;
  n = strlen(prefix);
  return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

size_t ok_argument_was_not_doubted(const char *prefix, const char *name) {
  if (behind_prefix(prefix, name) == NULL) return strlen(name);
  return 0;
}

static PyMethodDef step_methods[] = {
    {"next", (PyCFunction)N06_bad_method_next, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject Step_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "nullexc.Step",
    .tp_basicsize = sizeof(StepObj),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)N06_ok_step_next,
    .tp_methods = step_methods,
};
static PyType_Slot step_slots[] = {{Py_tp_iternext, N06_ok_slot_table_next}, {0, NULL}};
static PyType_Spec step_spec = {"nullexc.HeapStep", sizeof(StepObj), 0, Py_TPFLAGS_DEFAULT, step_slots};

// ---- N07: a maybe-NULL reference released on the way out ------------------------------------------------------------

static PyObject *N07_release_of_maybe_null(PyObject *self, PyObject *op) {
  PyObject *ret = NULL;
  PyObject *args = PyTuple_Pack(1, op);
  if (args == NULL) return NULL;
  PyObject *m = PyObject_GetAttrString(op, "accumulate");
  if (m && PyCallable_Check(m))
    ret = PyObject_Call(m, args, NULL);
  else if (m)
    PyErr_SetString(PyExc_TypeError, "accumulate is not callable");
  Py_DECREF(args);
  Py_DECREF(m);  // expect: python-null-deref|python-null-arg
  return ret;
}

static PyObject *N07_ok_xdecref(PyObject *self, PyObject *op) {
  PyObject *ret = NULL;
  PyObject *args = PyTuple_Pack(1, op);
  if (args == NULL) return NULL;
  PyObject *m = PyObject_GetAttrString(op, "accumulate");
  if (m && PyCallable_Check(m))
    ret = PyObject_Call(m, args, NULL);
  else if (m)
    PyErr_SetString(PyExc_TypeError, "accumulate is not callable");
  Py_DECREF(args);
  Py_XDECREF(m);
  return ret;
}

// ---- N09: a jump over an initialisation -----------------------------------------------------------------------------

extern int prepare(PyObject *self);
extern int store(PyObject *self, PyObject *val);
static PyObject *convert(PyObject *arg) { return PyNumber_Float(arg); }

int N09_jump_over_initialisation(PyObject *self, PyObject *arg) {
  int rc = -1;
  if (prepare(self) < 0) goto done;
  PyObject *val = convert(arg);
  if (val == NULL) goto done;
  rc = store(self, val);
done:
  Py_XDECREF(val);  // expect: python-uninit
  return rc;
}

int N09_ok_initialised_first(PyObject *self, PyObject *arg) {
  int rc = -1;
  PyObject *val = NULL;
  if (prepare(self) < 0) goto done;
  val = convert(arg);
  if (val == NULL) goto done;
  rc = store(self, val);
done:
  Py_XDECREF(val);
  return rc;
}

// No crash because the release was left out: now it leaks.
int N09_bad_release_left_out(PyObject *self, PyObject *arg) {  // expect-in-function: python-leak
  int rc = -1;
  if (prepare(self) < 0) goto done;
  PyObject *val = convert(arg);
  if (val == NULL) goto done;
  rc = store(self, val);
done:
  return rc;
}

// ---- N10: the exception saved and restored around cleanup -----------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *cb;
  int fd;
} Handle;

extern void close_handle(Handle *h);

static void N10_ok_dealloc_keeps_the_exception(Handle *self) {
  PyObject *t, *v, *tb;
  PyErr_Fetch(&t, &v, &tb);
  Py_XDECREF(self->cb);
  close_handle(self);
  PyErr_Restore(t, v, tb);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

PyObject *N10_ok_normalized(PyObject *o) {
  PyObject *t, *v, *tb;
  PyObject *r = PyObject_Str(o);
  if (r != NULL) return r;
  PyErr_Fetch(&t, &v, &tb);
  PyErr_NormalizeException(&t, &v, &tb);
  if (v != NULL && tb != NULL) PyException_SetTraceback(v, tb);
  PyErr_Restore(t, v, tb);
  return NULL;
}

int N10_bad_never_restored(PyObject *o) {  // expect-in-function: python-leak, python-leak, python-leak
  PyObject *t, *v, *tb;
  if (PyObject_IsTrue(o) >= 0) return 0;
  PyErr_Fetch(&t, &v, &tb);
  return v == NULL;
}

static PyTypeObject Handle_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "nullexc.Handle",
    .tp_basicsize = sizeof(Handle),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)N10_ok_dealloc_keeps_the_exception,
};

// ---- N11: functions that always return NULL or -1 -------------------------------------------------------------------

extern void *grid_new(int w);
extern void grid_free(void *grid);

static PyObject *bad_mode(const char *mode) {
  PyErr_Format(PyExc_ValueError, "bad mode %s", mode);
  return NULL;
}
PyObject *silent_null(void) { return NULL; }

static PyObject *N11_ok_raise_and_return(PyObject *self, PyObject *args) {
  int w;
  if (!PyArg_ParseTuple(args, "i", &w)) return NULL;
  if (w <= 0) return PyErr_Format(PyExc_ValueError, "bad width %d", w);
  void *grid = grid_new(w);
  if (!grid) return PyErr_NoMemory();
  grid_free(grid);
  Py_RETURN_NONE;
}

static PyObject *N11_ok_own_helper_raises(PyObject *self, PyObject *args) {
  const char *mode;
  if (!PyArg_ParseTuple(args, "s", &mode)) return NULL;
  if (mode[0] != 'r') return bad_mode(mode);
  Py_RETURN_NONE;
}

static PyObject *N11_bad_helper_does_not_raise(PyObject *self, PyObject *args) {
  const char *mode;
  if (!PyArg_ParseTuple(args, "s", &mode)) return NULL;
  if (mode[0] != 'r') return silent_null();  // expect: python-missing-exception
  Py_RETURN_NONE;
}

// ---- N13: found, missing, error -------------------------------------------------------------------------------------

static PyObject *N13_ok_dict_get_item_ref(PyObject *self, PyObject *args) {
  PyObject *d, *k, *dflt;
  if (!PyArg_ParseTuple(args, "O!OO", &PyDict_Type, &d, &k, &dflt)) return NULL;
  PyObject *v = NULL;
  int st = PyDict_GetItemRef(d, k, &v);
  if (st < 0) return NULL;
  if (st == 0) return Py_NewRef(dflt);
  return v;
}

static PyObject *N13_ok_optional_attribute(PyObject *self, PyObject *args) {
  PyObject *o, *name, *v;
  if (!PyArg_ParseTuple(args, "OU", &o, &name)) return NULL;
  int st = PyObject_GetOptionalAttr(o, name, &v);
  if (st < 0) return NULL;
  if (v == NULL) Py_RETURN_NONE;
  return v;
}

static PyObject *N13_ok_dict_pop(PyObject *self, PyObject *args) {
  PyObject *d, *k, *v;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &d, &k)) return NULL;
  switch (PyDict_Pop(d, k, &v)) {
    case 1:
      return v;
    case 0:
      Py_RETURN_NONE;
    default:
      return NULL;
  }
}

static PyObject *N13_ok_iter_next_item(PyObject *self, PyObject *it) {
  PyObject *item;
  Py_ssize_t n = 0;
  int st;
  while ((st = PyIter_NextItem(it, &item)) == 1) {
    n++;
    Py_DECREF(item);
  }
  if (st < 0) return NULL;
  return PyLong_FromSsize_t(n);
}

static PyObject *N13_ok_set_default_ref(PyObject *self, PyObject *args) {
  PyObject *d, *k, *v;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &d, &k)) return NULL;
  if (PyDict_SetDefaultRef(d, k, Py_None, &v) < 0) return NULL;
  return v;
}

// Owned for 0 (inserted) as well as for 1 (was there).
static PyObject *N13_bad_set_default_ref(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *d, *k, *v;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &d, &k)) return NULL;
  int st = PyDict_SetDefaultRef(d, k, Py_None, &v);
  if (st < 0) return NULL;
  if (st == 0) Py_RETURN_NONE;
  return v;
}

static PyObject *N13_bad_missing_not_told_apart(PyObject *self, PyObject *args) {
  PyObject *d, *k, *v;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &d, &k)) return NULL;
  if (PyDict_GetItemRef(d, k, &v) < 0) return NULL;
  return v;  // expect: python-missing-exception
}

// ---- comparisons of floats ----------------------------------------------------------------------------------------------

static PyObject *below_zero_is_failure(PyObject *self, PyObject *o) {
  double x = PyFloat_AsDouble(o);
  if (x < 0) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "below zero");
    return NULL;
  }
  return PyFloat_FromDouble(x);
}

static PyObject *below_zero_without_exception(PyObject *self, PyObject *o) {
  double x = PyFloat_AsDouble(o);
  if (x < 0) return NULL;  // expect: python-missing-exception
  return PyFloat_FromDouble(x);
}

// There is something between 0 and 1.
static PyObject *between_whole_numbers(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  double x = PyFloat_AsDouble(o);
  if (x < 0) return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  if (x > 0 && x < 1) Py_RETURN_NONE;
  return list;
}

static PyObject *complex_tested(PyObject *self, PyObject *o) {
  Py_complex c = PyComplex_AsCComplex(o);
  if (c.real == -1.0 && PyErr_Occurred()) return NULL;
  return PyFloat_FromDouble(c.imag);
}

static PyMethodDef methods[] = {
    {"one", one_mistake_one_finding, METH_O, NULL},
    {"at_index", ok_stored_at_an_index_then_counted, METH_O, NULL},
    {"n02_ok", N02_ok_getitem_takes_null_key, METH_O, NULL},
    {"n02_ok2", N02_ok_build_value_takes_null, METH_O, NULL},
    {"n02_ok3", N02_ok_as_long_takes_null, METH_O, NULL},
    {"n02_bad", N02_bad_bytes_as_string, METH_O, NULL},
    {"n02_bad2", N02_bad_check_macro, METH_O, NULL},
    {"n02_bad3", N02_bad_null_ends_argument_list, METH_O, NULL},
    {"n04_ok", N04_ok_minus_one_and_occurred, METH_O, NULL},
    {"n04_ok2", N04_ok_test_in_a_helper, METH_O, NULL},
    {"n04_bad", N04_bad_minus_one_alone, METH_O, NULL},
    {"n04_bad2", N04_bad_not_tested, METH_O, NULL},
    {"n05", N05_null_without_exception, METH_VARARGS, NULL},
    {"n05_ok", N05_ok_no_memory, METH_VARARGS, NULL},
    {"n05_ok2", N05_ok_caller_raises, METH_VARARGS, NULL},
    {"n05_bad", N05_bad_nobody_raises, METH_VARARGS, NULL},
    {"n05_bad2", N05_bad_cleared, METH_O, NULL},
    {"n07", N07_release_of_maybe_null, METH_O, NULL},
    {"n07_ok", N07_ok_xdecref, METH_O, NULL},
    {"n11_ok", N11_ok_raise_and_return, METH_VARARGS, NULL},
    {"n11_ok2", N11_ok_own_helper_raises, METH_VARARGS, NULL},
    {"n11_bad", N11_bad_helper_does_not_raise, METH_VARARGS, NULL},
    {"n13_ok", N13_ok_dict_get_item_ref, METH_VARARGS, NULL},
    {"n13_ok2", N13_ok_optional_attribute, METH_VARARGS, NULL},
    {"n13_ok3", N13_ok_dict_pop, METH_VARARGS, NULL},
    {"n13_ok4", N13_ok_iter_next_item, METH_O, NULL},
    {"n13_ok5", N13_ok_set_default_ref, METH_VARARGS, NULL},
    {"n13_bad", N13_bad_set_default_ref, METH_VARARGS, NULL},
    {"n13_bad2", N13_bad_missing_not_told_apart, METH_VARARGS, NULL},
    {"below_zero", below_zero_is_failure, METH_O, NULL},
    {"below_zero_bad", below_zero_without_exception, METH_O, NULL},
    {"between", between_whole_numbers, METH_O, NULL},
    {"complex", complex_tested, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "nullexc", NULL, -1, methods};

PyMODINIT_FUNC PyInit_nullexc(void) {
  if (PyType_Ready(&Step_Type) < 0 || PyType_Ready(&Handle_Type) < 0) return NULL;
  PyObject *m = PyModule_Create(&module);
  if (m == NULL) return NULL;
  PyObject *t = PyType_FromSpec(&step_spec);
  if (t == NULL) {
    Py_DECREF(m);
    return NULL;
  }
  int rc = PyModule_AddObjectRef(m, "HeapStep", t);
  Py_DECREF(t);
  if (rc < 0) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}
