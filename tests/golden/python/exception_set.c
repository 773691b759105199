// exception-set: a value is returned while an exception is set.
#include "pycompat.h"

static PyObject *set_none_for_failure(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) Py_RETURN_NONE;  // expect: python-exception-set
  return text;
}

static PyObject *set_ok_cleared(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  return text;
}

// Two calls may leave an exception set at the same end, and one is told.
static PyObject *FN_set_by_two(PyObject *self, PyObject *o) {
  int want = o && PyObject_IsTrue(o);
  PyObject *list = PyList_New(0), *item;
  if (!list) return NULL;
  item = PyLong_FromLong(want);
  if (!item) {
    Py_DECREF(list);
    return NULL;
  }
  PyList_Append(list, item);
  Py_DECREF(item);
  return list;  // expect: python-exception-set; expect-not-yet: python-exception-set -- PyList_Append()
}

// An object of a type of the program's own that begins as a float does is converted without a failure: the struct says
// so, and nothing reads that.
typedef struct {
  PyFloatObject number;
  PyObject *name;
} set_item;

PyObject *FP_set_item_text(set_item *self) {
  PyObject *name = PyObject_Repr(self->name);
  if (name == NULL) return NULL;
  PyObject *text = PyUnicode_FromFormat("%ld, %U", (long)PyFloat_AsDouble((PyObject *)self), name);
  Py_DECREF(name);
  return text;  // false-alarm: python-exception-set
}

PyTypeObject set_item_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "item",
    .tp_basicsize = sizeof(set_item),
    .tp_repr = (reprfunc)FP_set_item_text,
};

// What was just made of a number is one, and converts.
PyObject *set_ok_float_made(PyObject *self, PyObject *o) {
  PyObject *f = PyNumber_Float(o);
  if (f == NULL) return NULL;
  const double x = PyFloat_AsDouble(f);
  Py_DECREF(f);
  return PyFloat_FromDouble(x + 1);
}
PyObject *set_ok_long_made(PyObject *self, PyObject *o) {
  PyObject *n = PyLong_FromSsize_t(PyObject_Length(o));
  if (n == NULL) return NULL;
  const long x = PyLong_AsLong(n);
  Py_DECREF(n);
  return PyErr_Occurred() ? NULL : PyLong_FromLong(x);
}
// A test of the type tells that the conversion does not fail; of an int it may all the same, by its size.
PyObject *set_ok_float_tested(PyObject *self, PyObject *o) {
  if (!PyFloat_Check(o)) return PyErr_Format(PyExc_TypeError, "not a float");
  return PyFloat_FromDouble(PyFloat_AsDouble(o) * 2);
}
PyObject *set_ok_float_or_failure(PyObject *self, PyObject *o) {
  if (PyFloat_CheckExact(o)) return PyFloat_FromDouble(PyFloat_AsDouble(o));
  const double x = PyFloat_AsDouble(o);
  return x == -1 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}
PyObject *set_ok_int_cut(PyObject *self, PyObject *o) {
  if (!PyLong_Check(o)) return PyErr_Format(PyExc_TypeError, "not an int");
  return PyLong_FromUnsignedLong(PyLong_AsUnsignedLongMask(o));
}
PyObject *set_ok_int_overflows(PyObject *self, PyObject *o) {
  int overflow;
  PyObject *n = PyNumber_Index(o);
  if (n == NULL) return NULL;
  const long x = PyLong_AsLongAndOverflow(n, &overflow);
  Py_DECREF(n);
  return PyLong_FromLong(overflow ? 0 : x);
}
PyObject *set_float_not_tested(PyObject *self, PyObject *o) {
  if (PyFloat_Check(o)) Py_RETURN_NONE;
  return PyFloat_FromDouble(PyFloat_AsDouble(o));  // expect: python-exception-set
}
PyObject *set_float_of_another(PyObject *self, PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "OO", &a, &b)) return NULL;
  if (!PyFloat_Check(a)) return PyErr_Format(PyExc_TypeError, "not a float");
  return PyFloat_FromDouble(PyFloat_AsDouble(b));  // expect: python-exception-set
}
PyObject *set_int_too_large(PyObject *self, PyObject *o) {
  if (!PyLong_Check(o)) return PyErr_Format(PyExc_TypeError, "not an int");
  return PyLong_FromLong(PyLong_AsLong(o) + 1);  // expect: python-exception-set
}
PyObject *set_int_in_a_float(PyObject *self, PyObject *o) {
  int overflow;
  if (PyLong_Check(o)) Py_RETURN_NONE;
  return PyLong_FromLong(PyLong_AsLongAndOverflow(o, &overflow));  // expect: python-exception-set
}
PyObject *set_long_of_anything(PyObject *self, PyObject *o) {
  PyObject *n = PyNumber_Long(o);
  if (n == NULL) return NULL;
  const long x = PyLong_AsLong(n);
  Py_DECREF(n);
  return PyLong_FromLong(x);  // expect: python-exception-set
}
PyObject *set_float_of_nothing(PyObject *self, PyObject *o) {
  PyObject *f = PyObject_GetAttrString(o, "x");
  PyErr_Clear();
  const double x = PyFloat_AsDouble(f);
  Py_XDECREF(f);
  return PyFloat_FromDouble(x);  // expect: python-exception-set
}

PyMethodDef exception_set_methods[] = {
    {"f1", set_ok_float_made, METH_O, NULL},
    {"f2", set_ok_long_made, METH_O, NULL},
    {"f3", set_ok_float_tested, METH_O, NULL},
    {"f6", set_ok_float_or_failure, METH_O, NULL},
    {"f7", set_ok_int_cut, METH_O, NULL},
    {"f8", set_ok_int_overflows, METH_O, NULL},
    {"f9", set_float_not_tested, METH_O, NULL},
    {"f10", set_float_of_another, METH_VARARGS, NULL},
    {"f11", set_int_too_large, METH_O, NULL},
    {"f12", set_int_in_a_float, METH_O, NULL},
    {"f4", set_long_of_anything, METH_O, NULL},
    {"f5", set_float_of_nothing, METH_O, NULL},
    {"none", set_none_for_failure, METH_O, NULL},
    {"two", FN_set_by_two, METH_O, NULL},
    {"ok", set_ok_cleared, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
