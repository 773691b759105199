// What readers of drawn packages called false or harmless: each is the smallest input, with what stays a mistake beside
// it. needs: 3.8
#include <stdlib.h>
#include <string.h>

#include "pycompat.h"

// ---- memory that is copied or set dereferences both ends, unless there is nothing to copy ---------------------------

PyObject *copied_to_null(const char *text, size_t n) {
  char *copy = malloc(n + 1);
  strncpy(copy, text, n + 1);  // expect: python-null-arg
  PyObject *out = PyUnicode_FromString(copy);
  free(copy);
  return out;
}

int cleared_null(void) {
  char *copy = malloc(16);
  memset(copy, 0, 16);  // expect: python-null-arg
  const int first = copy[0];
  free(copy);
  return first;
}

void *copied_ok_nothing(const void *from, size_t n) {
  void *to = malloc(n);
  if (!to && n != 0) return NULL;
  memcpy(to, from, n);
  return to;
}

// ---- the empty format gives None, and cannot fail --------------------------------------------------------------------

static PyObject *none_by_format(int n) {
  if (n > 0) return PyUnicode_FromStringAndSize("x", 1);
  return Py_BuildValue("");
}

static PyObject *ok_none_built(PyObject *self, PyObject *unused) {
  PyObject *list = PyList_New(0);
  if (!list) return NULL;
  PyObject *none = Py_BuildValue("");
  const int failed = PyList_Append(list, none) < 0;
  Py_DECREF(none);
  if (failed) {
    Py_DECREF(list);
    return NULL;
  }
  return list;
}

static PyObject *text_not_asked(PyObject *self, PyObject *unused) {
  PyObject *text = none_by_format(1);
  const Py_ssize_t n = PyUnicode_GetLength(text);  // expect: python-null-arg
  Py_XDECREF(text);
  return PyLong_FromSsize_t(n);
}

// ---- an index inside a list that was just made -----------------------------------------------------------------------

// What is added and taken off again may run over the largest number, for all the engine knows.
PyObject *FP_filled_from(Py_ssize_t low, Py_ssize_t high, PyObject *item) {
  PyObject *list = PyList_New(high - low + 1);
  if (list == NULL) return NULL;
  for (Py_ssize_t i = low; i <= high; i++) {
    Py_INCREF(item);
    if (PyList_SetItem(list, i - low, item) < 0) {
      Py_DECREF(item);  // false-alarm: python-over-release
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

static PyObject *filled_beyond(PyObject *self, PyObject *args) {
  Py_ssize_t n, at;
  if (!PyArg_ParseTuple(args, "nn", &n, &at)) return NULL;
  PyObject *list = PyList_New(n), *item = PyDict_New();
  if (list == NULL || item == NULL || PyList_SetItem(list, at, item) < 0) {
    Py_XDECREF(item);  // expect: python-over-release|python-use-after-release
    Py_XDECREF(list);
    return NULL;
  }
  return list;
}

// ---- a member that a second __init__ overwrites is told where that happens -------------------------------------------

typedef struct {
  PyObject_HEAD PyObject *items;
  int used;
} Holder;

static int holder_init(PyObject *op, PyObject *args, PyObject *kwargs) {
  Holder *self = (Holder *)op;
  self->items = PyList_New(0);  // expect: python-leak
  if (!self->items) return -1;
  if (PyList_Append(self->items, args) < 0) return -1;
  self->used = 1;
  return 0;
}

static void holder_dealloc(PyObject *op) {
  Py_XDECREF(((Holder *)op)->items);
  Py_TYPE(op)->tp_free(op);
}

PyTypeObject drawn_holder_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "drawn.Holder",
    .tp_basicsize = sizeof(Holder),
    .tp_init = holder_init,
    .tp_dealloc = holder_dealloc,
};

// ---- a failure that helpers without a result leave to whoever asks in the end --------------------------------------

static void asked_add_flags(PyObject *module) {
  PyModule_AddIntConstant(module, "READ", 1);
  PyModule_AddIntConstant(module, "WRITE", 2);
}
static void asked_add_all(PyObject *module) { asked_add_flags(module); }
static PyObject *asked_in_the_end(PyObject *self, PyObject *unused) {
  PyObject *module = PyModule_New("asked");
  if (!module) return NULL;
  asked_add_all(module);
  if (PyErr_Occurred()) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}

static void unasked_add_flags(PyObject *module) {
  PyModule_AddIntConstant(module, "READ", 1);   // expect: python-exception-set
  PyModule_AddIntConstant(module, "WRITE", 2);  // expect: python-exception-set
}
static void unasked_add_all(PyObject *module) { unasked_add_flags(module); }
static PyObject *unasked_in_the_end(PyObject *self, PyObject *unused) {  // maybe-in-function: python-exception-set
  PyObject *module = PyModule_New("unasked");
  if (!module) return NULL;
  unasked_add_all(module);
  return module;
}

// A switch that names all values of its enumeration has no other way.
typedef enum { AS_TEXT, AS_BYTES } How;
static PyObject *ok_decoded(How how, const char *text) {
  PyObject *x;
  switch (how) {
    case AS_TEXT: x = PyUnicode_FromString(text); break;
    case AS_BYTES: x = PyBytes_FromString(text); break;
  }
  return x;
}
typedef enum { IN_TEXT, IN_BYTES, IN_NUMBERS } Form;
static PyObject *decoded_two_of_three(Form form, const char *text) {
  PyObject *x;
  switch (form) {
    case IN_TEXT: x = PyUnicode_FromString(text); break;
    case IN_BYTES: x = PyBytes_FromString(text); break;
  }
  return x;  // expect: python-uninit
}
PyObject *decoded_both(int how, const char *text) {
  return how < 2 ? ok_decoded((How)how, text) : decoded_two_of_three((Form)how, text);
}

// What a converter of paths gives is bytes, and reading those cannot fail.
PyObject *ok_path_as_bytes(PyObject *path) {
  PyObject *bytes;
  if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
  const char *text = PyBytes_AsString(bytes);
  const long n = text ? 1 : 2;
  Py_DECREF(bytes);
  return PyLong_FromLong(n);
}

// What turns out to be a static object of ours was not made for us.
static PyObject end_mark;
PyObject *next_item(PyObject *reader);
int ok_read_up_to_mark(PyObject *reader, PyObject *list) {
  PyObject *item = next_item(reader);
  if (item == NULL) return -1;
  if (item == &end_mark) {
    PyErr_SetString(PyExc_ValueError, "an end without a beginning");
    return -1;
  }
  const int r = PyList_Append(list, item);
  Py_DECREF(item);
  return r;
}
int read_up_to_limit(PyObject *reader, PyObject *list) {
  PyObject *item = next_item(reader);
  if (item == NULL) return -1;
  if (PyList_GET_SIZE(list) > 1000) {
    PyErr_SetString(PyExc_ValueError, "too many");
    return -1;  // expect: python-leak
  }
  const int r = PyList_Append(list, item);
  Py_DECREF(item);
  return r;
}

PyMethodDef drawn_methods[] = {
    {"b2", filled_beyond, METH_VARARGS, NULL},
    {"c", asked_in_the_end, METH_NOARGS, NULL},
    {"d", unasked_in_the_end, METH_NOARGS, NULL},
    {"a", ok_none_built, METH_NOARGS, NULL},
    {"b", text_not_asked, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
