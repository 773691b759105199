// What cpychecker's manual says it warns about, each kind with a bug and a clean twin (in our own code).
// alone
#include <stdlib.h>

#include "pycompat.h"

#pragma clang diagnostic ignored "-Wunknown-attributes"
#pragma clang diagnostic ignored "-Wuninitialized"
#pragma clang diagnostic ignored "-Wsometimes-uninitialized"

// ---- reference counts: one too high, one too low --------------------------------------------------------------------

static PyObject *count_too_high(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *box = PyList_New(1);
  if (!box) return NULL;
  PyObject *content = PyLong_FromLong(4711);
  if (!content) return NULL;
  if (PyList_SetItem(box, 0, content) < 0) {
    Py_DECREF(box);
    return NULL;
  }
  return box;
}

static PyObject *count_too_low(PyObject *self, PyObject *args) {
  PyObject *first = PyTuple_GetItem(args, 0);
  return first;  // expect: python-borrowed-return
}

static PyObject *ok_counts(PyObject *self, PyObject *args) {
  PyObject *box = PyList_New(1);
  if (!box) return NULL;
  PyObject *first = PyTuple_GetItem(args, 0);
  if (!first) {
    Py_DECREF(box);
    return NULL;
  }
  Py_INCREF(first);
  if (PyList_SetItem(box, 0, first) < 0) {
    Py_DECREF(box);
    return NULL;
  }
  return box;
}

// ---- attributes: borrowed results and stolen arguments --------------------------------------------------------------

extern PyObject *registry_lookup(const char *name) __attribute__((cpychecker_returns_borrowed_ref));
extern int registry_add(int slot, PyObject *item) __attribute__((cpychecker_steals_reference_to_arg(2)));

static PyObject *borrowed_by_attribute_returned(PyObject *self, PyObject *unused) {
  PyObject *o = registry_lookup("x");
  if (o == NULL) {
    PyErr_SetString(PyExc_KeyError, "x");
    return NULL;
  }
  return o;  // expect: python-borrowed-return
}

static PyObject *FP_borrowed_by_attribute_released(PyObject *self, PyObject *unused) {
  PyObject *o = registry_lookup("x");
  if (o != NULL) Py_DECREF(o);  // expect: python-over-release
  Py_RETURN_NONE;  // false-alarm: python-exception-set -- not modelled yet
}

static PyObject *ok_borrowed_by_attribute(PyObject *self, PyObject *unused) {
  PyObject *o = registry_lookup("x");
  if (o == NULL) {
    PyErr_SetString(PyExc_KeyError, "x");
    return NULL;
  }
  Py_INCREF(o);
  return o;
}

int stolen_by_attribute_released(PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return -1;
  int rc = registry_add(1, s);
  Py_DECREF(s);  // expect: python-over-release|python-use-after-release
  return rc;
}

int FN_stolen_by_attribute_from_borrowed(PyObject *o) {
  return registry_add(1, o);  // expect-not-yet: python-over-release|python-borrowed-return -- not modelled yet
}

int ok_stolen_by_attribute(PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return -1;
  return registry_add(1, s);
}

// The implementation must keep what the attribute promises.
PyObject *promises_borrowed_gives_new(PyObject *o) __attribute__((cpychecker_returns_borrowed_ref));
PyObject *promises_borrowed_gives_new(PyObject *o) {
  return PyObject_Str(o);  // expect: python-annotation
}

int promises_to_steal_keeps(PyObject *o) __attribute__((cpychecker_steals_reference_to_arg(1)));
int promises_to_steal_keeps(PyObject *o) {
  return PyObject_IsTrue(o);  // expect: python-annotation
}

int ok_promises_to_steal_releases(PyObject *o) __attribute__((cpychecker_steals_reference_to_arg(1)));
int ok_promises_to_steal_releases(PyObject *o) {
  int n = PyObject_IsTrue(o);
  Py_DECREF(o);
  return n;
}

// ---- errors: NULL dereferenced, NULL passed on, uninitialised, deallocated ------------------------------------------

static PyObject *null_dereferenced(PyObject *self, PyObject *o) {
  PyObject *s = PyObject_Repr(o);
  const char *type = Py_TYPE(s)->tp_name;  // expect: python-null-deref|python-null-arg
  Py_XDECREF(s);
  return PyUnicode_FromString(type);
}

static PyObject *null_passed_on(PyObject *self, PyObject *o) {
  PyObject *b = PyUnicode_AsUTF8String(o);
  PyObject *n = PyLong_FromString(PyBytes_AsString(b), NULL, 10);  // expect: python-null-arg; maybe: python-null-arg
  Py_XDECREF(b);
  return n;
}

static PyObject *ok_null_tested(PyObject *self, PyObject *o) {
  PyObject *b = PyUnicode_AsUTF8String(o);
  if (b == NULL) return NULL;
  const char *digits = PyBytes_AsString(b);
  PyObject *n = digits ? PyLong_FromString(digits, NULL, 10) : NULL;
  Py_DECREF(b);
  return n;
}

static PyObject *uninitialised_returned(PyObject *self, PyObject *flag) {
  PyObject *v;
  int yes = PyObject_IsTrue(flag);
  if (yes < 0) return NULL;
  if (yes) v = Py_NewRef(flag);
  return v;  // expect: python-uninit
}

static PyObject *ok_initialised(PyObject *self, PyObject *flag) {
  PyObject *v = Py_None;
  int yes = PyObject_IsTrue(flag);
  if (yes < 0) return NULL;
  if (yes) v = flag;
  return Py_NewRef(v);
}

static PyObject *dead_object_used(PyObject *self, PyObject *unused) {
  PyObject *n = PyLong_FromLong(0x1000);
  if (n == NULL) return NULL;
  Py_DECREF(n);
  return PyObject_Str(n);  // expect: python-use-after-release
}

static PyObject *dead_object_returned(PyObject *self, PyObject *unused) {
  PyObject *n = PyLong_FromLong(0x1000);
  if (n == NULL) return NULL;
  Py_DECREF(n);
  return n;  // expect: python-use-after-release|python-borrowed-return
}

// ---- exceptions -----------------------------------------------------------------------------------------------------

static PyObject *null_without_exception(PyObject *self, PyObject *args) {
  if (PyTuple_GET_SIZE(args) == 0) return NULL;  // expect: python-missing-exception
  Py_RETURN_NONE;
}

static PyObject *value_with_exception(PyObject *self, PyObject *args) {
  PyErr_SetString(PyExc_ValueError, "and yet");
  Py_RETURN_NONE;  // expect: python-exception-set
}

typedef struct {
  PyObject_HEAD
  int left;
} Count;

static PyObject *ok_iternext_without_exception(Count *self) {
  if (self->left == 0) return NULL;
  return PyLong_FromLong(self->left--);
}

static int init_without_exception(Count *self, PyObject *args, PyObject *kw) {
  if (PyTuple_GET_SIZE(args) != 0) return -1;  // expect: python-missing-exception
  self->left = 10;
  return 0;
}

extern void raise_error(const char *msg) __attribute__((cpychecker_sets_exception));
extern int check_state(int state) __attribute__((cpychecker_negative_result_sets_exception));

static PyObject *ok_raised_by_attribute(PyObject *self, PyObject *unused) {
  raise_error("always");
  return NULL;
}

static PyObject *ok_negative_result_by_attribute(PyObject *self, PyObject *unused) {
  if (check_state(3) < 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject *positive_result_by_attribute(PyObject *self, PyObject *unused) {
  if (check_state(3) > 0) return NULL;  // expect: python-missing-exception
  Py_RETURN_NONE;  // maybe: python-exception-set
}

void promises_to_raise_does_not(const char *msg) __attribute__((cpychecker_sets_exception));
void promises_to_raise_does_not(const char *msg) {
  if (msg != NULL) PyErr_SetString(PyExc_ValueError, msg);
}  // expect: python-annotation

int promises_exception_below_zero(int n) __attribute__((cpychecker_negative_result_sets_exception));
int promises_exception_below_zero(int n) {
  if (n > 7) return -1;  // expect: python-annotation
  return n > 0;
}

// ---- formats: every function that takes one -------------------------------------------------------------------------

static PyObject *parse_tuple(PyObject *self, PyObject *args) {
  long count = 0;
  if (!PyArg_ParseTuple(args, "i", &count)) return NULL;  // expect: python-format
  return PyLong_FromLong(count);
}

static PyObject *parse_tuple_and_keywords(PyObject *self, PyObject *args, PyObject *kw) {
  static char *names[] = {"count", NULL};
  short count = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kw, "i", names, &count)) return NULL;  // expect: python-format
  return PyLong_FromLong(count);
}

static PyObject *parse_one(PyObject *self, PyObject *arg) {
  double x = 0;
  if (!PyArg_Parse(arg, "f", &x)) return NULL;  // expect: python-format
  return PyFloat_FromDouble(x);
}

PyObject *build_value(long long big) {
  return Py_BuildValue("i", big);  // expect: python-format
}

PyObject *call_function(PyObject *f, int n) {
  return PyObject_CallFunction(f, "s", n);  // expect: python-format
}

PyObject *call_method(PyObject *o, double x) {
  return PyObject_CallMethod(o, "at", "(l)", x);  // expect: python-format
}

PyObject *ok_calls_with_formats(PyObject *o, int n, double x, const char *s) {
  PyObject *r = PyObject_CallFunction(o, "sid", s, n, x);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyObject_CallMethod(o, "at", "(ld)", (long)n, x);
}

static PyObject *length_with_clean_macro(PyObject *self, PyObject *args) {
  const char *s;
  int n = 0;
  if (!PyArg_ParseTuple(args, "s#", &s, &n)) return NULL;  // expect: python-format
  return PyLong_FromLong(n);
}

static PyObject *ok_length_with_clean_macro(PyObject *self, PyObject *args) {
  const char *s;
  Py_ssize_t n = 0;
  if (!PyArg_ParseTuple(args, "s#", &s, &n)) return NULL;
  return PyLong_FromSsize_t(n);
}

// The type object of O! against the C type of the variable.
static PyObject *type_object_against_variable(PyObject *self, PyObject *args) {
  PyListObject *l = NULL;
  if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &l)) return NULL;  // expect: python-format
  return Py_NewRef((PyObject *)l);
}

static PyObject *ok_type_object_against_variable(PyObject *self, PyObject *args) {
  PyListObject *l = NULL;
  PyObject *d = NULL;
  if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &l, &PyDict_Type, &d)) return NULL;
  return Py_NewRef((PyObject *)l);
}

extern PyTypeObject Count_Type __attribute__((cpychecker_type_object_for_typedef("Count")));

static PyObject *own_type_object_against_variable(PyObject *self, PyObject *args) {
  PyListObject *l = NULL;
  if (!PyArg_ParseTuple(args, "O!", &Count_Type, &l)) return NULL;  // expect: python-format
  return Py_NewRef((PyObject *)l);
}

static PyObject *ok_own_type_object_against_variable(PyObject *self, PyObject *args) {
  Count *c = NULL;
  if (!PyArg_ParseTuple(args, "O!", &Count_Type, &c)) return NULL;
  return PyLong_FromLong(c->left);
}

// ---- argument lists that end in NULL --------------------------------------------------------------------------------

PyObject *string_among_objects(PyObject *f) {
  return PyObject_CallFunctionObjArgs(f, "not an object", NULL);  // expect: python-format
}

PyObject *no_sentinel(PyObject *o, PyObject *name) {
  return PyObject_CallMethodObjArgs(o, name, o);  // expect: python-format
}

PyObject *ok_argument_lists(PyObject *o, PyObject *name) {
  PyObject *r = PyObject_CallFunctionObjArgs(o, name, NULL);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyObject_CallMethodObjArgs(o, name, o, NULL);
}

// ---- method tables --------------------------------------------------------------------------------------------------

static PyObject *two_parameters(PyObject *self, PyObject *args) { Py_RETURN_NONE; }

static PyMethodDef count_methods[] = {  // false-alarm: python-method-table -- rows of a table have no place of their own in the model
    {"display", (PyCFunction)two_parameters, METH_VARARGS | METH_KEYWORDS, NULL},  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model
    {NULL, NULL, 0, NULL},
};

static PyMethodDef unended[] = {  // false-alarm: python-method-table -- rows of a table have no place of their own in the model
    {"display", (PyCFunction)two_parameters, METH_VARARGS, NULL},
};  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model

PyTypeObject Count_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cpychecker.Count",
    .tp_basicsize = sizeof(Count),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_init = (initproc)init_without_exception,
    .tp_new = PyType_GenericNew,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)ok_iternext_without_exception,
    .tp_methods = count_methods,
};
PyTypeObject Unended_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cpychecker.Unended",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = unended,
};

// ---- GIL: released twice, taken back twice --------------------------------------------------------------------------

extern int slow(void);

static PyObject *gil_released_twice(PyObject *self, PyObject *unused) {
  PyThreadState *outer = PyEval_SaveThread();
  int n = slow();
  PyThreadState *inner = PyEval_SaveThread();  // expect: python-gil
  n += slow();
  PyEval_RestoreThread(inner);
  PyEval_RestoreThread(outer);
  return PyLong_FromLong(n);
}

static PyObject *gil_not_taken_back(PyObject *self, PyObject *unused) {
  PyThreadState *state = PyEval_SaveThread();
  int n = slow();
  if (n > 0) PyEval_RestoreThread(state);
  return PyLong_FromLong(n);  // expect: python-gil; maybe: python-gil
}

static PyObject *ok_gil(PyObject *self, PyObject *unused) {
  PyThreadState *state = PyEval_SaveThread();
  int n = slow();
  PyEval_RestoreThread(state);
  return PyLong_FromLong(n);
}

static PyMethodDef methods[] = {
    {"a1", count_too_high, METH_VARARGS, NULL},
    {"a2", count_too_low, METH_VARARGS, NULL},
    {"a3", ok_counts, METH_VARARGS, NULL},
    {"b1", borrowed_by_attribute_returned, METH_NOARGS, NULL},
    {"b2", FP_borrowed_by_attribute_released, METH_NOARGS, NULL},
    {"b3", ok_borrowed_by_attribute, METH_NOARGS, NULL},
    {"c1", null_dereferenced, METH_O, NULL},
    {"c2", null_passed_on, METH_O, NULL},
    {"c3", ok_null_tested, METH_O, NULL},
    {"c4", uninitialised_returned, METH_O, NULL},
    {"c5", ok_initialised, METH_O, NULL},
    {"c6", dead_object_used, METH_NOARGS, NULL},
    {"c7", dead_object_returned, METH_NOARGS, NULL},
    {"d1", null_without_exception, METH_VARARGS, NULL},
    {"d2", value_with_exception, METH_VARARGS, NULL},
    {"d3", ok_raised_by_attribute, METH_NOARGS, NULL},
    {"d4", ok_negative_result_by_attribute, METH_NOARGS, NULL},
    {"d5", positive_result_by_attribute, METH_NOARGS, NULL},
    {"e1", parse_tuple, METH_VARARGS, NULL},
    {"e2", (PyCFunction)(void (*)(void))parse_tuple_and_keywords, METH_VARARGS | METH_KEYWORDS, NULL},
    {"e3", parse_one, METH_O, NULL},
    {"e4", length_with_clean_macro, METH_VARARGS, NULL},
    {"e5", ok_length_with_clean_macro, METH_VARARGS, NULL},
    {"e6", type_object_against_variable, METH_VARARGS, NULL},
    {"e7", ok_type_object_against_variable, METH_VARARGS, NULL},
    {"e8", own_type_object_against_variable, METH_VARARGS, NULL},
    {"e9", ok_own_type_object_against_variable, METH_VARARGS, NULL},
    {"g1", gil_released_twice, METH_NOARGS, NULL},
    {"g2", gil_not_taken_back, METH_NOARGS, NULL},
    {"g3", ok_gil, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "cpychecker", NULL, -1, methods};

PyMODINIT_FUNC PyInit_cpychecker(void) { return PyModule_Create(&module); }
