// Names of Python 2 that are still met: they compile against 2.7, and against newer headers as plain declarations.
// alone
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#if PY_MAJOR_VERSION >= 3
extern PyObject *PyInt_FromLong(long n);
extern long PyInt_AsLong(PyObject *o);
extern PyObject *PyString_FromString(const char *s);
extern PyObject *PyString_FromStringAndSize(const char *s, Py_ssize_t n);
extern PyObject *PyString_FromFormat(const char *format, ...);
extern char *PyString_AsString(PyObject *o);
extern int _PyString_Resize(PyObject **s, Py_ssize_t n);
extern void PyString_Concat(PyObject **s, PyObject *w);
extern void PyString_ConcatAndDel(PyObject **s, PyObject *w);
extern PyObject *PyCObject_FromVoidPtr(void *p, void (*drop)(void *));
extern void *PyCObject_AsVoidPtr(PyObject *o);
extern PyObject *PyNumber_Int(PyObject *o);
extern PyObject *PyNumber_Divide(PyObject *a, PyObject *b);
#endif

static PyObject *int_into_dict(PyObject *self, PyObject *d) {  // expect-in-function: python-leak
  if (PyDict_SetItemString(d, "n", PyInt_FromLong(5000)) < 0) return NULL;  // expect: python-null-arg
  Py_INCREF(Py_None);
  return Py_None;
}

static PyObject *ok_int_into_dict(PyObject *self, PyObject *d) {
  PyObject *n = PyInt_FromLong(5000);
  if (n == NULL) return NULL;
  int rc = PyDict_SetItemString(d, "n", n);
  Py_DECREF(n);
  if (rc < 0) return NULL;
  Py_INCREF(Py_None);
  return Py_None;
}

static PyObject *as_string_of_null(PyObject *self, PyObject *o) {
  PyObject *r = PyObject_Repr(o);
  PyObject *copy = PyString_FromString(PyString_AsString(r));  // expect: python-null-arg; maybe: python-null-arg
  Py_XDECREF(r);
  return copy;
}

static PyObject *ok_as_long(PyObject *self, PyObject *o) {
  PyObject *i = PyNumber_Int(o);
  if (i == NULL) return NULL;
  long n = PyInt_AsLong(i);
  Py_DECREF(i);
  if (n == -1 && PyErr_Occurred()) return NULL;
  return PyInt_FromLong(n + 1);
}

static PyObject *quotient_lost(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "OO", &a, &b)) return NULL;
  PyObject *q = PyNumber_Divide(a, b);
  if (q == NULL) return NULL;
  return PyObject_Str(q);
}

extern int encode(char *to, Py_ssize_t cap);

static PyObject *ok_string_resize(PyObject *self, PyObject *args) {
  Py_ssize_t cap;
  if (!PyArg_ParseTuple(args, "n", &cap)) return NULL;
  PyObject *s = PyString_FromStringAndSize(NULL, cap);
  if (s == NULL) return NULL;
  char *p = PyString_AsString(s);
  if (p == NULL) {
    Py_DECREF(s);
    return NULL;
  }
  if (_PyString_Resize(&s, encode(p, cap)) < 0) return NULL;
  return s;
}

static PyObject *ok_string_concat(PyObject *self, PyObject *o) {
  PyObject *s = PyString_FromString("value: ");
  if (s == NULL) return NULL;
  PyString_ConcatAndDel(&s, PyObject_Str(o));
  return s;
}

static PyObject *concat_keeps_the_second(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  PyObject *s = PyString_FromString("value: ");
  if (s == NULL) return NULL;
  PyString_Concat(&s, PyObject_Str(o));
  return s;
}

static PyObject *format_mismatch(PyObject *self, PyObject *args) {
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "n", &n)) return NULL;
  return PyString_FromFormat("%s", n);  // expect: python-format
}

static int table[4];

int capsule_lost(PyObject *m) {  // expect-in-function: python-leak
  PyObject *c = PyCObject_FromVoidPtr(table, NULL);
  if (c == NULL) return -1;
  return PyObject_SetAttrString(m, "_table", c);
}

int ok_capsule(PyObject *m) {
  PyObject *c = PyCObject_FromVoidPtr(table, NULL);
  if (c == NULL) return -1;
  if (PyModule_AddObject(m, "_table", c) < 0) {
    Py_DECREF(c);
    return -1;
  }
  return 0;
}

void *ok_capsule_read(PyObject *m) {
  PyObject *c = PyObject_GetAttrString(m, "_table");
  if (c == NULL) return NULL;
  void *p = PyCObject_AsVoidPtr(c);
  Py_DECREF(c);
  return p;
}

static PyMethodDef methods[] = {
    {"a", int_into_dict, METH_O, NULL},
    {"b", ok_int_into_dict, METH_O, NULL},
    {"c", as_string_of_null, METH_O, NULL},
    {"d", ok_as_long, METH_O, NULL},
    {"e", quotient_lost, METH_VARARGS, NULL},
    {"f", ok_string_resize, METH_VARARGS, NULL},
    {"g", ok_string_concat, METH_O, NULL},
    {"h", concat_keeps_the_second, METH_O, NULL},
    {"i", format_mismatch, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

#if PY_MAJOR_VERSION >= 3
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "legacy", NULL, -1, methods};
PyMODINIT_FUNC PyInit_legacy(void) { return PyModule_Create(&module); }
#else
PyMODINIT_FUNC initlegacy(void) { Py_InitModule("legacy", methods); }
#endif
