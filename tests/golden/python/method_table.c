// method-table: a table's flags and functions disagree, or it has no end.
#include "pycompat.h"

static PyObject *table_two(PyObject *self, PyObject *args) { return PyObject_Repr(args); }
static PyObject *table_three(PyObject *self, PyObject *args, PyObject *names) {
  return PyObject_Call(self, args, names);
}

PyMethodDef table_keywords_forgotten[] = {  // expect: python-method-table -- the table's line: rows have none in the model
    {"three", (PyCFunction)(void (*)(void))table_three, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyMethodDef table_ok[] = {
    {"two", table_two, METH_VARARGS, NULL},
    {"three", (PyCFunction)(void (*)(void))table_three, METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

// Keywords that a caller gives are lost, told with medium severity; a method without arguments loses nothing.
static PyObject *table_one(PyObject *self) { return PyObject_Repr(self); }

PyMethodDef table_loses_keywords[] = {  // expect: python-method-table
    {"two", table_two, METH_VARARGS | METH_KEYWORDS, NULL},
    {"one", (PyCFunction)(void (*)(void))table_one, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
