// Wrong answers that are known and not mended: found by reading a draw of packages, or by going through what the checks
// are asked to know. Each is the smallest input. alone needs: 3.8
#include "pycompat.h"

// ---- false alarms ---------------------------------------------------------------------------------------------------

// The list was made with as many places as the loop sets: the call cannot fail, and the release after it never runs.
PyObject *ok_filled_list(Py_ssize_t n, PyObject *item) {
  PyObject *list = PyList_New(n);
  if (list == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    Py_INCREF(item);
    if (PyList_SetItem(list, i, item) < 0) {
      Py_DECREF(item);
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

// ---- misses ---------------------------------------------------------------------------------------------------------

// What a member held was not taken before the lock was given up, and another thread may have put another there.
typedef struct {
  PyObject_HEAD PyObject *callback;
} Caller;
PyObject *FN_member_after_the_lock(PyObject *self, PyObject *ignored) {
  PyObject *callback = ((Caller *)self)->callback;
  Py_BEGIN_ALLOW_THREADS;
  Py_END_ALLOW_THREADS;
  return PyObject_CallObject(callback, NULL);  // expect-not-yet: python-borrow-across-call
}
PyObject *callback_set(PyObject *self, PyObject *o) {
  Caller *c = (Caller *)self;
  PyObject *old = c->callback;
  Py_INCREF(o);
  c->callback = o;
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

PyMethodDef not_yet_methods[] = {
    {"lock", FN_member_after_the_lock, METH_NOARGS, NULL},
    {"set", callback_set, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

// Every call gives the helper the same function, and the helper's outcomes are still those of any function.
static PyObject *made_with(PyObject *(*make)(long), long n) { return make(n); }
PyObject *FN_function_as_argument(PyObject *self, PyObject *ignored) {
  PyObject *number = made_with(PyLong_FromLong, 100000);
  if (number == NULL) return NULL;
  Py_RETURN_NONE;  // expect-not-yet: python-leak
}

// The format is read where it is written, and the helper that gets one of several has none.
static PyObject *built_with(const char *format, PyObject *o) { return Py_BuildValue(format, o); }
PyObject *FN_format_as_argument(PyObject *self, PyObject *ignored) {
  PyObject *number = PyLong_FromLong(100000);
  if (number == NULL) return NULL;
  return built_with("O", number);  // expect-not-yet: python-leak
}
PyObject *format_as_argument(PyObject *self, PyObject *ignored) {
  PyObject *number = PyLong_FromLong(100000);
  if (number == NULL) return NULL;
  return built_with("N", number);
}
