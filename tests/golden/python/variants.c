// Other spellings of what the idioms describe: other functions, other control flow.
// alone
#include <setjmp.h>
#include <stdlib.h>

#include "pycompat.h"

// ---- borrowed references across code that may run anything ----------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *table, *hook, *last;
} Reg;

static PyObject *bad_dict_value_across_call(Reg *self, PyObject *key) {
  PyObject *v = PyDict_GetItemWithError(self->table, key);
  if (v == NULL) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
  }
  PyObject *r = PyObject_CallNoArgs(self->hook);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyObject_Str(v);  // expect: python-borrow-across-call
}

static PyObject *ok_dict_value_held_across_call(Reg *self, PyObject *key) {
  PyObject *v = PyDict_GetItemWithError(self->table, key);
  if (v == NULL) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
  }
  Py_INCREF(v);
  PyObject *r = PyObject_CallNoArgs(self->hook);
  if (r == NULL) {
    Py_DECREF(v);
    return NULL;
  }
  Py_DECREF(r);
  r = PyObject_Str(v);
  Py_DECREF(v);
  return r;
}

static PyObject *ok_dict_value_used_before_the_call(Reg *self, PyObject *key) {
  PyObject *v = PyDict_GetItemWithError(self->table, key);
  if (v == NULL) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
  }
  long n = PyLong_AsLong(v);
  if (n == -1 && PyErr_Occurred()) return NULL;
  PyObject *r = PyObject_CallNoArgs(self->hook);
  if (r == NULL) return NULL;
  Py_DECREF(r);
  return PyLong_FromLong(n);
}

static PyObject *ok_items_of_own_list(PyObject *self, PyObject *seq) {
  PyObject *l = PySequence_List(seq);
  if (l == NULL) return NULL;
  long total = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(l); i++) {
    PyObject *x = PyList_GET_ITEM(l, i);
    int yes = PyObject_IsTrue(x);
    long n = yes > 0 ? PyLong_AsLong(x) : 0;
    if (yes < 0 || (n == -1 && PyErr_Occurred())) {
      Py_DECREF(l);
      return NULL;
    }
    total += n;
  }
  Py_DECREF(l);
  return PyLong_FromLong(total);
}

static PyObject *ok_each_item_used_once(PyObject *self, PyObject *arg) {
  if (!PyList_Check(arg)) {
    PyErr_SetString(PyExc_TypeError, "need a list");
    return NULL;
  }
  double sum = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arg); i++) {
    double d = PyFloat_AsDouble(PyList_GET_ITEM(arg, i));
    if (d == -1.0 && PyErr_Occurred()) return NULL;
    sum += d;
  }
  return PyFloat_FromDouble(sum);
}

static PyObject *ok_keyword_value_across_call(PyObject *self, PyObject *args, PyObject *kw) {
  PyObject *v = kw ? PyDict_GetItemString(kw, "key") : NULL;
  PyObject *r = PyObject_Call(self, args, NULL);
  if (r == NULL) return NULL;
  if (v != NULL && PyDict_SetItem(kw, v, r) < 0) {
    Py_DECREF(r);
    return NULL;
  }
  return r;
}

// ---- a member released before it is rewritten -----------------------------------------------------------------------

static PyObject *bad_member_released_then_null(Reg *self, PyObject *unused) {
  Py_XDECREF(self->last);  // expect: python-borrow-across-call
  self->last = NULL;
  Py_RETURN_NONE;
}

static PyObject *ok_member_cleared(Reg *self, PyObject *unused) {
  Py_CLEAR(self->last);
  Py_RETURN_NONE;
}

static int reg_init(Reg *self, PyObject *args, PyObject *kw) {  // expect-in-function: python-leak -- `last`, on a second call
  PyObject *table, *last;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &table, &last)) return -1;
  Py_INCREF(table);
  Py_XSETREF(self->table, table);
  Py_INCREF(last);
  self->last = last;
  return 0;
}

static int ok_init_refuses_second_call(Reg *self, PyObject *args, PyObject *kw) {
  PyObject *last;
  if (self->last != NULL) {
    PyErr_SetString(PyExc_RuntimeError, "initialised twice");
    return -1;
  }
  if (!PyArg_ParseTuple(args, "O", &last)) return -1;
  Py_INCREF(last);
  self->last = last;
  return 0;
}

// ---- deletion through slots -----------------------------------------------------------------------------------------

static int bad_ass_item_ignores_deletion(PyObject *self, Py_ssize_t i, PyObject *v) {
  Reg *reg = (Reg *)self;
  Py_INCREF(v);  // expect: python-null-arg|python-null-deref
  Py_XSETREF(reg->last, v);
  return 0;
}

static int ok_ass_subscript_deletes(PyObject *self, PyObject *key, PyObject *v) {
  Reg *reg = (Reg *)self;
  if (v == NULL) return PyDict_DelItem(reg->table, key);
  Py_INCREF(v);
  Py_XSETREF(reg->last, v);
  return PyDict_SetItem(reg->table, key, v);
}

// ---- deallocators ---------------------------------------------------------------------------------------------------

static void reg_dealloc(Reg *self) {
  Py_CLEAR(self->table);
  Py_CLEAR(self->hook);
  Py_CLEAR(self->last);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void ok_heap_dealloc_gc_del(Reg *self) {
  PyTypeObject *tp = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(self->table);
  Py_XDECREF(self->hook);
  Py_XDECREF(self->last);
  PyObject_GC_Del(self);
  Py_DECREF(tp);
}

static void bad_heap_dealloc_gc_del(Reg *self) {  // expect-in-function: python-type-dealloc
  PyObject_GC_UnTrack(self);
  Py_XDECREF(self->table);
  Py_XDECREF(self->hook);
  Py_XDECREF(self->last);
  PyObject_GC_Del(self);
}

static void ok_dealloc_for_both_kinds(Reg *self) {
  PyTypeObject *tp = Py_TYPE(self);
  Py_XDECREF(self->table);
  Py_XDECREF(self->hook);
  Py_XDECREF(self->last);
  tp->tp_free((PyObject *)self);
  if (tp->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF(tp);
}

static PyType_Slot heap_slots[] = {{Py_tp_dealloc, ok_heap_dealloc_gc_del}, {0, NULL}};
static PyType_Slot leaky_slots[] = {{Py_tp_dealloc, bad_heap_dealloc_gc_del}, {0, NULL}};
PyType_Spec specs[] = {
    {"variants.Heap", sizeof(Reg), 0, Py_TPFLAGS_DEFAULT, heap_slots},
    {"variants.Leaky", sizeof(Reg), 0, Py_TPFLAGS_DEFAULT, leaky_slots},
};

// ---- exceptions through helpers -------------------------------------------------------------------------------------

static int need_positive(long n) {
  if (n > 0) return 0;
  PyErr_SetString(PyExc_ValueError, "must be positive");
  return -1;
}

static int is_known(long n) { return n < 7 ? 0 : -1; }

static PyObject *bad_helper_status_ignored(PyObject *self, PyObject *arg) {
  long n = PyLong_AsLong(arg);
  if (n == -1 && PyErr_Occurred()) return NULL;
  need_positive(n);
  return PyLong_FromLong(n);  // expect: python-exception-set
}

static PyObject *ok_helper_status_used(PyObject *self, PyObject *arg) {
  long n = PyLong_AsLong(arg);
  if (n == -1 && PyErr_Occurred()) return NULL;
  if (need_positive(n) < 0) return NULL;
  return PyLong_FromLong(n);
}

static PyObject *bad_silent_helper_believed(PyObject *self, PyObject *arg) {
  long n = PyLong_AsLong(arg);
  if (n == -1 && PyErr_Occurred()) return NULL;
  if (is_known(n) < 0) return NULL;  // expect: python-missing-exception
  Py_RETURN_NONE;
}

static PyObject *ok_fetched_and_restored(PyObject *self, PyObject *o) {
  PyObject *t, *v, *tb;
  PyObject *r = PyObject_Str(o);
  if (r == NULL) {
    PyErr_Fetch(&t, &v, &tb);
    Py_CLEAR(((Reg *)self)->last);
    PyErr_Restore(t, v, tb);
  }
  return r;
}

static PyObject *ok_float_minus_one(PyObject *self, PyObject *o) {
  double x = PyFloat_AsDouble(o);
  if (x == -1.0 && PyErr_Occurred()) return NULL;
  return PyFloat_FromDouble(x + 1);
}

// ---- sizes and indices ----------------------------------------------------------------------------------------------

static PyObject *ok_index_below_the_size(PyObject *self, PyObject *list) {
  long n = 0;
  for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
    PyObject *x = PyList_GetItem(list, i);
    n += PyLong_Check(x);
  }
  return PyLong_FromLong(n);
}

static PyObject *bad_index_of_unknown_size(PyObject *self, PyObject *list) {
  PyObject *x = PyList_GetItem(list, 0);
  return PyBool_FromLong(PyLong_Check(x));  // expect: python-null-arg|python-null-deref
}

// ---- containers that die --------------------------------------------------------------------------------------------

static PyObject *ok_argument_outlives_a_dict(PyObject *self, PyObject *o) {
  PyObject *d = PyDict_New();
  if (d == NULL) return NULL;
  if (PyDict_SetItemString(d, "o", o) < 0) {
    Py_DECREF(d);
    return NULL;
  }
  Py_DECREF(d);
  return PyObject_Str(o);
}

// ---- long jumps -----------------------------------------------------------------------------------------------------

extern jmp_buf recover;

void ok_released_before_the_jump(PyObject *o) {
  PyObject *s = PyObject_Str(o);
  if (s == NULL) longjmp(recover, 1);
  Py_DECREF(s);
  longjmp(recover, 2);
}

void bad_owned_at_the_jump(PyObject *o) {  // expect-in-function: python-leak
  PyObject *s = PyObject_Str(o);
  if (s != NULL) longjmp(recover, 1);
}

// ---- tables ---------------------------------------------------------------------------------------------------------

static PyMethodDef reg_methods[] = {
    {"a", (PyCFunction)bad_dict_value_across_call, METH_O, NULL},
    {"b", (PyCFunction)ok_dict_value_held_across_call, METH_O, NULL},
    {"c", (PyCFunction)ok_dict_value_used_before_the_call, METH_O, NULL},
    {"d", ok_items_of_own_list, METH_O, NULL},
    {"e", ok_each_item_used_once, METH_O, NULL},
    {"f", (PyCFunction)(void (*)(void))ok_keyword_value_across_call, METH_VARARGS | METH_KEYWORDS, NULL},
    {"g", (PyCFunction)bad_member_released_then_null, METH_NOARGS, NULL},
    {"h", (PyCFunction)ok_member_cleared, METH_NOARGS, NULL},
    {"i", bad_helper_status_ignored, METH_O, NULL},
    {"j", ok_helper_status_used, METH_O, NULL},
    {"k", bad_silent_helper_believed, METH_O, NULL},
    {"l", ok_fetched_and_restored, METH_O, NULL},
    {"m", ok_float_minus_one, METH_O, NULL},
    {"n", ok_index_below_the_size, METH_O, NULL},
    {"o", bad_index_of_unknown_size, METH_O, NULL},
    {"p", ok_argument_outlives_a_dict, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PySequenceMethods reg_sequence = {.sq_ass_item = bad_ass_item_ignores_deletion};
static PyMappingMethods reg_mapping = {.mp_ass_subscript = ok_ass_subscript_deletes};

PyTypeObject reg_types[] = {
    {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "variants.Reg",
     .tp_basicsize = sizeof(Reg),
     .tp_flags = Py_TPFLAGS_DEFAULT,
     .tp_dealloc = (destructor)reg_dealloc,
     .tp_init = (initproc)reg_init,
     .tp_as_sequence = &reg_sequence,
     .tp_as_mapping = &reg_mapping,
     .tp_methods = reg_methods},
    {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "variants.Once",
     .tp_basicsize = sizeof(Reg),
     .tp_flags = Py_TPFLAGS_DEFAULT,
     .tp_dealloc = (destructor)ok_dealloc_for_both_kinds,
     .tp_init = (initproc)ok_init_refuses_second_call},
};
