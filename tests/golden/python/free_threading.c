// free-threading: not safe without the interpreter's lock.
// flags: --free-threaded
// alone
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *items;
} Tray;

PyObject *threads_item_of_shared_list(Tray *self) {
  PyObject *item = PyList_GetItem(self->items, 0);  // expect: python-free-threading
  Py_XINCREF(item);
  return item;
}

PyObject *threads_ok_item_of_own_list(void) {
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  PyObject *item = PyList_GetItem(list, 0);
  Py_XINCREF(item);
  Py_DECREF(list);
  return item;
}
