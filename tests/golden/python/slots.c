// Calls through the fields of types and of tables that other modules export: what the field's contract says holds for
// whatever function is there.
#include "pycompat.h"

#include <datetime.h>

// ---- The next item of an iterator.

PyObject *next_lost(PyObject *it) {  // expect-in-function: python-leak
  PyObject *item = Py_TYPE(it)->tp_iternext(it);
  if (item == NULL) return NULL;
  return PyLong_FromLong(PyObject_IsTrue(item));
}

PyObject *next_given_back(PyObject *it) {
  PyObject *item = Py_TYPE(it)->tp_iternext(it);
  if (item == NULL) return NULL;
  long truth = PyObject_IsTrue(item);
  Py_DECREF(item);
  return truth < 0 ? NULL : PyLong_FromLong(truth);
}

// The field is read once, and tested.
int all_lost(PyObject *it) {  // expect-in-function: python-leak
  iternextfunc next = Py_TYPE(it)->tp_iternext;
  if (next == NULL) return -1;
  int n = 0;
  for (;;) {
    PyObject *item = next(it);
    if (item == NULL) break;
    n += PyObject_Size(item) > 0;
  }
  return PyErr_Occurred() ? -1 : n;
}

int all_counted(PyObject *it) {
  iternextfunc next = Py_TYPE(it)->tp_iternext;
  if (next == NULL) return -1;
  int n = 0;
  for (;;) {
    PyObject *item = next(it);
    if (item == NULL) break;
    n += PyObject_Size(item) > 0;
    Py_DECREF(item);
  }
  return PyErr_Occurred() ? -1 : n;
}

// One of two types' fields: both are bound by the same contract.
PyObject *next_of_either_lost(PyObject *a, PyObject *b, int first) {  // expect-in-function: python-leak
  iternextfunc next = first ? Py_TYPE(a)->tp_iternext : Py_TYPE(b)->tp_iternext;
  PyObject *item = next(first ? a : b);
  if (item == NULL) return NULL;
  return PyLong_FromLong(PyObject_IsTrue(item));
}

// A function of the program's own, or whatever stands in the field: what is known of the one is what is known.
static PyObject *next_of_mine(PyObject *it) { return PyObject_Repr(it); }
PyObject *next_or_mine_lost(PyObject *a, int mine) {  // expect-in-function: python-leak
  iternextfunc next = mine ? next_of_mine : Py_TYPE(a)->tp_iternext;
  PyObject *item = next(a);
  if (item == NULL) return NULL;
  return PyLong_FromLong(PyObject_IsTrue(item));
}

// No item and no exception: nothing is left, and that is no reason to return NULL from a method.
static PyObject *end_is_no_error(PyObject *self, PyObject *it) {
  PyObject *item = Py_TYPE(it)->tp_iternext(it);
  if (item == NULL) return NULL;  // expect: python-missing-exception
  return item;
}

static PyObject *end_is_told(PyObject *self, PyObject *it) {
  PyObject *item = Py_TYPE(it)->tp_iternext(it);
  if (item == NULL && !PyErr_Occurred()) PyErr_SetNone(PyExc_StopIteration);
  return item;
}

static PyMethodDef slot_methods[] = {
    {"end_is_no_error", end_is_no_error, METH_O, NULL},
    {"end_is_told", end_is_told, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
PyMethodDef *slot_methods_in_use(void) { return slot_methods; }

// ---- Numbers, sequences, mappings.

PyObject *sum_lost(PyObject *a, PyObject *b) {  // expect-in-function: python-leak
  PyObject *sum = Py_TYPE(a)->tp_as_number->nb_add(a, b);
  if (sum == NULL) return NULL;
  return PyObject_Repr(a);
}

PyObject *sum_given(PyObject *a, PyObject *b) { return Py_TYPE(a)->tp_as_number->nb_add(a, b); }

PyObject *sum_unchecked(PyObject *a, PyObject *b) {
  PyObject *sum = Py_TYPE(a)->tp_as_number->nb_add(a, b);
  Py_DECREF(sum);  // expect: python-null-arg|python-null-deref
  return PyObject_Repr(a);
}

// The struct stands in the type object of a class made at run time.
PyObject *inner_sum_lost(PyHeapTypeObject *type, PyObject *a, PyObject *b) {  // expect-in-function: python-leak
  PyObject *sum = type->as_number.nb_add(a, b);
  if (sum == NULL) return NULL;
  return PyObject_Repr(a);
}

PyObject *inner_sum_given(PyHeapTypeObject *type, PyObject *a, PyObject *b) { return type->as_number.nb_add(a, b); }

PyObject *item_lost(PyObject *o, PyObject *key) {  // expect-in-function: python-leak
  PyObject *item = Py_TYPE(o)->tp_as_mapping->mp_subscript(o, key);
  if (item == NULL) return NULL;
  Py_RETURN_TRUE;
}

PyObject *item_given(PyObject *o, Py_ssize_t i) { return Py_TYPE(o)->tp_as_sequence->sq_item(o, i); }

// What a setter is given stays the caller's.
int set_and_forget(PyObject *o, PyObject *name) {  // expect-in-function: python-leak
  PyObject *value = PyList_New(0);
  if (value == NULL) return -1;
  return Py_TYPE(o)->tp_setattro(o, name, value);
}

int set_and_release(PyObject *o, PyObject *name) {
  PyObject *value = PyList_New(0);
  if (value == NULL) return -1;
  int status = Py_TYPE(o)->tp_setattro(o, name, value);
  Py_DECREF(value);
  return status;
}

// A setter that fails has set an exception; one that does not fail gives 0.
static PyObject *set_reported(PyObject *o, PyObject *name) {
  if (Py_TYPE(o)->tp_setattro(o, name, name) != 0) return NULL;
  Py_RETURN_NONE;
}
static PyObject *length_taken_for_status(PyObject *o, PyObject *unused) {
  if (Py_TYPE(o)->tp_as_sequence->sq_length(o) != 0) return NULL;  // expect: python-missing-exception
  Py_RETURN_NONE;
}
static PyMethodDef status_methods[] = {
    {"set_reported", set_reported, METH_O, NULL},
    {"length_taken_for_status", length_taken_for_status, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
PyMethodDef *status_methods_in_use(void) { return status_methods; }

// ---- Making objects, and asking them.

PyObject *made_and_lost(PyTypeObject *type, PyObject *args) {  // expect-in-function: python-leak
  PyObject *o = type->tp_new(type, args, NULL);
  if (o == NULL) return NULL;
  if (type->tp_init(o, args, NULL) < 0) return NULL;
  return o;
}

PyObject *made_and_given(PyTypeObject *type, PyObject *args) {
  PyObject *o = type->tp_new(type, args, NULL);
  if (o == NULL) return NULL;
  if (type->tp_init(o, args, NULL) < 0) {
    Py_DECREF(o);
    return NULL;
  }
  return o;
}

// Types of one's own may want no arguments.
PyObject *made_of_nothing_and_lost(PyTypeObject *type) {  // expect-in-function: python-leak
  PyObject *o = type->tp_new(type, NULL, NULL);
  if (o == NULL) return NULL;
  if (type->tp_init(o, NULL, NULL) < 0) return NULL;
  return o;
}

PyObject *text_lost(PyObject *o) {  // expect-in-function: python-leak
  PyObject *text = Py_TYPE(o)->tp_repr(o);
  if (text == NULL) return NULL;
  return Py_TYPE(o)->tp_str(o);
}

PyObject *called_twice(PyObject *f, PyObject *args) {
  PyObject *first = Py_TYPE(f)->tp_call(f, args, NULL);
  if (first == NULL) return NULL;
  Py_DECREF(first);
  return Py_TYPE(f)->tp_call(f, args, NULL);
}

PyObject *compared_twice(PyObject *a, PyObject *b) {
  PyObject *answer = Py_TYPE(a)->tp_richcompare(a, b, Py_EQ);
  if (answer == NULL) return NULL;
  Py_DECREF(answer);
  Py_DECREF(answer);  // expect: python-over-release
  Py_RETURN_NONE;
}

PyObject *bound(PyObject *descr, PyObject *o) {
  PyObject *method = Py_TYPE(descr)->tp_descr_get(descr, o, (PyObject *)Py_TYPE(o));
  if (method == NULL) return NULL;
  PyObject *result = PyObject_CallObject(method, NULL);
  Py_DECREF(method);
  return result;
}

// The program's own functions in that field do not change what any type may do.
static PyObject *own_text(PyObject *o) {
  PyErr_SetString(PyExc_TypeError, "no text");
  return NULL;
}
static PyTypeObject OwnType = {PyVarObject_HEAD_INIT(NULL, 0)};
void prepare_own_type(void) { OwnType.tp_str = own_text; }

PyObject *other_text_lost(PyObject *o) {  // expect-in-function: python-leak
  PyObject *text = Py_TYPE(o)->tp_str(o);
  if (text == NULL) return NULL;
  return PyObject_Repr(o);
}

// ---- Dates.

PyObject *date_lost(int y) {  // expect-in-function: python-leak
  PyObject *first = PyDate_FromDate(y, 1, 1);
  if (first == NULL) return NULL;
  return PyDate_FromDate(y, 12, 31);
}

PyObject *date_given(int y) { return PyDate_FromDate(y, 1, 1); }

PyObject *range_of_dates(int y) {
  PyObject *first = PyDate_FromDate(y, 1, 1), *last = PyDate_FromDate(y, 12, 31);
  PyObject *pair = first != NULL && last != NULL ? PyTuple_Pack(2, first, last) : NULL;
  Py_XDECREF(first);
  Py_XDECREF(last);
  return pair;
}

PyObject *range_of_times(int h) {  // expect-in-function: python-leak
  PyObject *from = PyTime_FromTime(h, 0, 0, 0);
  if (from == NULL) return NULL;
  PyObject *length = PyDelta_FromDSU(0, 60, 0);
  if (length == NULL) return NULL;
  PyObject *pair = PyTuple_Pack(2, from, length);
  Py_DECREF(from);
  Py_DECREF(length);
  return pair;
}

int date_stored(PyObject *dict, int y) {  // expect-in-function: python-leak
  return PyDict_SetItemString(dict, "date", PyDate_FromDate(y, 1, 1));  // expect: python-null-arg
}

int date_kept(PyObject *dict, int y) {
  PyObject *date = PyDateTime_FromDateAndTime(y, 1, 1, 0, 0, 0, 0);
  if (date == NULL) return -1;
  int status = PyDict_SetItemString(dict, "date", date);
  Py_DECREF(date);
  return status;
}
