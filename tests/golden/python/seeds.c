// The examples of the papers Reckon builds on, retold: what each says about its example is the expectation here.
// alone
#include <stdlib.h>

#include "pycompat.h"

// ---- Pungi, figure 1: a tuple of the first n numbers; correct -------------------------------------------------------

static PyObject *pungi_fig1_ok_number_tuple(PyObject *self, PyObject *args) {
  int n, i, failed;
  PyObject *numbers = NULL, *number = NULL;
  if (!PyArg_Parse(args, "(i)", &n)) return NULL;
  numbers = PyTuple_New(n);
  if (numbers == NULL) return NULL;
  for (i = 0; i < n; i++) {
    number = PyLong_FromLong(i);
    if (number == NULL) {
      Py_DECREF(numbers);
      return NULL;
    }
    failed = PyTuple_SetItem(numbers, i, number);
    if (failed) {  // the number is gone already
      Py_DECREF(numbers);
      return NULL;
    }
  }
  return numbers;
}

// The two releases that the text calls easy to forget.
static PyObject *pungi_fig1_bad_no_release(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  int n, i;
  PyObject *numbers = NULL, *number = NULL;
  if (!PyArg_Parse(args, "(i)", &n)) return NULL;
  numbers = PyTuple_New(n);
  if (numbers == NULL) return NULL;
  for (i = 0; i < n; i++) {
    number = PyLong_FromLong(i);
    if (number == NULL) return NULL;
    if (PyTuple_SetItem(numbers, i, number)) return NULL;
  }
  return numbers;
}

// ---- Pungi, figure 3: created, never released -----------------------------------------------------------------------

void pungi_fig3_created_and_lost(void) {  // expect-in-function: python-leak
  PyObject *ten = PyLong_FromLong(10);
  if (ten == NULL) return;
  return;
}

void pungi_fig3_ok_released(void) {
  PyObject *ten = PyLong_FromLong(10);
  if (ten == NULL) return;
  Py_DECREF(ten);
  return;
}

// The limit of Pungi's definition: the sum is zero, but the object may die in the middle.
static PyObject *pungi_down_and_up(PyObject *self, PyObject *arg) {
  Py_DECREF(arg);  // expect: python-over-release; maybe: python-use-after-release
  Py_INCREF(arg);  // maybe: python-use-after-release
  Py_RETURN_NONE;
}

// ---- Pungi, figure 8: one helper, two aliased calls; correct --------------------------------------------------------

static void up_and_down(PyObject *up, PyObject *down) {
  Py_IncRef(up);
  Py_DecRef(down);
}

static PyObject *pungi_fig8_ok_aliased_calls(PyObject *self, PyObject *args) {
  PyObject *x1, *x2;
  int which;
  if (!PyArg_ParseTuple(args, "OOi", &x1, &x2, &which)) return NULL;
  if (which)
    up_and_down(x1, x1);
  else
    up_and_down(x2, x2);
  Py_RETURN_NONE;
}

// The same with a phi in place of the call.
static PyObject *pungi_phi_ok_aliased_variables(PyObject *self, PyObject *args) {
  PyObject *x1, *x2, *p1, *p2;
  int which;
  if (!PyArg_ParseTuple(args, "OOi", &x1, &x2, &which)) return NULL;
  if (which) {
    p1 = x1;
    p2 = x1;
  } else {
    p1 = x2;
    p2 = x2;
  }
  Py_IncRef(p1);
  Py_DecRef(p2);
  Py_RETURN_NONE;
}

static PyObject *
pungi_fig8_bad_distinct(PyObject *self, PyObject *args) {  // expect-in-function: python-leak, python-over-release
  PyObject *x1, *x2;
  if (!PyArg_ParseTuple(args, "OO", &x1, &x2)) return NULL;
  up_and_down(x1, x2);
  Py_RETURN_NONE;
}

static PyObject *
pungi_phi_bad_crossed(PyObject *self, PyObject *args) {  // expect-in-function: python-leak, python-over-release
  PyObject *x1, *x2, *p1, *p2;
  int which;
  if (!PyArg_ParseTuple(args, "OOi", &x1, &x2, &which)) return NULL;
  if (which) {
    p1 = x1;
    p2 = x1;
  } else {
    p1 = x1;
    p2 = x2;
  }
  Py_IncRef(p1);
  Py_DecRef(p2);
  Py_RETURN_NONE;
}

// ---- Pungi, figure 9: the reference escapes by the return value; correct --------------------------------------------

PyObject *pungi_fig9_ok_returned(void) {
  PyObject *ten = PyLong_FromLong(10);
  if (ten == NULL) {
    return NULL;
  }
  return ten;
}

// ---- PyRefcon, figure 2: destroyed without its dealloc; correct -----------------------------------------------------

typedef struct {
  PyObject_HEAD
  void *state;
} Encoder;

extern void *encoder_state(int width, int height);

static void encoder_dealloc(Encoder *self) {
  free(self->state);
  PyObject_Free(self);
}

static PyTypeObject Encoder_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "seeds.Encoder",
    .tp_basicsize = sizeof(Encoder),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)encoder_dealloc,
};

static PyObject *pyrefcon_fig2_ok_destroyed(PyObject *self, PyObject *args) {
  int width, height;
  if (!PyArg_ParseTuple(args, "ii", &width, &height)) return NULL;
  Encoder *enc = PyObject_New(Encoder, &Encoder_Type);
  if (enc) {
    enc->state = encoder_state(width, height);
    if (enc->state) return (PyObject *)enc;
    PyObject_Del(enc);
  }
  PyErr_SetString(PyExc_RuntimeError, "no encoder");
  return NULL;
}

// ---- PyRefcon, figure 3: released in the callee and again in the caller ---------------------------------------------

typedef PyObject *(*maker)(Py_ssize_t n);
extern maker make_array;
extern int clear_memory(PyObject *array);

static int fill_with_zeros(PyObject *array) {
  if (clear_memory(array) < 0) {
    Py_DECREF(array);
    return -1;
  }
  return 0;
}

PyObject *FN_pyrefcon_fig3_released_twice(Py_ssize_t n) {
  PyObject *array = make_array(n);  // by a function pointer: new or borrowed is not known until it is released
  if (array == NULL) return NULL;
  if (fill_with_zeros(array) < 0) {
    Py_DECREF(array);  // expect-not-yet: python-over-release|python-use-after-release -- not modelled yet
    return NULL;
  }
  return array;
}

PyObject *pyrefcon_fig3_ok_released_once(Py_ssize_t n) {
  PyObject *array = make_array(n);
  if (array == NULL) return NULL;
  if (fill_with_zeros(array) < 0) return NULL;
  return array;
}

// ---- PyRefcon, figure 6: the transitions into its error states ------------------------------------------------------

extern PyObject *kept;

// Created, released, used.
Py_ssize_t pyrefcon_fig6_used_after_release(PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return -1;
  Py_DECREF(s);
  return PyObject_Length(s);  // expect: python-use-after-release
}

// Created, destroyed by hand, used.
Py_ssize_t pyrefcon_fig6_used_after_destruction(void) {
  Encoder *enc = PyObject_New(Encoder, &Encoder_Type);
  if (enc == NULL) return -1;
  enc->state = NULL;
  PyObject_Del(enc);
  return enc->state != NULL;  // expect: python-memory-use-after-free
}

// Borrowed, released.
int pyrefcon_fig6_borrowed_released(PyObject *tuple) {
  PyObject *first = PyTuple_GetItem(tuple, 0);
  if (first == NULL) return -1;
  Py_DECREF(first);  // expect: python-over-release
  return 0;
}

// Borrowed, made one's own, released.
int pyrefcon_fig6_ok_borrowed_then_owned(PyObject *tuple) {
  PyObject *first = PyTuple_GetItem(tuple, 0);
  if (first == NULL) return -1;
  Py_INCREF(first);
  int n = PyObject_IsTrue(first);
  Py_DECREF(first);
  return n;
}

// Escaped into a global, released once: the global is left with a dead object.
int FN_pyrefcon_fig6_escaped_released(PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return -1;
  kept = s;
  Py_DECREF(s);  // expect-not-yet: python-over-release|python-borrowed-return|python-use-after-release -- not modelled yet
  return 0;
}

int pyrefcon_fig6_ok_escaped_with_reference(PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return -1;
  Py_XSETREF(kept, Py_NewRef(s));
  int n = PyObject_IsTrue(s);
  Py_DECREF(s);
  return n;
}

// Stolen, then read through the old pointer: PyRefcon calls this a threat; while the tuple is alive and holds
// it, it is not wrong (idiom B02), and this is what is expected here.
PyObject *pyrefcon_fig6_ok_read_after_steal(PyObject *o) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  PyObject *s = PyObject_Str(o);
  if (s == NULL) {
    Py_DECREF(t);
    return NULL;
  }
  PyTuple_SET_ITEM(t, 0, s);
  if (PyObject_Length(s) < 0) {
    Py_DECREF(t);
    return NULL;
  }
  return t;
}

// Stolen, the tuple gone, then read.
Py_ssize_t pyrefcon_fig6_read_after_owner_died(PyObject *o) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return -1;
  PyObject *s = PyObject_Str(o);
  if (s == NULL) {
    Py_DECREF(t);
    return -1;
  }
  PyTuple_SET_ITEM(t, 0, s);
  Py_DECREF(t);
  return PyObject_Length(s);  // expect: python-use-after-release
}

// All pointers gone, one reference left.
int pyrefcon_fig6_pruned(PyObject *o) {  // expect-in-function: python-leak
  PyObject *s = PyObject_Str(o);
  if (s == NULL) return -1;
  s = NULL;
  return 0;
}

// ---- cpychecker's first example: a list of random numbers, made badly -----------------------------------------------

static PyObject *cpychecker_list_of_random_ints(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *list;
  long count, i;
  if (!PyArg_ParseTuple(args, "i", &count)) {  // expect: python-format
    return NULL;
  }
  list = PyList_New(0);
  for (i = 0; i < count; i++) {
    PyObject *item = PyLong_FromLong(random());
    PyList_Append(list, item);  // expect: python-null-arg; maybe: python-exception-set
  }
  return list;  // maybe: python-exception-set
}

static PyObject *cpychecker_ok_list_of_random_ints(PyObject *self, PyObject *args) {
  PyObject *list;
  int count, i;
  if (!PyArg_ParseTuple(args, "i", &count)) {
    return NULL;
  }
  list = PyList_New(0);
  if (list == NULL) return NULL;
  for (i = 0; i < count; i++) {
    PyObject *item = PyLong_FromLong(random());
    if (item == NULL || PyList_Append(list, item) < 0) {
      Py_XDECREF(item);
      Py_DECREF(list);
      return NULL;
    }
    Py_DECREF(item);
  }
  return list;
}

// ---- RID, 5.1 and 6.6: predefined summaries and inconsistent path pairs on Python objects ---------------------------

// PyErr_SetObject takes its own references to type and value; the caller's stays the caller's.
static PyObject *rid_set_object_takes_its_own(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  PyObject *v = Py_BuildValue("(sO)", "bad", o);
  if (v == NULL) return NULL;
  PyErr_SetObject(PyExc_ValueError, v);
  return NULL;
}

// Two ways to the same -1, one of which keeps a reference to the parameter.
int rid_inconsistent_pair(PyObject *queue, PyObject *item) {  // expect-in-function: python-leak
  Py_INCREF(item);
  if (!PyList_Check(queue)) {
    PyErr_SetString(PyExc_TypeError, "not a list");
    return -1;
  }
  if (PyList_Append(queue, item) < 0) {
    Py_DECREF(item);
    return -1;
  }
  Py_DECREF(item);
  return 0;
}

int rid_ok_consistent(PyObject *queue, PyObject *item) {
  Py_INCREF(item);
  if (!PyList_Check(queue)) {
    Py_DECREF(item);
    PyErr_SetString(PyExc_TypeError, "not a list");
    return -1;
  }
  int rc = PyList_Append(queue, item);
  Py_DECREF(item);
  return rc;
}

// A variable assigned at several places: what SSA form makes easy.
static PyObject *FN_rid_variable_assigned_twice(PyObject *self, PyObject *o) {  // expect-not-yet: python-leak -- not modelled yet
  PyObject *r = PyObject_GetAttrString(o, "first");
  if (r == NULL) return NULL;
  if (r == Py_None) {
    r = PyObject_GetAttrString(o, "second");
    if (r == NULL) return NULL;
  }
  return r;
}

static PyMethodDef methods[] = {
    {"fig1", pungi_fig1_ok_number_tuple, METH_VARARGS, NULL},
    {"fig1_bad", pungi_fig1_bad_no_release, METH_VARARGS, NULL},
    {"down_up", pungi_down_and_up, METH_O, NULL},
    {"fig8", pungi_fig8_ok_aliased_calls, METH_VARARGS, NULL},
    {"phi", pungi_phi_ok_aliased_variables, METH_VARARGS, NULL},
    {"fig8_bad", pungi_fig8_bad_distinct, METH_VARARGS, NULL},
    {"phi_bad", pungi_phi_bad_crossed, METH_VARARGS, NULL},
    {"fig2", pyrefcon_fig2_ok_destroyed, METH_VARARGS, NULL},
    {"random", cpychecker_list_of_random_ints, METH_VARARGS, NULL},
    {"random_ok", cpychecker_ok_list_of_random_ints, METH_VARARGS, NULL},
    {"rid_set", rid_set_object_takes_its_own, METH_O, NULL},
    {"rid_twice", FN_rid_variable_assigned_twice, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "seeds", NULL, -1, methods};

PyMODINIT_FUNC PyInit_seeds(void) {
  if (PyType_Ready(&Encoder_Type) < 0) return NULL;
  return PyModule_Create(&module);
}
