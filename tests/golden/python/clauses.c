// Calls with an exception set, numbers returned with one, optional arguments that stay NULL, arguments left in globals,
// functions that stand in no table.
// alone
#include <stdlib.h>

#include "pycompat.h"

// ---- the C API called while an exception is set ---------------------------------------------------------------------

static PyObject *str_after_raise(PyObject *self, PyObject *o) {
  PyErr_SetString(PyExc_ValueError, "bad");
  PyObject *text = PyObject_Str(o);  // expect: python-exception-set
  Py_XDECREF(text);
  return NULL;
}

static PyObject *repr_after_failure(PyObject *self, PyObject *o) {
  PyObject *value = PyObject_GetAttrString(o, "value");
  if (value == NULL) {
    PyObject *text = PyObject_Repr(o);  // expect: python-exception-set
    Py_XDECREF(text);
    return NULL;
  }
  return value;
}

static PyObject *ok_cleared_before(PyObject *self, PyObject *o) {
  PyObject *value = PyObject_GetAttrString(o, "value");
  if (value == NULL) {
    PyErr_Clear();
    return PyObject_Repr(o);
  }
  return value;
}

static PyObject *ok_kept_aside(PyObject *self, PyObject *o) {
  PyObject *type, *value, *traceback;
  PyErr_SetString(PyExc_ValueError, "bad");
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *text = PyObject_Str(o);
  Py_XDECREF(text);
  PyErr_Restore(type, value, traceback);
  return NULL;
}

static PyObject *ok_only_released(PyObject *self, PyObject *o) {
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  if (PyList_Append(list, o) < 0) {
    Py_DECREF(list);
    return NULL;
  }
  return list;
}

PyMethodDef exception_methods[] = {
    {"a", str_after_raise, METH_O, NULL},  {"b", repr_after_failure, METH_O, NULL}, {"c", ok_cleared_before, METH_O, NULL},
    {"d", ok_kept_aside, METH_O, NULL},    {"e", ok_only_released, METH_O, NULL},   {NULL, NULL, 0, NULL},
};

// ---- a number that means success, with an exception set -------------------------------------------------------------

static int init_ignores_failure(PyObject *self, PyObject *args, PyObject *kwargs) {
  PyObject *text = PyObject_Str(args);
  Py_XDECREF(text);
  return 0;  // expect: python-exception-set
}
static PyTypeObject Ignoring_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Ignoring", .tp_init = init_ignores_failure};

static int ok_init_passes_it_on(PyObject *self, PyObject *args, PyObject *kwargs) {
  PyObject *text = PyObject_Str(args);
  if (text == NULL) return -1;
  Py_DECREF(text);
  return 0;
}
static PyTypeObject Careful_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Careful", .tp_init = ok_init_passes_it_on};
int ready_types(void) { return PyType_Ready(&Ignoring_Type) < 0 || PyType_Ready(&Careful_Type) < 0; }

// ---- failures nobody asks about --------------------------------------------------------------------------------------

PyObject *append_and_go_on(PyObject *o) {
  PyObject *r = PyList_New(0);
  if (!r) return NULL;
  PyList_Append(r, o);  // expect: python-exception-set
  return r;
}

static void set_quietly(PyObject *d, PyObject *v) {
  PyDict_SetItemString(d, "v", v);
}

PyObject *ok_caller_asks(PyObject *v) {
  PyObject *d = PyDict_New();
  if (!d) return NULL;
  set_quietly(d, v);
  if (PyErr_Occurred()) Py_CLEAR(d);
  return d;
}

void ok_dropped(PyObject *d, PyObject *v) {
  if (PyDict_SetItemString(d, "v", v) < 0) PyErr_Clear();
}

static PyObject *both_before_asking(PyObject *self, PyObject *o) {
  PyObject *a = PyObject_GetAttrString(o, "a");
  PyObject *b = PyObject_GetAttrString(o, "b");  // expect: python-exception-set
  if (!a || !b) {
    Py_XDECREF(a);
    Py_XDECREF(b);
    return NULL;
  }
  PyObject *r = PyNumber_Add(a, b);
  Py_DECREF(a);
  Py_DECREF(b);
  return r;
}

static PyObject *ok_one_after_the_other(PyObject *self, PyObject *o) {
  PyObject *a = PyObject_GetAttrString(o, "a");
  PyObject *b = a ? PyObject_GetAttrString(o, "b") : NULL;
  PyObject *r = b ? PyNumber_Add(a, b) : NULL;
  Py_XDECREF(a);
  Py_XDECREF(b);
  return r;
}

PyMethodDef asking_methods[] = {
    {"a", both_before_asking, METH_O, NULL},
    {"b", ok_one_after_the_other, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- optional arguments ---------------------------------------------------------------------------------------------

static PyObject *optional_kept(PyObject *self, PyObject *args) {
  PyObject *o = NULL;
  if (!PyArg_ParseTuple(args, "|O", &o)) return NULL;
  Py_INCREF(o);  // expect: python-null-arg|python-null-deref
  return o;
}

static PyObject *optional_text(PyObject *self, PyObject *args) {
  const char *s = NULL;
  if (!PyArg_ParseTuple(args, "|s", &s)) return NULL;
  return PyLong_FromLong(s[0]);  // expect: python-null-deref
}

static PyObject *none_for_text(PyObject *self, PyObject *args) {
  const char *s;
  if (!PyArg_ParseTuple(args, "z", &s)) return NULL;
  return PyLong_FromLong(s[0]);  // expect: python-null-deref
}

static PyObject *ok_none_for_text_tested(PyObject *self, PyObject *args) {
  const char *s, *t = NULL;
  if (!PyArg_ParseTuple(args, "z|s", &s, &t)) return NULL;
  return PyLong_FromLong((s ? s[0] : 0) + (t != NULL ? t[0] : 0));
}

static PyObject *ok_optional_tested(PyObject *self, PyObject *args) {
  PyObject *o = NULL;
  if (!PyArg_ParseTuple(args, "|O", &o)) return NULL;
  if (o == NULL) Py_RETURN_NONE;
  Py_INCREF(o);
  return o;
}

static PyObject *ok_not_optional(PyObject *self, PyObject *args) {
  PyObject *o = NULL, *p = NULL;
  if (!PyArg_ParseTuple(args, "O|O", &o, &p)) return NULL;
  Py_XINCREF(p);
  Py_XDECREF(p);
  Py_INCREF(o);
  return o;
}

static PyObject *unpacked_not_given(PyObject *self, PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_UnpackTuple(args, "f", 1, 2, &a, &b)) return NULL;
  return PyObject_Str(b);  // expect: python-uninit
}

static PyObject *ok_unpacked_both(PyObject *self, PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_UnpackTuple(args, "f", 2, 2, &a, &b)) return NULL;
  return PyObject_Str(b);
}

PyMethodDef optional_methods[] = {
    {"a", optional_kept, METH_VARARGS, NULL},   {"b", ok_optional_tested, METH_VARARGS, NULL},
    {"h", optional_text, METH_VARARGS, NULL},   {"i", none_for_text, METH_VARARGS, NULL},
    {"j", ok_none_for_text_tested, METH_VARARGS, NULL},
    {"c", ok_not_optional, METH_VARARGS, NULL}, {"d", unpacked_not_given, METH_VARARGS, NULL},
    {"e", ok_unpacked_both, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL},
};

// ---- arguments left in globals --------------------------------------------------------------------------------------

static PyObject *callback;

static PyObject *set_callback(PyObject *self, PyObject *args) {
  PyObject *function;
  if (!PyArg_ParseTuple(args, "O", &function)) return NULL;
  callback = function;  // expect: python-borrowed-return
  Py_RETURN_NONE;
}

static PyObject *other_callback;

static PyObject *ok_set_callback(PyObject *self, PyObject *args) {
  PyObject *function;
  if (!PyArg_ParseTuple(args, "O", &function)) return NULL;
  Py_INCREF(function);
  Py_XDECREF(other_callback);
  other_callback = function;
  Py_RETURN_NONE;
}

static PyObject *current;

static PyObject *ok_only_during_the_call(PyObject *self, PyObject *o) {
  current = o;
  PyObject *result = PyObject_Str(o);
  current = NULL;
  return result;
}

static PyObject *call_it(PyObject *self, PyObject *unused) {
  PyObject *f = callback ? callback : other_callback ? other_callback : current;
  return f ? PyObject_CallObject(f, NULL) : PyObject_Str(self);
}

PyMethodDef callback_methods[] = {
    {"a", set_callback, METH_VARARGS, NULL},   {"b", ok_set_callback, METH_VARARGS, NULL},
    {"c", ok_only_during_the_call, METH_O, NULL}, {"d", call_it, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- functions that stand in no table -------------------------------------------------------------------------------

PyObject *parses_and_fails_silently(PyObject *self, PyObject *args) {
  int n;
  if (!PyArg_ParseTuple(args, "i", &n)) return NULL;
  if (n < 0) return NULL;  // expect: python-missing-exception
  Py_RETURN_NONE;
}

PyObject *parses_and_returns_it(PyObject *self, PyObject *args) {
  PyObject *o;
  if (!PyArg_ParseTuple(args, "O", &o)) return NULL;
  return o;  // expect: python-borrowed-return
}

#if PY_MAJOR_VERSION >= 3
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "x"};

PyMODINIT_FUNC PyInit_x(void) {
  PyObject *m = PyModule_Create(&definition);
  if (m == NULL) return NULL;
  if (getenv("NO_X")) {
    Py_DECREF(m);
    return NULL;  // expect: python-missing-exception since 3.8
  }
  return m;
}

PyMODINIT_FUNC PyInit_y(void) { return PyModuleDef_Init(&definition); }
#else
int missing_exception_of_init;  // nothing to find: init functions return nothing
#endif

// ---- arrays of arguments --------------------------------------------------------------------------------------------

#if PY_VERSION_HEX >= 0x03080000
static PyObject *releases_argument(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  if (n != 1) return PyErr_Format(PyExc_TypeError, "one argument");
  Py_DECREF(args[0]);  // expect: python-over-release since 3.8
  Py_RETURN_NONE;
}

static PyObject *ok_takes_and_releases(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  if (n != 1) return PyErr_Format(PyExc_TypeError, "one argument");
  Py_INCREF(args[0]);
  Py_DECREF(args[0]);
  Py_RETURN_NONE;
}

PyMethodDef fast_methods[] = {
    {"a", (PyCFunction)(void (*)(void))releases_argument, METH_FASTCALL, NULL},
    {"b", (PyCFunction)(void (*)(void))ok_takes_and_releases, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
#endif

// ---- what functions in tables return --------------------------------------------------------------------------------

static int returns_number(PyObject *self, PyObject *o) { return 1; }
PyMethodDef wrong_result[] = {  // expect: python-method-table
    {"a", (PyCFunction)(void (*)(void))returns_number, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- formats --------------------------------------------------------------------------------------------------------

PyObject *key_without_value(int a) { return Py_BuildValue("{s:i,s}", "a", a, "b"); }  // expect: python-format
PyObject *ok_nested(int a) { return Py_BuildValue("{s:i,s:{s:(ii)}}", "a", a, "b", "c", a, a); }
PyObject *ok_empty(void) { return Py_BuildValue("{}"); }

int dollar_first(PyObject *args, PyObject *kwargs) {
  static char *names[] = {"a", "b", NULL};
  int a, b;
  return PyArg_ParseTupleAndKeywords(args, kwargs, "$i|i", names, &a, &b);  // expect: python-format
}
int ok_bar_first(PyObject *args, PyObject *kwargs) {
  static char *names[] = {"a", "b", NULL};
  int a, b = 0;
  return PyArg_ParseTupleAndKeywords(args, kwargs, "i|$i", names, &a, &b);
}

// A failed call that is followed by another one, and forgotten: told where success is returned.
static PyObject *failure_forgotten(PyObject *self, PyObject *args) {
  PyObject *a, *b;
  int n = 0;
  if (!PyArg_ParseTuple(args, "OO", &a, &b)) return NULL;
  if (PyObject_IsTrue(a)) n |= 1;
  if (PyObject_IsTrue(b)) n |= 2;  // maybe: python-exception-set
  return PyLong_FromLong(n + 1000);  // expect: python-exception-set
}
static PyMethodDef forgetting[] = {{"f", failure_forgotten, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
PyMethodDef *forgetting_methods(void) { return forgetting; }

// A module is not given NULL: that fails, whatever made it NULL.
static int ok_added_or_failed(PyObject *m) {
  PyObject *text = PyUnicode_FromString("text");
  if (PyModule_AddObjectRef(m, "text", text) < 0) {
    Py_XDECREF(text);
    return -1;
  }
  Py_DECREF(text);
  return 0;
}
static PyModuleDef_Slot added_slots[] = {{Py_mod_exec, ok_added_or_failed}, {0, NULL}};
static struct PyModuleDef added_module = {PyModuleDef_HEAD_INIT, "added", NULL, 0, NULL, added_slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_added(void) { return PyModuleDef_Init(&added_module); }
