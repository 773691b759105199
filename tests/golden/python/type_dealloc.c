// type-dealloc: an object's type or members outlive it unreleased.
// alone
// needs: 3.9
#include "pycompat.h"

typedef struct {
  PyObject_HEAD
  PyObject *value;
} Vessel;

static void vessel_keeps_type(Vessel *self) {  // expect-in-function: python-type-dealloc
  Py_XDECREF(self->value);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
PyType_Slot vessel_slots[] = {{Py_tp_dealloc, vessel_keeps_type}, {0, NULL}};

typedef struct {
  PyObject_HEAD
  PyObject *value;
} Vase;

static void vase_ok(Vase *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(self->value);
  type->tp_free((PyObject *)self);
  Py_DECREF(type);
}
PyType_Slot vase_slots[] = {{Py_tp_dealloc, vase_ok}, {0, NULL}};
