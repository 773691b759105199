// Releasing too much, or too early: idioms O03 to O14 (O01, O02, O05 and O06 stand in first.c).
// alone
#include <stdlib.h>

#include "pycompat.h"

#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#pragma clang diagnostic ignored "-Wuninitialized"

// ---- O03: emptying a list by hand before releasing it ---------------------------------------------------------------

static PyObject *make_row(Py_ssize_t i) { return PyUnicode_FromFormat("row %zd", i); }

PyObject *O03_items_released_by_hand(Py_ssize_t n) {
  PyObject *rows = PyList_New(n);
  if (rows == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *row = make_row(i);
    if (row == NULL) {
      for (Py_ssize_t j = 0; j < i; j++) {
        PyObject *e = PyList_GetItem(rows, j);
        Py_XDECREF(e);  // expect: python-over-release
      }
      Py_DECREF(rows);
      return NULL;
    }
    PyList_SET_ITEM(rows, i, row);
  }
  return rows;
}

PyObject *O03_ok_list_releases_its_items(Py_ssize_t n) {
  PyObject *rows = PyList_New(n);
  if (rows == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *row = make_row(i);
    if (row == NULL) {
      Py_DECREF(rows);
      return NULL;
    }
    PyList_SET_ITEM(rows, i, row);
  }
  return rows;
}

// ---- O04: a stealing setter fed a borrowed field --------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  Py_ssize_t n;
  PyObject **cells;
} Row;

static PyObject *repr_and_drop(PyObject *t) {
  PyObject *s = PyObject_Repr(t);
  Py_DECREF(t);
  return s;
}

static PyObject *O04_field_given_away(Row *self) {
  PyObject *tmp = PyTuple_New(self->n);
  if (tmp == NULL) return NULL;
  for (Py_ssize_t i = 0; i < self->n; i++)
    PyTuple_SET_ITEM(tmp, i, self->cells[i]);  // expect: python-over-release|python-borrowed-return
  return repr_and_drop(tmp);
}

static PyObject *O04_parameter_given_away(PyObject *self, PyObject *arg) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  PyTuple_SET_ITEM(t, 0, arg);  // expect: python-over-release|python-borrowed-return
  return t;
}

static PyObject *O04_ok_field_with_new_reference(Row *self) {
  PyObject *tmp = PyTuple_New(self->n);
  if (tmp == NULL) return NULL;
  for (Py_ssize_t i = 0; i < self->n; i++) {
    Py_INCREF(self->cells[i]);
    PyTuple_SET_ITEM(tmp, i, self->cells[i]);
  }
  return repr_and_drop(tmp);
}

static PyObject *O04_ok_parameter_with_new_reference(PyObject *self, PyObject *arg) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  PyTuple_SET_ITEM(t, 0, Py_NewRef(arg));
  return t;
}

static void row_dealloc(Row *self) {
  for (Py_ssize_t i = 0; i < self->n; i++) Py_XDECREF(self->cells[i]);
  PyMem_Free(self->cells);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject Row_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "over.Row",
    .tp_basicsize = sizeof(Row),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)row_dealloc,
    .tp_repr = (reprfunc)O04_field_given_away,
    .tp_str = (reprfunc)O04_ok_field_with_new_reference,
};

// ---- O07: a char pointer outlives its bytes object ------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  int fd;
} Cursor;

extern int open_named(Cursor *self, const char *name);

int O07_pointer_outlives_bytes(Cursor *self, PyObject *name) {
  PyObject *b = PyUnicode_AsUTF8String(name);
  if (b == NULL) return -1;
  const char *p = PyBytes_AS_STRING(b);
  Py_DECREF(b);
  return open_named(self, p);  // expect: python-use-after-release
}

int O07_pointer_by_function(Cursor *self, PyObject *obj) {
  PyObject *s = PyObject_Str(obj);
  if (s == NULL) return -1;
  const char *p = PyUnicode_AsUTF8(s);
  Py_DECREF(s);
  if (p == NULL) return -1;
  return open_named(self, p);  // expect: python-use-after-release
}

int O07_ok_pointer_used_before_release(Cursor *self, PyObject *name) {
  PyObject *b = PyUnicode_AsUTF8String(name);
  if (b == NULL) return -1;
  int rc = open_named(self, PyBytes_AS_STRING(b));
  Py_DECREF(b);
  return rc;
}

// The string is the caller's: its UTF-8 form lives as long as it does.
int O07_ok_pointer_into_parameter(Cursor *self, PyObject *name) {
  Py_INCREF(name);
  const char *p = PyUnicode_AsUTF8(name);
  Py_DECREF(name);
  if (p == NULL) return -1;
  return open_named(self, p);
}

// ---- O08: the type name read after the release ----------------------------------------------------------------------

int O08_type_name_after_release(PyObject *seq, Py_ssize_t i) {
  PyObject *it = PySequence_GetItem(seq, i);
  int ok = PyUnicode_Check(it);  // expect: python-null-deref|python-null-arg
  Py_DECREF(it);
  if (!ok)
    return PyErr_Format(PyExc_TypeError, "bad %s", Py_TYPE(it)->tp_name), -1;  // expect: python-use-after-release
  return 0;
}

int O08_ok_type_name_before_release(PyObject *seq, Py_ssize_t i) {
  PyObject *it = PySequence_GetItem(seq, i);
  if (it == NULL) return -1;
  if (!PyUnicode_Check(it)) {
    PyErr_Format(PyExc_TypeError, "bad %s", Py_TYPE(it)->tp_name);
    Py_DECREF(it);
    return -1;
  }
  Py_DECREF(it);
  return 0;
}

// ---- O09: success path and error label both release -----------------------------------------------------------------

static int api_table[4];
static struct PyModuleDef plain_def = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, NULL};

PyObject *O09_released_twice(void) {
  PyObject *cap = NULL;
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) goto fail;
  cap = PyCapsule_New(api_table, "plain._API", NULL);
  if (cap == NULL) goto fail;
  int rc = PyDict_SetItemString(PyModule_GetDict(m), "_API", cap);
  Py_DECREF(cap);
  if (rc < 0) goto fail;
  return m;
fail:
  Py_XDECREF(cap);  // expect: python-over-release|python-use-after-release
  Py_XDECREF(m);
  return NULL;
}

PyObject *O09_ok_cleared(void) {
  PyObject *cap = NULL;
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) goto fail;
  cap = PyCapsule_New(api_table, "plain._API", NULL);
  if (cap == NULL) goto fail;
  int rc = PyDict_SetItemString(PyModule_GetDict(m), "_API", cap);
  Py_CLEAR(cap);
  if (rc < 0) goto fail;
  return m;
fail:
  Py_XDECREF(cap);
  Py_XDECREF(m);
  return NULL;
}

// ---- O10: the error label releases what a container already took ----------------------------------------------------

extern int finish(PyObject *m);
static PyType_Slot no_slots[] = {{0, NULL}};
static PyType_Spec thing_spec = {"over.Thing", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, no_slots};

PyObject *O10_label_releases_stolen(void) {
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  PyTypeObject *t = (PyTypeObject *)PyType_FromSpec(&thing_spec);
  if (t == NULL) {
    Py_DECREF(m);
    return NULL;
  }
  if (PyModule_AddObject(m, "T", (PyObject *)t) < 0) goto fail;
  if (finish(m) < 0) goto fail;
  return m;
fail:
  Py_DECREF(t);  // expect: python-over-release
  Py_DECREF(m);
  return NULL;
}

PyObject *O10_ok_two_labels(void) {
  PyObject *m = PyModule_Create(&plain_def);
  if (m == NULL) return NULL;
  PyTypeObject *t = (PyTypeObject *)PyType_FromSpec(&thing_spec);
  if (t == NULL) goto fail;
  if (PyModule_AddObject(m, "T", (PyObject *)t) < 0) goto fail_type;
  if (finish(m) < 0) goto fail;
  return m;
fail_type:
  Py_DECREF(t);
fail:
  Py_DECREF(m);
  return NULL;
}

// ---- O11: the array released instead of its element -----------------------------------------------------------------

extern int call_with(PyObject **v, int n);

static int fill(PyObject **given, PyObject *seq, int n) {
  for (int i = 0; i < n; i++) {
    given[i] = PySequence_GetItem(seq, i);
    if (given[i] == NULL) return -1;
  }
  return 0;
}

int FN_O11_array_for_element(PyObject *seq, int n) {
  PyObject *given[4] = {0};
  int rc = -1;
  if (n <= 4 && fill(given, seq, n) == 0) rc = call_with(given, n);
  for (int i = 0; i < n; i++) Py_XDECREF(given);  // expect-not-yet: python-over-release -- the operand's static type is not looked at
  return rc;
}

int O11_ok_elements_released(PyObject *seq, int n) {
  PyObject *given[4] = {0};
  int rc = -1;
  if (n <= 4 && fill(given, seq, n) == 0) rc = call_with(given, n);
  for (int i = 0; i < 4; i++) Py_XDECREF(given[i]);
  return rc;
}

typedef struct {
  int x, y, w, h;
} Rect;

typedef struct {
  PyObject_HEAD
  Rect r;
} RectObject;

extern int clip(Rect *r);
static PyTypeObject Rect_Type;

PyObject *FN_O11_inner_struct_released(void) {  // expect-not-yet: python-leak -- the operand's static type is not looked at
  RectObject *obj = PyObject_New(RectObject, &Rect_Type);
  if (obj == NULL) return NULL;
  obj->r.x = obj->r.y = obj->r.w = obj->r.h = 0;
  if (clip(&obj->r) < 0) {
    Py_DECREF(&obj->r);  // expect-not-yet: python-over-release -- the operand's static type is not looked at
    return NULL;
  }
  return (PyObject *)obj;
}

PyObject *O11_ok_object_released(void) {
  RectObject *obj = PyObject_New(RectObject, &Rect_Type);
  if (obj == NULL) return NULL;
  obj->r.x = obj->r.y = obj->r.w = obj->r.h = 0;
  if (clip(&obj->r) < 0) {
    Py_DECREF(obj);
    return NULL;
  }
  return (PyObject *)obj;
}

static PyTypeObject Rect_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "over.Rect",
    .tp_basicsize = sizeof(RectObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

// ---- O12: the wrong variable in a copied error block ----------------------------------------------------------------

static PyObject *new_array(Py_ssize_t n) { return PyByteArray_FromStringAndSize(NULL, n); }

PyObject *O12_wrong_variable_uninitialised(Py_ssize_t nu, Py_ssize_t nc) {  // expect-in-function: python-leak
  PyObject *tu_full, *c_full, *tu, *c;
  tu_full = new_array(nu);
  if (tu_full == NULL) return NULL;
  c_full = new_array(nc);
  if (c_full == NULL) {
    Py_DECREF(tu_full);
    return NULL;
  }
  tu = new_array(nu);
  if (tu == NULL) {
    Py_DECREF(tu_full);
    Py_DECREF(c);  // expect: python-uninit
    return NULL;
  }
  c = new_array(nc);
  return Py_BuildValue("(NNNN)", tu_full, c_full, tu, c);
}

PyObject *O12_wrong_variable_null(Py_ssize_t nu, Py_ssize_t nc) {  // expect-in-function: python-leak
  PyObject *tu_full = NULL, *c_full = NULL, *tu = NULL, *c = NULL;
  tu_full = new_array(nu);
  if (tu_full == NULL) return NULL;
  c_full = new_array(nc);
  if (c_full == NULL) {
    Py_DECREF(tu_full);
    return NULL;
  }
  tu = new_array(nu);
  if (tu == NULL) {
    Py_DECREF(tu_full);
    Py_DECREF(c);  // expect: python-null-deref|python-null-arg
    return NULL;
  }
  c = new_array(nc);
  return Py_BuildValue("(NNNN)", tu_full, c_full, tu, c);
}

PyObject *O12_ok_right_variable(Py_ssize_t nu, Py_ssize_t nc) {
  PyObject *tu_full, *c_full, *tu, *c;
  tu_full = new_array(nu);
  if (tu_full == NULL) return NULL;
  c_full = new_array(nc);
  if (c_full == NULL) {
    Py_DECREF(tu_full);
    return NULL;
  }
  tu = new_array(nu);
  if (tu == NULL) {
    Py_DECREF(tu_full);
    Py_DECREF(c_full);
    return NULL;
  }
  c = new_array(nc);
  return Py_BuildValue("(NNNN)", tu_full, c_full, tu, c);
}

// ---- O13: the old value released before the field is rewritten ------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *inner;
} Prox;

static PyObject *O13_released_before_rewrite(Prox *self, PyObject *other) {
  PyObject *nv = PyNumber_InPlaceAdd(self->inner, other);
  if (nv == NULL) return NULL;
  Py_DECREF(self->inner);  // expect: python-use-after-release|python-borrow-across-call
  self->inner = nv;
  return Py_NewRef((PyObject *)self);
}

static PyObject *O13_ok_setref(Prox *self, PyObject *other) {
  PyObject *nv = PyNumber_InPlaceSubtract(self->inner, other);
  if (nv == NULL) return NULL;
  Py_SETREF(self->inner, nv);
  return Py_NewRef((PyObject *)self);
}

static PyObject *O13_ok_old_value_kept_aside(Prox *self, PyObject *other) {
  PyObject *nv = PyNumber_InPlaceMultiply(self->inner, other);
  if (nv == NULL) return NULL;
  PyObject *old = self->inner;
  self->inner = nv;
  Py_DECREF(old);
  return Py_NewRef((PyObject *)self);
}

// Nobody can reach the object any more: the plain order is fine.
static void O13_ok_dealloc(Prox *self) {
  Py_XDECREF(self->inner);
  self->inner = NULL;
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyNumberMethods prox_number = {
    .nb_inplace_add = (binaryfunc)O13_released_before_rewrite,
    .nb_inplace_subtract = (binaryfunc)O13_ok_setref,
    .nb_inplace_multiply = (binaryfunc)O13_ok_old_value_kept_aside,
};
static PyTypeObject Prox_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "over.Prox",
    .tp_basicsize = sizeof(Prox),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)O13_ok_dealloc,
    .tp_as_number = &prox_number,
};

// ---- O14: the returned object is also released in the common exit ---------------------------------------------------

extern int execute(PyObject *self, PyObject *vals);

static PyObject *O14_returned_and_released(PyObject *self, PyObject *params) {
  PyObject *res = NULL;
  int using_dict = PyDict_Check(params);
  PyObject *vals = using_dict ? PyDict_Values(params) : PySequence_List(params);
  if (vals == NULL) goto exit;
  if (execute(self, vals) >= 0) res = using_dict ? Py_NewRef(Py_None) : vals;
exit:
  Py_XDECREF(vals);
  return res;  // expect: python-use-after-release|python-borrowed-return
}

static PyObject *O14_ok_returned_with_new_reference(PyObject *self, PyObject *params) {
  PyObject *res = NULL;
  int using_dict = PyDict_Check(params);
  PyObject *vals = using_dict ? PyDict_Values(params) : PySequence_List(params);
  if (vals == NULL) goto exit;
  if (execute(self, vals) >= 0) res = Py_NewRef(using_dict ? Py_None : vals);
exit:
  Py_XDECREF(vals);
  return res;
}

static PyMethodDef methods[] = {
    {"o04", O04_parameter_given_away, METH_O, NULL},
    {"o04_ok", O04_ok_parameter_with_new_reference, METH_O, NULL},
    {"o14", O14_returned_and_released, METH_O, NULL},
    {"o14_ok", O14_ok_returned_with_new_reference, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "overrelease", NULL, -1, methods};

PyMODINIT_FUNC PyInit_overrelease(void) {
  if (PyType_Ready(&Row_Type) < 0 || PyType_Ready(&Rect_Type) < 0 || PyType_Ready(&Prox_Type) < 0) return NULL;
  return PyModule_Create(&module);
}

// ---- a failure that needs a broken rule, told by an argument: it is followed only where the result itself is asked

static int set_first(PyObject *list, PyObject *item, int *status) {
  *status = PyList_SetItem(list, 0, item);
  return 0;
}

int FN_refused_as_an_argument_says(PyObject *list) {
  PyObject *item = PyDict_New();
  int status;
  if (item == NULL) return -1;
  set_first(list, item, &status);
  if (status < 0) {
    Py_DECREF(item);  // expect-not-yet: python-over-release
    return -1;
  }
  return 0;
}
