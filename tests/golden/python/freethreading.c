// Free threading: idioms I03, I04 and I05.
// flags: --free-threaded
// alone
#include <stdlib.h>

#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *items, *table;
} Bag;

static PyMutex table_lock;

// ---- I03: a borrowed item from a shared list ------------------------------------------------------------------------

static PyObject *I03_item_of_shared_list(Bag *self, PyObject *args) {
  Py_ssize_t i;
  if (!PyArg_ParseTuple(args, "n", &i)) return NULL;
  PyObject *e = PyList_GetItem(self->items, i);  // expect: python-free-threading
  if (e == NULL) return NULL;
  return Py_NewRef(e);
}

static PyObject *I03_value_of_shared_dict(Bag *self, PyObject *key) {
  PyObject *e = PyDict_GetItemWithError(self->table, key);  // expect: python-free-threading
  if (e == NULL) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
  }
  return Py_NewRef(e);
}

static PyObject *I03_ok_item_ref(Bag *self, PyObject *args) {
  Py_ssize_t i;
  if (!PyArg_ParseTuple(args, "n", &i)) return NULL;
  return PyList_GetItemRef(self->items, i);
}

static PyObject *I03_ok_dict_item_ref(Bag *self, PyObject *key) {
  PyObject *e;
  if (PyDict_GetItemRef(self->table, key, &e) < 0) return NULL;
  if (e == NULL) PyErr_SetObject(PyExc_KeyError, key);
  return e;
}

static PyObject *I03_ok_tuple_item(Bag *self, PyObject *args) {
  PyObject *e = PyTuple_GetItem(args, 0);
  if (e == NULL) return NULL;
  return Py_NewRef(e);
}

static PyObject *I03_ok_fresh_list(Bag *self, PyObject *seq) {
  PyObject *l = PySequence_List(seq);
  if (l == NULL) return NULL;
  PyObject *e = PyList_GetItem(l, 0);
  Py_XINCREF(e);
  Py_DECREF(l);
  return e;
}

// ---- other ways to borrow from what threads share ---------------------------------------------------------------------

static PyObject *item_by_macro(Bag *self, PyObject *unused) {
  return Py_NewRef(PyList_GET_ITEM(self->items, 0));  // expect: python-free-threading
}

static PyObject *item_of_own_list_by_macro(Bag *self, PyObject *seq) {
  PyObject *l = PySequence_List(seq);
  if (l == NULL) return NULL;
  PyObject *e = Py_NewRef(PyList_GET_ITEM(l, 0));
  Py_DECREF(l);
  return e;
}

static PyObject *module_by_name(Bag *self, PyObject *unused) {
  PyObject *m = PyImport_AddModule("spam");  // expect: python-free-threading
  return Py_XNewRef(m);
}

static PyObject *keys_counted(Bag *self, PyObject *unused) {
  PyObject *k, *v;
  Py_ssize_t pos = 0, n = 0;
  while (PyDict_Next(self->table, &pos, &k, &v)) n++;  // expect: python-free-threading
  return PyLong_FromSsize_t(n);
}

static PyObject *keys_counted_with_lock(Bag *self, PyObject *unused) {
  PyObject *k, *v;
  Py_ssize_t pos = 0, n = 0;
  PyMutex_Lock(&table_lock);
  while (PyDict_Next(self->table, &pos, &k, &v)) n++;
  PyMutex_Unlock(&table_lock);
  return PyLong_FromSsize_t(n);
}

// ---- I04: a lazy static cache ---------------------------------------------------------------------------------------

static PyMutex mu;
static PyObject *cached;

static PyObject *load(const char *mod, const char *attr) {
  PyObject *m = PyImport_ImportModule(mod);
  if (m == NULL) return NULL;
  PyObject *v = PyObject_GetAttrString(m, attr);
  Py_DECREF(m);
  return v;
}

int I04_ok_cache_with_lock(PyObject **slot, const char *mod, const char *attr) {
  PyObject *v = load(mod, attr);
  if (v == NULL) return -1;
  PyMutex_Lock(&mu);
  if (*slot == NULL) *slot = Py_NewRef(v);
  PyMutex_Unlock(&mu);
  Py_DECREF(v);
  return 0;
}

static PyObject *I04_ok_user_of_cache(PyObject *self, PyObject *unused) {
  if (I04_ok_cache_with_lock(&cached, "decimal", "Decimal") < 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject *unlocked;

// Two threads may both find it empty: one value is lost, and the store itself races.
static PyObject *
I04_bad_cache_without_lock(PyObject *self, PyObject *unused) {  // expect-in-function: python-free-threading
  if (unlocked == NULL) {
    unlocked = load("decimal", "Decimal");
    if (unlocked == NULL) return NULL;
  }
  return Py_NewRef(unlocked);
}

// ---- I05: a unique-owner test ---------------------------------------------------------------------------------------

static PyObject *mutate_in_place(PyObject *o) { return Py_NewRef(o); }
static PyObject *changed_copy(PyObject *o) { return PySequence_List(o); }

static PyObject *I05_count_one_as_proof(PyObject *self, PyObject *o) {
  if (Py_REFCNT(o) == 1) return mutate_in_place(o);  // expect: python-free-threading
  return changed_copy(o);
}

static PyObject *I05_ok_unstable_test(PyObject *self, PyObject *o) {
  if (PyUnstable_Object_IsUniquelyReferenced(o)) return mutate_in_place(o);
  return changed_copy(o);
}

static void bag_dealloc(Bag *self) {
  Py_XDECREF(self->items);
  Py_XDECREF(self->table);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef bag_methods[] = {
    {"i03", (PyCFunction)I03_item_of_shared_list, METH_VARARGS, NULL},
    {"i03_dict", (PyCFunction)I03_value_of_shared_dict, METH_O, NULL},
    {"i03_ok", (PyCFunction)I03_ok_item_ref, METH_VARARGS, NULL},
    {"i03_ok2", (PyCFunction)I03_ok_dict_item_ref, METH_O, NULL},
    {"i03_tuple", (PyCFunction)I03_ok_tuple_item, METH_VARARGS, NULL},
    {"i03_fresh", (PyCFunction)I03_ok_fresh_list, METH_O, NULL},
    {"macro", (PyCFunction)item_by_macro, METH_NOARGS, NULL},
    {"own", (PyCFunction)item_of_own_list_by_macro, METH_O, NULL},
    {"module", (PyCFunction)module_by_name, METH_NOARGS, NULL},
    {"keys", (PyCFunction)keys_counted, METH_NOARGS, NULL},
    {"keys_lock", (PyCFunction)keys_counted_with_lock, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject Bag_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "freethreading.Bag",
    .tp_basicsize = sizeof(Bag),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)bag_dealloc,
    .tp_methods = bag_methods,
};

static PyMethodDef methods[] = {
    {"i04_ok", I04_ok_user_of_cache, METH_NOARGS, NULL},
    {"i04_bad", I04_bad_cache_without_lock, METH_NOARGS, NULL},
    {"i05", I05_count_one_as_proof, METH_O, NULL},
    {"i05_ok", I05_ok_unstable_test, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static int ready(PyObject *m) { return PyType_Ready(&Bag_Type); }

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, ready},
#ifdef Py_MOD_GIL_NOT_USED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "freethreading", NULL, 0, methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_freethreading(void) { return PyModuleDef_Init(&module); }
