// Where a leak is told: at the call that was given a temporary, at the assignment that overwrites the last pointer.
#include "pycompat.h"

void temporary_given(PyObject *exc, int code, const char *msg) {
  PyErr_SetObject(exc, Py_BuildValue("(is)", code, msg));  // expect: python-leak
}

PyObject *temporary_appended(PyObject *o) {
  PyObject *l = PyList_New(0);
  if (!l) return NULL;
  if (PyList_Append(l, PyObject_Str(o)) < 0) {  // expect: python-leak
    Py_DECREF(l);
    return NULL;
  }
  return l;
}

PyObject *overwritten_by_itself(const char *s) {
  PyObject *u = PyUnicode_FromString(s);
  if (!u) return NULL;
  u = PyUnicode_Concat(u, u);  // expect: python-leak
  return u;
}

PyObject *overwritten_in_loop(PyObject *seq) {  // expect-in-function: python-leak -- ways have been joined, and the loop's next round is not told from its end
  Py_ssize_t n = PySequence_Size(seq);
  PyObject *last = NULL;
  if (n < 0) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    last = PySequence_GetItem(seq, i);
    if (!last) return NULL;
  }
  return last ? last : PyLong_FromLong(0);
}

PyObject *next_item_overwrites(PyObject *it) {
  PyObject *x;
  Py_ssize_t n = 0;
  while ((x = PyIter_Next(it))) {  // expect: python-leak
    if (PyLong_Check(x)) {
      n++;
      continue;
    }
    Py_DECREF(x);
  }
  if (PyErr_Occurred()) return NULL;
  return PyLong_FromSsize_t(n);
}

// One assignment, one finding, whatever the variable held.
PyObject *sum_overwritten(PyObject *o) {
  PyObject *it = PyObject_GetIter(o), *x, *sum;
  if (!it) return NULL;
  sum = PyLong_FromLong(0);
  while (sum && (x = PyIter_Next(it))) {
    sum = PyNumber_InPlaceAdd(sum, x);  // expect: python-leak
    Py_DECREF(x);
  }
  Py_DECREF(it);
  return sum;
}
