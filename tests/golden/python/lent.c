// What helpers give up, keep or lend, and calls that cannot fail for the object at hand.
// alone
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *inner;
} Box;

// ---- what an object holds is given up before the object -------------------------------------------------------------

extern int fill(Box *b);

struct guard {
  Box *box;
};

static void drop(struct guard *g) {
  Py_CLEAR(g->box->inner);
  Py_DECREF(g->box);
}

static PyObject *lent_ok_content_then_box(PyObject *self, PyObject *o) {
  struct guard g;
  g.box = PyObject_New(Box, (PyTypeObject *)self);
  if (g.box == NULL) return NULL;
  g.box->inner = NULL;
  if (fill(g.box) < 0) {
    drop(&g);
    return NULL;
  }
  drop(&g);
  Py_RETURN_NONE;
}

// ---- a table that holds what it lends -------------------------------------------------------------------------------

static PyObject *table[16];

static PyObject *lookup(int n) {
  if (table[n]) return table[n];
  PyObject *made = PyList_New(n);
  if (made == NULL) return NULL;
  table[n] = made;
  return made;
}

static PyObject *built(int n) {
  PyObject *made = PyList_New(n);
  if (made == NULL) return NULL;
  table[n] = made;
  return made;
}

static PyObject *lent_ok_by_a_table(PyObject *self, PyObject *o) {
  PyObject *l = built(3);
  if (l == NULL) return NULL;
  return PyLong_FromSsize_t(PyList_GET_SIZE(l));
}

static PyObject *lent_ok_by_a_table_or_new(PyObject *self, PyObject *o) {
  PyObject *l = lookup(3);
  if (l == NULL) return NULL;
  return PyLong_FromSsize_t(PyList_GET_SIZE(l));
}

static PyObject *kept_and_given(int n) {
  PyObject *made = PyList_New(n);
  if (made == NULL) return NULL;
  table[n] = made;
  Py_INCREF(made);
  return made;
}

// What was put into a table at some index came with a reference of its own, too.
static PyObject *lent_bad_kept_and_given(PyObject *self, PyObject *o) {
  PyObject *l = kept_and_given(3);
  if (l == NULL) return NULL;
  return PyLong_FromSsize_t(PyList_GET_SIZE(l));  // expect: python-leak
}

static PyObject *lent_ok_kept_and_given(PyObject *self, PyObject *o) {
  PyObject *l = kept_and_given(3);
  if (l == NULL) return NULL;
  PyObject *r = PyLong_FromSsize_t(PyList_GET_SIZE(l));
  Py_DECREF(l);
  return r;
}

// Of a function that others may call, too, nobody knows that the table holds one of the two references.
PyObject *kept_and_given_to_all(int n) {
  PyObject *made = PyList_New(n);
  if (made == NULL) return NULL;
  table[n] = made;
  Py_INCREF(made);
  return made;
}

static PyObject *FN_kept_and_given_to_all(PyObject *self, PyObject *o) {
  PyObject *l = kept_and_given_to_all(3);
  if (l == NULL) return NULL;
  return PyLong_FromSsize_t(PyList_GET_SIZE(l));  // expect-not-yet: python-leak
}

static PyObject *cached(void) {
  static PyObject *one;
  if (one == NULL) one = PyList_New(1);
  return one;
}

static PyObject *lent_ok_by_a_static(PyObject *self, PyObject *o) {
  PyObject *l = cached();
  if (l == NULL) return NULL;
  return PyLong_FromSsize_t(PyList_GET_SIZE(l));
}

// ---- a variable that the call is to fill ----------------------------------------------------------------------------

static PyObject *lent_ok_text_of_each_round(PyObject *self, PyObject *list) {
  Py_ssize_t total = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
    char *text;
    Py_ssize_t n;
    PyObject *b = PyObject_Bytes(PyList_GET_ITEM(list, i));
    if (b == NULL) return NULL;
    if (PyBytes_AsStringAndSize(b, &text, &n) < 0) {
      Py_DECREF(b);
      return NULL;
    }
    total += text[0];
    Py_DECREF(b);
  }
  return PyLong_FromSsize_t(total);
}

// ---- bytes just made are bytes --------------------------------------------------------------------------------------

static PyObject *lent_ok_text_of_fresh_bytes(PyObject *self, PyObject *o) {
  char *text;
  Py_ssize_t n;
  PyObject *b = PyBytes_FromStringAndSize(NULL, 10);
  if (b == NULL) return NULL;
  PyBytes_AsStringAndSize(b, &text, &n);
  text[0] = 'x';
  return b;
}

static PyObject *lent_bad_text_of_any_object(PyObject *self, PyObject *o) {
  char *text = NULL;
  Py_ssize_t n = 0;
  PyBytes_AsStringAndSize(o, &text, &n);
  return PyLong_FromSsize_t(n);  // expect: python-exception-set
}

// ---- a deallocator's helper releases the type -----------------------------------------------------------------------

static void common_dealloc(Box *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(self->inner);
  PyObject_Free(self);
  Py_DECREF(type);
}

static void box_dealloc(Box *self) { common_dealloc(self); }

static PyType_Slot box_slots[] = {{Py_tp_dealloc, (void *)box_dealloc}, {0, NULL}};
PyType_Spec box_spec = {"lent.Box", sizeof(Box), 0, Py_TPFLAGS_DEFAULT, box_slots};

// A plain function that fails and keeps the reference it took to its argument.
PyObject *kept_by_failure(PyObject *a) {  // expect-in-function: python-leak
  Py_INCREF(a);
  if (PyObject_IsTrue(a) < 0) return NULL;
  return a;
}

PyObject *ok_given_back_by_failure(PyObject *a) {
  Py_INCREF(a);
  if (PyObject_IsTrue(a) < 0) {
    Py_DECREF(a);
    return NULL;
  }
  return a;
}

PyMethodDef lent_methods[] = {
    {"a", lent_ok_content_then_box, METH_O, NULL},
    {"b", lent_ok_by_a_table, METH_O, NULL},
    {"c", lent_ok_by_a_table_or_new, METH_O, NULL},
    {"d", lent_bad_kept_and_given, METH_O, NULL},
    {"e", lent_ok_kept_and_given, METH_O, NULL},
    {"k", FN_kept_and_given_to_all, METH_O, NULL},
    {"f", lent_ok_text_of_fresh_bytes, METH_O, NULL},
    {"h", lent_ok_by_a_static, METH_O, NULL},
    {"i", lent_ok_text_of_each_round, METH_O, NULL},
    {"g", lent_bad_text_of_any_object, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
