// Mistakes through a helper around one call of the API: no difference to the call itself.
// alone
#include "pycompat.h"

static void drop(PyObject *o) { Py_DECREF(o); }
static void drop_if_any(PyObject *o) { Py_XDECREF(o); }
static int add(PyObject *list, PyObject *o) { return PyList_Append(list, o); }

extern PyObject *made_elsewhere(PyObject *o);
extern int looked_at(PyObject *o);

// ---- references given up --------------------------------------------------------------------------------------------

PyObject *result_dropped_twice(PyObject *o) {
  PyObject *x = made_elsewhere(o);
  if (x == NULL) return NULL;
  int n = looked_at(x);
  drop(x);
  drop(x);  // expect: python-over-release
  return PyLong_FromLong(n);
}

PyObject *ok_result_dropped(PyObject *o) {
  PyObject *x = made_elsewhere(o);
  if (x == NULL) return NULL;
  int n = looked_at(x);
  drop(x);
  return PyLong_FromLong(n);
}

PyObject *new_dropped_twice(PyObject *o) {
  PyObject *x = PyObject_Repr(o);
  drop_if_any(x);
  drop_if_any(x);  // expect: python-over-release
  Py_RETURN_NONE;
}

int none_dropped(PyObject *d, const char *name, PyObject *o) {
  PyObject *v = Py_None;
  if (o != NULL) v = PyObject_Repr(o);
  if (v == NULL) return -1;
  int rc = PyDict_SetItemString(d, name, v);
  drop(v);  // expect: python-over-release
  return rc;
}

int ok_none_kept(PyObject *d, const char *name, PyObject *o) {
  PyObject *v = Py_None;
  if (o != NULL) v = PyObject_Repr(o);
  if (v == NULL) return -1;
  int rc = PyDict_SetItemString(d, name, v);
  if (v != Py_None) drop(v);
  return rc;
}

// ---- failures that nobody asks for ----------------------------------------------------------------------------------

void failure_of_helper_forgotten(PyObject *list, PyObject *o) {
  add(list, o);  // expect: python-exception-set
}

void ok_failure_of_helper_dropped(PyObject *list, PyObject *o) {
  if (add(list, o) < 0) PyErr_Clear();
}

static void forget(void) { PyErr_Clear(); }

void ok_dropped_by_helper(PyObject *list, PyObject *o) {
  add(list, o);
  forget();
}
