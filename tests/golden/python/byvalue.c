// Structs that are returned by value: what is in them goes to the caller with the result.
#include "pycompat.h"

typedef struct { PyObject *a, *b; } Both;
typedef struct { PyObject *a, *b, *c; } Three;
typedef struct { PyObject *o; int ok; } Answer;

static Both both_of(PyObject *o) {
  Both r = {NULL, NULL};
  r.a = PyObject_Str(o);
  if (r.a) r.b = PyObject_Repr(o);
  return r;
}
static PyObject *byvalue_ok_both(PyObject *self, PyObject *o) {
  Both r = both_of(o);
  if (!r.b) {
    Py_XDECREF(r.a);
    return NULL;
  }
  return Py_BuildValue("NN", r.a, r.b);
}
static PyObject *byvalue_one_forgotten(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  Both r = both_of(o);
  if (!r.b) return NULL;
  return Py_BuildValue("NN", r.a, r.b);
}

static Three three_of(PyObject *o) {
  Three r = {NULL, NULL, NULL};
  r.a = PyObject_Str(o);
  if (r.a) r.b = PyObject_Repr(o);
  if (r.b) r.c = PyObject_Type(o);
  return r;
}
static PyObject *byvalue_ok_in_memory(PyObject *self, PyObject *o) {
  Three r = three_of(o);
  if (!r.c) {
    Py_XDECREF(r.a);
    Py_XDECREF(r.b);
    return NULL;
  }
  return Py_BuildValue("NNN", r.a, r.b, r.c);
}

static Answer answer(PyObject *o) {
  Answer r = {PyObject_Str(o), 0};
  r.ok = r.o != NULL;
  return r;
}
static PyObject *byvalue_ok_pointer_tested(PyObject *self, PyObject *o) {
  Answer r = answer(o);
  if (r.o == NULL) return NULL;
  return r.o;
}
static PyObject *byvalue_ok_flag_tested(PyObject *self, PyObject *o) {
  Answer r = answer(o);
  if (!r.ok) return NULL;
  return r.o;
}

static PyMethodDef methods[] = {
    {"a", byvalue_ok_both, METH_O, NULL},
    {"b", byvalue_one_forgotten, METH_O, NULL},
    {"c", byvalue_ok_in_memory, METH_O, NULL},
    {"d", byvalue_ok_pointer_tested, METH_O, NULL},
    {"e", byvalue_ok_flag_tested, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
PyMethodDef *byvalue_methods = methods;
