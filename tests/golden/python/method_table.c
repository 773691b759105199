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
