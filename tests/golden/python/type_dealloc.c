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

// A helper does it for two types; its ends are too many to be told one by one.
typedef struct {
  PyObject_HEAD
  PyObject *a, *b, *c;
  int open;
} Flow;

void flow_give_back(Flow *self) {
  PyObject *type = (PyObject *)Py_TYPE(self);
  Py_XDECREF(self->a);
  Py_XDECREF(self->b);
  Py_XDECREF(self->c);
  PyObject_Free(self);
  Py_DECREF(type);
}
static void flow_ok(Flow *self) {
  if (self->open) self->open = 0;
  flow_give_back(self);
}
PyType_Slot flow_slots[] = {{Py_tp_dealloc, flow_ok}, {0, NULL}};

void flow_give_back_but_the_type(Flow *self) {
  Py_XDECREF(self->a);
  Py_XDECREF(self->b);
  Py_XDECREF(self->c);
  PyObject_Free(self);
}
static void flow_keeps_type(Flow *self) {  // expect-in-function: python-type-dealloc
  if (self->open) self->open = 0;
  flow_give_back_but_the_type(self);
}
PyType_Slot more_flow_slots[] = {{Py_tp_dealloc, flow_keeps_type}, {0, NULL}};
