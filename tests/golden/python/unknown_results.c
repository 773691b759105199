// What a function out of sight gives: a way that releases it tells that it came with a reference.
#include "pycompat.h"

extern PyObject *looked_up(PyObject *o);
extern PyObject *looked_up_or_made(PyObject *o, int *made);
extern int kept_by(PyObject *o, PyObject *x);

// What is released on one way was owned on the other, whoever made it.
PyObject *released_on_one_way(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o);
  if (x == NULL) return NULL;
  if (PyObject_IsTrue(o) < 0) return NULL;  // expect: python-leak
  Py_DECREF(x);
  Py_RETURN_NONE;
}
PyObject *released_where_another_call_fails(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o), *text;
  if (x == NULL) return NULL;
  if (PyObject_IsTrue(x) < 0) return NULL;  // expect: python-leak
  text = PyObject_Str(o);
  if (text == NULL) {
    Py_DECREF(x);
    return NULL;
  }
  Py_DECREF(text);
  return x;
}
int released_at_a_label(PyObject *o) {
  int rc = -1;
  PyObject *x = looked_up(o), *y;
  if (x == NULL) return -1;
  y = looked_up(x);
  if (y == NULL) goto out;
  if (PyObject_IsTrue(y) < 0) goto out;  // y is lost here
  Py_DECREF(y);
  rc = 0;
out:
  Py_DECREF(x);
  return rc;  // expect: python-leak
}

PyObject *ok_released_on_all(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o);
  if (x == NULL) return NULL;
  if (PyObject_IsTrue(o) < 0) {
    Py_DECREF(x);
    return NULL;
  }
  Py_DECREF(x);
  Py_RETURN_NONE;
}
// A borrowed one: what is released was taken before.
PyObject *ok_taken_first(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o);
  if (x == NULL) return NULL;
  if (PyObject_IsTrue(o) < 0) return NULL;
  Py_INCREF(x);
  if (PyObject_IsTrue(x) < 0) {
    Py_DECREF(x);
    return NULL;
  }
  Py_DECREF(x);
  Py_RETURN_NONE;
}
// A flag says whether it is owned, so ends that succeed have it both ways.
PyObject *ok_owned_by_flag(PyObject *self, PyObject *o) {
  int made;
  PyObject *x = looked_up_or_made(o, &made);
  if (x == NULL) return NULL;
  if (PyObject_IsTrue(o) < 0) {
    if (made) Py_DECREF(x);
    return NULL;
  }
  if (made) Py_DECREF(x);
  Py_RETURN_NONE;
}
// Whether it failed is asked by the exception: there is no object then.
PyObject *ok_asked_by_exception(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o);
  if (PyErr_Occurred()) return NULL;
  Py_XDECREF(x);
  Py_RETURN_NONE;
}
// It stays in a member, or in a list, on the way that fails.
typedef struct {
  PyObject_HEAD PyObject *found;
} Finder;
PyObject *ok_left_in_member(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o);
  if (x == NULL) return NULL;
  if (!PyCallable_Check(x)) {
    Py_DECREF(x);
    Py_RETURN_NONE;
  }
  ((Finder *)self)->found = x;
  if (kept_by(o, self) < 0) return NULL;
  Py_RETURN_NONE;
}
PyObject *ok_left_in_list(PyObject *self, PyObject *o) {
  PyObject *list = PyList_New(1), *x;
  if (list == NULL) return NULL;
  x = looked_up(o);
  if (x == NULL) {
    Py_DECREF(list);
    return NULL;
  }
  if (!PyCallable_Check(x)) {
    Py_DECREF(x);
    return list;
  }
  PyList_SET_ITEM(list, 0, x);
  if (kept_by(o, list) < 0) {
    Py_DECREF(list);
    return NULL;
  }
  return list;
}
// Of another object with the same name.
PyObject *ok_other_object(PyObject *self, PyObject *o) {
  PyObject *x = looked_up(o);
  if (x == NULL) return NULL;
  if (PyObject_IsTrue(x) < 0) return NULL;
  x = PyObject_Str(x);
  if (x == NULL) return NULL;
  Py_DECREF(x);
  Py_RETURN_NONE;
}

static void dealloc(Finder *self) {
  Py_XDECREF(self->found);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
PyTypeObject finder_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "finder",
    .tp_basicsize = sizeof(Finder),
    .tp_dealloc = (destructor)dealloc,
};

PyMethodDef unknown_results_methods[] = {
    {"a", released_on_one_way, METH_O, NULL},
    {"b", released_where_another_call_fails, METH_O, NULL},
    {"c", ok_released_on_all, METH_O, NULL},
    {"d", ok_taken_first, METH_O, NULL},
    {"e", ok_owned_by_flag, METH_O, NULL},
    {"f", ok_asked_by_exception, METH_O, NULL},
    {"g", ok_left_in_member, METH_O, NULL},
    {"h", ok_left_in_list, METH_O, NULL},
    {"i", ok_other_object, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
