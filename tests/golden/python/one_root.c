// One bug in a macro is one finding, at its first use, however often the macro is used.
#include <Python.h>

#define SET_INT(dict, name, value)                                \
  do {                                                            \
    PyObject *o = PyLong_FromLong(value);                         \
    if (o && PyDict_SetItemString(dict, name, o) == 0) Py_DECREF(o); \
  } while (0)

void bad_macro_used_thrice(PyObject *d) {
  SET_INT(d, "a", 1000);  // expect: python-leak
  SET_INT(d, "b", 2000);
  SET_INT(d, "c", 3000);
}

void ok_told_at_its_first_use(PyObject *d) {
  SET_INT(d, "d", 4000);
}

// The same macro, but what goes wrong lies outside it: two bugs.
#define FRESH(n) PyLong_FromLong(n)

int bad_outside_the_macro(PyObject *d, int n) {  // expect-in-function: python-leak, python-leak
  PyObject *a = FRESH(n + 1000);
  PyObject *b = FRESH(n + 2000);
  if (!a || !b) return -1;
  int r = PyDict_SetItem(d, a, b);
  return r;
}
