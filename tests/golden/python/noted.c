// A member of the object says who else holds a reference to it; helpers act by it and keep it true.
// alone
// needs: 3.8
#include "pycompat.h"

enum { HELD_OUTSIDE = 0x80, MADE_HERE = 0x01 };

typedef struct Part {
  PyObject_HEAD int flags;
  struct Part *parent;
  PyObject *type_name;
} Part;

static PyTypeObject Part_Type;

// ---- the note is asked and cleared by the helper --------------------------------------------------------------------

static void taken_back(Part *p) {
  if (p->flags & HELD_OUTSIDE) {
    p->flags &= ~HELD_OUTSIDE;
    Py_DECREF(p);
  }
}
static PyObject *ok_released_by_flag(PyObject *self, PyObject *args) {
  Part *p;
  if (!PyArg_ParseTuple(args, "O!", &Part_Type, &p)) return NULL;
  taken_back(p);
  Py_RETURN_NONE;
}

static void off_the_parent(Part *p) {
  if (p->parent != NULL) {
    p->parent = NULL;
    Py_DECREF(p);
  }
}
static PyObject *ok_released_by_pointer(PyObject *self, PyObject *args) {
  Part *p;
  if (!PyArg_ParseTuple(args, "O!", &Part_Type, &p)) return NULL;
  off_the_parent(p);
  Py_RETURN_NONE;
}

static PyObject *ok_released_in_place(PyObject *self, PyObject *args) {
  Part *p;
  if (!PyArg_ParseTuple(args, "O!", &Part_Type, &p)) return NULL;
  if (p->flags & HELD_OUTSIDE) {
    p->flags &= ~HELD_OUTSIDE;
    Py_DECREF(p);
  }
  Py_RETURN_NONE;
}

static PyObject *ok_released_as_argument(PyObject *self, PyObject *arg) {
  taken_back((Part *)self);
  off_the_parent((Part *)self);
  Py_RETURN_NONE;
}

// ---- the note is set where a reference is taken --------------------------------------------------------------------

static void handed_out(Part *p) {
  if (!(p->flags & HELD_OUTSIDE)) {
    Py_INCREF(p);
    p->flags |= HELD_OUTSIDE;
  }
}
static PyObject *ok_taken_by_flag(PyObject *self, PyObject *args) {
  Part *p;
  if (!PyArg_ParseTuple(args, "O!", &Part_Type, &p)) return NULL;
  handed_out(p);
  Py_RETURN_NONE;
}

// The reference is for whoever clears the flag; it is set for the object that is set up here.
static int ok_taken_at_the_start(PyObject *self, PyObject *args, PyObject *kw) {
  int flags = 0, outside;
  if (!PyArg_ParseTuple(args, "i", &outside)) return -1;
  if (outside) {
    flags |= HELD_OUTSIDE;
    Py_INCREF(self);
  }
  ((Part *)self)->flags = flags | MADE_HERE;
  return 0;
}

static int taken_without_a_note(PyObject *self, PyObject *args, PyObject *kw) {  // expect-in-function: python-leak
  Py_INCREF(self);
  ((Part *)self)->type_name = NULL;
  return 0;
}

// ---- no note: the member is asked for something else ----------------------------------------------------------------

static int made_here(Part *p) {
  if (!(p->flags & MADE_HERE)) {
    PyErr_SetString(PyExc_ValueError, "made elsewhere");
    Py_DECREF(p);
    return 0;
  }
  return 1;
}
static PyObject *released_by_a_test(PyObject *self, PyObject *args) {
  Part *p;
  if (!PyArg_ParseTuple(args, "O!", &Part_Type, &p)) return NULL;
  if (!made_here(p)) return NULL;  // expect: python-over-release
  Py_RETURN_NONE;
}

static PyObject *released_by_its_type(PyObject *self, PyObject *args) {
  PyObject *o;
  if (!PyArg_ParseTuple(args, "O", &o)) return NULL;
  if (!PyUnicode_Check(o)) {
    Py_DECREF(o);  // expect: python-over-release
    return NULL;   // maybe: python-missing-exception
  }
  Py_RETURN_NONE;
}

static PyObject *released_and_noted(PyObject *self, PyObject *args) {
  Part *p;
  if (!PyArg_ParseTuple(args, "O!", &Part_Type, &p)) return NULL;
  p->flags = 0;
  Py_DECREF(p);  // expect: python-over-release
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"h", ok_taken_by_flag, METH_VARARGS, NULL},
    {"a", ok_released_by_flag, METH_VARARGS, NULL},
    {"b", ok_released_by_pointer, METH_VARARGS, NULL},
    {"c", ok_released_in_place, METH_VARARGS, NULL},
    {"d", ok_released_as_argument, METH_O, NULL},
    {"e", released_by_a_test, METH_VARARGS, NULL},
    {"f", released_by_its_type, METH_VARARGS, NULL},
    {"g", released_and_noted, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject Part_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "noted.Part", .tp_basicsize = sizeof(Part),
                                 .tp_init = ok_taken_at_the_start};
static PyTypeObject Other_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "noted.Other", .tp_basicsize = sizeof(Part),
                                  .tp_init = taken_without_a_note};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "noted", NULL, -1, methods};

PyMODINIT_FUNC PyInit_noted(void) {
  if (PyType_Ready(&Part_Type) < 0 || PyType_Ready(&Other_Type) < 0) return NULL;
  return PyModule_Create(&module);
}
