// Without the interpreter's lock: what tests/metamorphic finds to be judged in another way, each in the smallest input.
// flags: --free-threaded
// alone
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *table;
} Bag;
static PyMutex table_lock;

static Py_ssize_t count_of(PyObject *o) { return Py_REFCNT(o); }
static PyObject *FN_count_by_helper(PyObject *self, PyObject *o) {
  if (count_of(o) == 1) return Py_NewRef(o);  // expect-not-yet: python-free-threading -- a number like any other
  return PySequence_List(o);
}

// The caller has locked what the helper walks over.
static PyObject *rest_of_keys(Bag *self, Py_ssize_t pos, Py_ssize_t n) {
  PyObject *k, *v;
  while (PyDict_Next(self->table, &pos, &k, &v)) n++;
  PyMutex_Unlock(&table_lock);
  return PyLong_FromSsize_t(n);
}
static PyObject *keys_counted(PyObject *self, PyObject *unused) {
  PyMutex_Lock(&table_lock);
  return rest_of_keys((Bag *)self, 0, 0);
}
PyMethodDef thread_methods[] = {
    {"a", FN_count_by_helper, METH_O, NULL}, {"b", keys_counted, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
