// What is left out by default: true, but without effect, or resting on something out of sight. Each stands beside a
// neighbour that is told.
// flags: --confidence medium
// alone
#include <stdlib.h>

#include "pycompat.h"

// ---- objects that are there anyway ----------------------------------------------------------------------------------

// Before 3.12 its count is lost, and no memory; from there on it has none.
static PyObject *ready_small_int_leaked(PyObject *self, PyObject *o) {
  PyObject *one = PyLong_FromLong(1);
  if (one == NULL) return NULL;
  return PyNumber_Add(o, one);
}

static int ready_small_int_lost(PyObject *d) {
  return PyDict_SetItemString(d, "k", PyLong_FromLong(1));
}

// A count lost only when something else fails is not worth a word.
static int ready_small_int_leaked_on_failure(PyObject *d) {
  PyObject *one = PyLong_FromLong(1);
  if (PyDict_SetItemString(d, "one", one) < 0) return -1;
  Py_DECREF(one);
  return 0;
}

static PyObject *ready_large_int_leaked(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  PyObject *many = PyLong_FromLong(100000);
  if (many == NULL) return NULL;
  return PyNumber_Add(o, many);
}

// The first of many is small, the others need not be.
static PyObject *ready_only_at_first(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  long n;
  if (!PyArg_ParseTuple(args, "l", &n)) return NULL;
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  for (long i = 0; i < n; i++) {
    PyObject *item = PyLong_FromLong(i);
    if (item == NULL || PyList_Append(list, item) < 0) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

// Neither can it fail.
static int ready_small_int_unchecked(PyObject *d) {
  PyObject *one = PyLong_FromLong(1);
  int r = PyDict_SetItemString(d, "one", one);
  Py_DECREF(one);
  return r;
}

static int ready_large_int_unchecked(PyObject *d) {
  PyObject *many = PyLong_FromLong(100000);
  int r = PyDict_SetItemString(d, "many", many);  // expect: python-null-arg
  Py_DECREF(many);
  return r;
}

static int ready_any_int_unchecked(PyObject *d, long v) {
  PyObject *it = PyLong_FromLong(v);
  int r = PyDict_SetItemString(d, "it", it);  // expect: python-null-arg
  Py_DECREF(it);
  return r;
}

// All bits set is the largest number there is, not minus one.
static PyObject *ready_largest_leaked(PyObject *self, PyObject *o) {  // expect-in-function: python-leak
  PyObject *all = PyLong_FromUnsignedLong(-1ul);
  if (all == NULL) return NULL;
  return PyNumber_Add(o, all);
}

// Through a function that hands its argument on.
static PyObject *number(int v) { return PyLong_FromLong(v); }

static int ready_by_helper(PyObject *d) {
  return PyDict_SetItemString(d, "two", number(2));
}

static int ready_by_helper_not(PyObject *d) {  // expect-in-function: python-leak
  return PyDict_SetItemString(d, "many", number(4711));  // expect: python-null-arg
}

static int ready_bool_lost(PyObject *d, int yes) {
  return PyDict_SetItemString(d, "yes", PyBool_FromLong(yes));
}

// ---- formats that are wrong and work all the same -------------------------------------------------------------------

static PyObject *format_wider_number(PyObject *self, PyObject *o) {
  Py_ssize_t n = PyList_GET_SIZE(o);
  return Py_BuildValue("i", n);
}

static PyObject *format_narrower_number(PyObject *self, PyObject *o) {
  int n = (int)PyList_GET_SIZE(o);
  return Py_BuildValue("n", n);  // expect: python-format
}

static PyObject *format_one_too_many(PyObject *self, PyObject *o) {
  return PyErr_Format(PyExc_ValueError, "no %R", o, self);
}

static PyObject *format_one_too_few(PyObject *self, PyObject *o) {
  return PyErr_Format(PyExc_ValueError, "no %R, no %R", o);  // expect: python-format
}

// ---- functions that take less than they are given -------------------------------------------------------------------

static PyObject *takes_none(PyObject *self) { Py_RETURN_NONE; }
static PyObject *takes_two(PyObject *self, PyObject *args) { Py_RETURN_NONE; }
static PyObject *takes_three(PyObject *self, PyObject *args, PyObject *kw) { return Py_BuildValue("O", kw); }

PyMethodDef graded_methods[] = {  // expect: python-method-table, python-method-table
    {"less", (PyCFunction)takes_two, METH_VARARGS | METH_KEYWORDS, NULL},  // keywords are lost
    {"none", (PyCFunction)(void (*)(void))takes_none, METH_VARARGS, NULL},   // whatever is given, as __exit__ does
    {"more", (PyCFunction)(void (*)(void))takes_three, METH_VARARGS, NULL},  // one more than it is given
    {NULL, NULL, 0, NULL},
};

// ---- released before it is replaced ---------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *any;
  struct Leaf *leaf;
} Node;

typedef struct Leaf {
  PyObject_HEAD
  int n;
} Leaf;

struct plain {
  PyObject *any;
};

static PyObject *replaced_member(Node *self, PyObject *v) {
  Py_XDECREF(self->any);  // expect: python-borrow-across-call
  self->any = v;
  Py_INCREF(v);
  Py_RETURN_NONE;
}

static PyObject *replaced_member_of_own_type(Node *self, Leaf *v) {
  Py_XDECREF((PyObject *)self->leaf);
  self->leaf = v;
  Py_INCREF((PyObject *)v);
  Py_RETURN_NONE;
}

void replaced_in_plain_struct(struct plain *p, PyObject *v) {
  Py_XDECREF(p->any);
  p->any = v;
  Py_INCREF(v);
}

// ---- a helper's odd end ---------------------------------------------------------------------------------------------

extern int state_of(PyObject *o);

static int odd_end(PyObject *o) {
  if (o == Py_None) {
    PyErr_SetString(PyExc_TypeError, "None");
    return -1;
  }
  switch (state_of(o)) {
    case 0: return 0;
    case 1: return 1;
  }
  return -1;
}

static PyObject *odd_end_of_helper(PyObject *self, PyObject *o) {
  if (odd_end(o) < 0) return NULL;
  Py_RETURN_NONE;
}

// ---- calls that fail for what a member holds ------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *name;
  Py_ssize_t size;
  PyObject *items[8];
} Stack;

static PyObject *member_converted(Stack *self, PyObject *o) { return PyLong_FromLong(PyUnicode_AsUTF8(self->name)[0]); }

static PyObject *argument_converted(Stack *self, PyObject *o) {
  return PyLong_FromLong(PyUnicode_AsUTF8(o)[0]);  // expect: python-null-deref
}

static PyObject *pop(Stack *self, PyObject *unused) {
  if (self->size == 0) {
    PyErr_SetString(PyExc_IndexError, "empty");
    return NULL;
  }
  PyObject *item = self->items[--self->size];
  Py_INCREF(item);
  return item;
}

static void drop_one(Stack *self) {
  PyObject *item = pop(self, NULL);
  Py_DECREF(item);
}

PyMethodDef graded_entries[] = {
    {"a", (PyCFunction)ready_small_int_leaked, METH_O, NULL},
    {"b", (PyCFunction)ready_large_int_leaked, METH_O, NULL},
    {"n", (PyCFunction)ready_only_at_first, METH_VARARGS, NULL},
    {"c", (PyCFunction)ready_largest_leaked, METH_O, NULL},
    {"d", (PyCFunction)format_wider_number, METH_O, NULL},
    {"e", (PyCFunction)format_narrower_number, METH_O, NULL},
    {"f", (PyCFunction)format_one_too_many, METH_O, NULL},
    {"g", (PyCFunction)format_one_too_few, METH_O, NULL},
    {"h", (PyCFunction)replaced_member, METH_O, NULL},
    {"i", (PyCFunction)(void (*)(void))replaced_member_of_own_type, METH_O, NULL},
    {"k", (PyCFunction)member_converted, METH_O, NULL},
    {"l", (PyCFunction)argument_converted, METH_O, NULL},
    {"m", (PyCFunction)pop, METH_NOARGS, NULL},
    {"j", (PyCFunction)odd_end_of_helper, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- None given away without a reference of one's own ------------------------------------------------------------------

PyObject *none_in_tuple(void) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  PyTuple_SET_ITEM(t, 0, Py_None);  // expect: python-over-release until 3.11; maybe: python-over-release
  return t;
}

PyObject *none_released(PyObject *o) {
  Py_DECREF(Py_None);  // expect: python-over-release until 3.11; maybe: python-over-release
  return PyObject_Str(o);
}

// Another name of None came with the reference.
extern PyObject *take_next(void);
long none_by_another_name(void) {
  PyObject *x = take_next();
  if (x != Py_None) return 1;
  Py_DECREF(Py_None);
  return 0;
}

int graded_helpers(PyObject *d, long v) {
  drop_one((Stack *)d);
  return ready_small_int_unchecked(d) + ready_large_int_unchecked(d) + ready_any_int_unchecked(d, v) + ready_by_helper(d) +
         ready_by_helper_not(d) + ready_bool_lost(d, 1) + ready_small_int_lost(d) + ready_small_int_leaked_on_failure(d);
}
