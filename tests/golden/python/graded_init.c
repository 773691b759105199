// What is left out by default of code that runs once, while a module is set up, and of what nobody reads. Each stands
// beside a neighbour that is told.
// flags: --confidence medium
// alone
// needs: 3.8
#include "pycompat.h"

// ---- one reference too many to what the module keeps anyway ---------------------------------------------------------

static int add_flag(PyObject *dict, const char *name, long value) {
  PyObject *number = PyLong_FromLong(value);
  if (number == NULL) return -1;
  return PyDict_SetItemString(dict, name, number);
}

// Where a call fails it is the same mistake.
static int add_asked_flag(PyObject *dict) {
  PyObject *number = PyLong_FromLong(5000);
  if (number == NULL) return -1;
  if (PyDict_SetItemString(dict, "ASKED", number) < 0) return -1;
  return 0;
}

// Whether it is a number is asked of the call that gave it, not of what a helper calls.
static PyObject *flag_of(long value) { return PyLong_FromLong(value); }
static int FP_add_made_flag(PyObject *dict) {
  PyObject *number = flag_of(5002);
  if (number == NULL) return -1;
  return PyDict_SetItemString(dict, "MADE", number);  // false-alarm: python-leak
}

static int add_released_flag(PyObject *dict) {  // expect-in-function: python-leak
  PyObject *number = PyLong_FromLong(5001);
  if (number == NULL) return -1;
  if (PyDict_SetItemString(dict, "RELEASED", number) < 0) return -1;
  Py_DECREF(number);
  return 0;
}

static int add_text(PyObject *dict, const char *name) {  // expect-in-function: python-leak
  PyObject *text = PyUnicode_FromString(name);
  if (text == NULL) return -1;
  return PyDict_SetItemString(dict, "name", text);
}

// Not held by anything that lives on.
static int add_nothing(PyObject *module) {
  PyObject *list = PyList_New(0);
  PyObject *name = PyUnicode_FromString(PyModule_GetName(module));  // expect: python-null-arg
  if (list == NULL || name == NULL) {
    Py_XDECREF(list);
    Py_XDECREF(name);
    return -1;
  }
  const int failed = PyList_Append(list, name) < 0;
  Py_DECREF(list);
  return failed ? -1 : 0;  // expect: python-leak
}

// Lost where a call fails.
static int add_list(PyObject *dict) {
  PyObject *list = PyList_New(0);
  if (list == NULL) return -1;
  if (PyDict_SetItemString(dict, "list", list) < 0) return -1;  // expect: python-leak
  Py_DECREF(list);
  return 0;
}

// The variable keeps it, whatever becomes of the reference for the module.
static PyObject *kept_error;

static int add_kept_error(PyObject *module) {
  kept_error = PyErr_NewException("graded.Error", NULL, NULL);
  if (kept_error == NULL) return -1;
  Py_INCREF(kept_error);
  PyModule_AddObject(module, "Error", kept_error);  // maybe: python-exception-set
  return 0;
}

static int add_other_error(PyObject *module) {  // expect-in-function: python-leak
  PyObject *error = PyErr_NewException("graded.Other", NULL, NULL);
  if (error == NULL) return -1;
  PyModule_AddObject(module, "Other", error);  // maybe: python-exception-set
  return 0;
}

static PyObject *raise_kept(PyObject *self, PyObject *unused) {
  PyErr_SetString(kept_error, "kept");
  return NULL;
}

// The same again and again.
static PyObject *set_flag(PyObject *self, PyObject *dict) {  // expect-in-function: python-leak
  PyObject *number = PyLong_FromLong(4711);
  if (number == NULL || PyDict_SetItemString(dict, "flag", number) < 0) {
    Py_XDECREF(number);
    return NULL;
  }
  Py_RETURN_NONE;
}

// ---- counts of None --------------------------------------------------------------------------------------------------

static PyObject *none_counted_twice(PyObject *self, PyObject *list) {
  Py_INCREF(Py_None);
  if (PyList_Append(list, Py_None) < 0) return NULL;
  Py_RETURN_NONE;
}

// ---- a variable that goes on pointing to what the module took over --------------------------------------------------

static PyObject *read_by_nobody, *read_later;

static PyObject *raise_later(PyObject *self, PyObject *unused) {
  PyErr_SetString(read_later, "later");
  return NULL;
}

static int add_errors(PyObject *module) {
  read_by_nobody = PyErr_NewException("graded.Nobody", NULL, NULL);
  if (read_by_nobody == NULL) return -1;
  if (PyModule_AddObject(module, "Nobody", read_by_nobody) < 0) {
    Py_CLEAR(read_by_nobody);
    return -1;
  }
  read_later = PyErr_NewException("graded.Later", NULL, NULL);  // expect: python-borrowed-return
  if (read_later == NULL) return -1;
  if (PyModule_AddObject(module, "Later", read_later) < 0) {
    Py_CLEAR(read_later);
    return -1;
  }
  return 0;
}

static PyMethodDef graded_init_methods[] = {
    {"set_flag", set_flag, METH_O, NULL},
    {"none", none_counted_twice, METH_O, NULL},
    {"kept", raise_kept, METH_NOARGS, NULL},
    {"later", raise_later, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef graded_init_module = {
    PyModuleDef_HEAD_INIT, .m_name = "graded_init", .m_size = -1, .m_methods = graded_init_methods,
};

PyMODINIT_FUNC PyInit_graded_init(void) {
  PyObject *module = PyModule_Create(&graded_init_module);
  if (module == NULL) return NULL;
  PyObject *dict = PyModule_GetDict(module);
  if (add_flag(dict, "FLAG", 4096) < 0 || add_text(dict, "text") < 0 || add_asked_flag(dict) < 0 ||
      FP_add_made_flag(dict) < 0 || add_released_flag(dict) < 0 || add_list(dict) < 0 || add_nothing(module) < 0 ||
      add_errors(module) < 0 || add_kept_error(module) < 0 || add_other_error(module) < 0) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
