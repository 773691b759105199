// Immortal objects, critical sections and the GIL: idioms I01, I02, I06 and I07.
// alone
#include <stdlib.h>

#include "pycompat.h"

// ---- I01: None or True returned without a new reference -------------------------------------------------------------
// Over-released before 3.12; immortal and so harmless from there on, where nothing is said.

extern int lookup(PyObject *o);

static PyObject *I01_true_without_reference(PyObject *self, PyObject *o) {
  int found = lookup(o);
  PyObject *r = found ? Py_True : Py_False;
  return r;  // expect: python-borrowed-return until 3.11; maybe: python-borrowed-return until 3.11
}

static PyObject *I01_none_without_reference(PyObject *self, PyObject *o) {
  lookup(o);
  return Py_None;  // expect: python-borrowed-return until 3.11
}

static PyObject *I01_none_released(PyObject *self, PyObject *args) {
  PyObject *x = Py_None;
  if (!PyArg_ParseTuple(args, "|O", &x)) return NULL;
  int n = lookup(x);
  if (x == Py_None) Py_DECREF(x);  // expect: python-over-release
  return PyLong_FromLong(n);
}

static PyObject *I01_ok_true_with_reference(PyObject *self, PyObject *o) {
  int found = lookup(o);
  PyObject *r = found ? Py_True : Py_False;
  Py_INCREF(r);
  return r;
}

static PyObject *I01_ok_return_macros(PyObject *self, PyObject *o) {
  if (lookup(o)) Py_RETURN_TRUE;
  if (lookup(self)) Py_RETURN_FALSE;
  Py_RETURN_NONE;
}

// A small int stays a leak by contract, whatever its lifetime.
static PyObject *I01_small_int_leaked(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  PyObject *one = PyLong_FromLong(1);
  if (one == NULL) return NULL;
  return PyNumber_Add(o, one);
}

// ---- I02: INCREF of a static type without a release -----------------------------------------------------------------

static PyTypeObject Box_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "immortal.Box",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static struct PyModuleDef plain_def = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, NULL};

PyObject *I02_ok_static_type_added(void) {
  if (PyType_Ready(&Box_Type) < 0) return NULL;
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  Py_INCREF(&Box_Type);
  PyModule_AddObject(m, "Box", (PyObject *)&Box_Type);  // maybe: python-exception-set -- its status is ignored
  return m;
}

// A heap type is an object like any other.
static PyType_Slot no_slots[] = {{0, NULL}};
static PyType_Spec heap_spec = {"immortal.Heap", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, no_slots};

int I02_bad_heap_type_added(PyObject *m) {  // expect-in-function: python-leak
  PyObject *t = PyType_FromSpec(&heap_spec);
  if (t == NULL) return -1;
  Py_INCREF(t);
  if (PyModule_AddObject(m, "Heap", t) < 0) {
    Py_DECREF(t);
    Py_DECREF(t);
    return -1;
  }
  return 0;
}

// ---- I06: leaving a critical section early --------------------------------------------------------------------------
// The macros of 3.13 are empty in builds with the lock: there is nothing to leave early then.

typedef struct {
  PyObject_HEAD
  PyObject *x;
  PyObject *last;
} Slot;

static PyObject *I06_return_inside_section(Slot *self, PyObject *unused) {
  PyObject *r;
  Py_BEGIN_CRITICAL_SECTION(self);
  if (self->x == NULL) {
    PyErr_SetString(PyExc_AttributeError, "x");
    return NULL;  // expect: python-section-leak until 3.12
  }
  r = Py_NewRef(self->x);
  Py_END_CRITICAL_SECTION();
  return r;
}

static PyObject *
I06_goto_out_of_section(Slot *self, PyObject *unused) {  // expect-in-function: python-section-leak until 3.12
  PyObject *r = NULL;
  Py_BEGIN_CRITICAL_SECTION(self);
  if (self->x == NULL) {
    PyErr_SetString(PyExc_AttributeError, "x");
    goto done;
  }
  r = Py_NewRef(self->x);
  Py_END_CRITICAL_SECTION();
done:
  return r;
}

static PyObject *I06_ok_return_after_section(Slot *self, PyObject *unused) {
  PyObject *r;
  Py_BEGIN_CRITICAL_SECTION(self);
  r = Py_XNewRef(self->x);
  Py_END_CRITICAL_SECTION();
  if (r == NULL) PyErr_SetString(PyExc_AttributeError, "x");
  return r;
}

extern int work(int h);

static PyObject *I06_return_without_gil(Slot *self, PyObject *args) {
  int h, n;
  if (!PyArg_ParseTuple(args, "i", &h)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  n = work(h);
  if (n < 0) return NULL;  // expect: python-gil; maybe: python-missing-exception
  Py_END_ALLOW_THREADS
  return PyLong_FromLong(n);
}

static PyObject *I06_ok_block_threads_before_return(Slot *self, PyObject *args) {
  int h, n;
  if (!PyArg_ParseTuple(args, "i", &h)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  n = work(h);
  if (n < 0) {
    Py_BLOCK_THREADS
    return PyErr_Format(PyExc_OSError, "work %d", n);
  }
  Py_END_ALLOW_THREADS
  return PyLong_FromLong(n);
}

// ---- I07: Python objects touched without the GIL --------------------------------------------------------------------

static PyObject *I07_clear_without_gil(Slot *self, PyObject *args) {
  int h, n;
  if (!PyArg_ParseTuple(args, "i", &h)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  n = work(h);
  Py_CLEAR(self->last);  // expect: python-gil
  Py_END_ALLOW_THREADS
  return PyLong_FromLong(n);
}

static PyObject *I07_call_without_gil(Slot *self, PyObject *args) {
  int h, n;
  if (!PyArg_ParseTuple(args, "i", &h)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  n = work(h);
  if (n < 0) PyErr_SetString(PyExc_OSError, "work");  // expect: python-gil
  Py_END_ALLOW_THREADS
  if (n < 0) return NULL;
  return PyLong_FromLong(n);
}

static PyObject *I07_ok_clear_with_gil(Slot *self, PyObject *args) {
  int h, n;
  if (!PyArg_ParseTuple(args, "i", &h)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  n = work(h);
  Py_END_ALLOW_THREADS
  Py_CLEAR(self->last);
  return PyLong_FromLong(n);
}

extern unsigned checksum(const void *p, Py_ssize_t n);

// Plain C data of an object that is held.
static PyObject *I07_ok_buffer_read_without_gil(Slot *self, PyObject *args) {
  Py_buffer b;
  unsigned sum;
  if (!PyArg_ParseTuple(args, "y*", &b)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  sum = checksum(b.buf, b.len);
  Py_END_ALLOW_THREADS
  PyBuffer_Release(&b);
  return PyLong_FromUnsignedLong(sum);
}

static PyObject *I07_ok_gil_taken_back(Slot *self, PyObject *args) {
  int h, n;
  if (!PyArg_ParseTuple(args, "i", &h)) return NULL;
  Py_BEGIN_ALLOW_THREADS
  n = work(h);
  Py_BLOCK_THREADS
  Py_CLEAR(self->last);
  Py_UNBLOCK_THREADS
  n += work(h);
  Py_END_ALLOW_THREADS
  return PyLong_FromLong(n);
}

static void slot_dealloc(Slot *self) {
  Py_XDECREF(self->x);
  Py_XDECREF(self->last);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef slot_methods[] = {
    {"i06", (PyCFunction)I06_return_inside_section, METH_NOARGS, NULL},
    {"i06_goto", (PyCFunction)I06_goto_out_of_section, METH_NOARGS, NULL},
    {"i06_ok", (PyCFunction)I06_ok_return_after_section, METH_NOARGS, NULL},
    {"i06_gil", (PyCFunction)I06_return_without_gil, METH_VARARGS, NULL},
    {"i06_gil_ok", (PyCFunction)I06_ok_block_threads_before_return, METH_VARARGS, NULL},
    {"i07", (PyCFunction)I07_clear_without_gil, METH_VARARGS, NULL},
    {"i07_call", (PyCFunction)I07_call_without_gil, METH_VARARGS, NULL},
    {"i07_ok", (PyCFunction)I07_ok_clear_with_gil, METH_VARARGS, NULL},
    {"i07_ok2", (PyCFunction)I07_ok_buffer_read_without_gil, METH_VARARGS, NULL},
    {"i07_ok3", (PyCFunction)I07_ok_gil_taken_back, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject Slot_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "immortal.Slot",
    .tp_basicsize = sizeof(Slot),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)slot_dealloc,
    .tp_methods = slot_methods,
};

static PyMethodDef methods[] = {
    {"i01", I01_true_without_reference, METH_O, NULL},
    {"i01_none", I01_none_without_reference, METH_O, NULL},
    {"i01_rel", I01_none_released, METH_VARARGS, NULL},
    {"i01_ok", I01_ok_true_with_reference, METH_O, NULL},
    {"i01_ok2", I01_ok_return_macros, METH_O, NULL},
    {"i01_small", I01_small_int_leaked, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "immortal", NULL, -1, methods};

PyMODINIT_FUNC PyInit_immortal(void) {
  if (PyType_Ready(&Slot_Type) < 0) return NULL;
  return PyModule_Create(&module);
}
