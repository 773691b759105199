// memory-double-free: memory is freed that was freed before. alone
#include "pycompat.h"

extern void look(void *p);

PyObject *freed_twice(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  PyMem_Free(p);
  PyMem_Free(p);  // expect: python-memory-double-free
  Py_RETURN_NONE;
}

// The helper has freed it where it fails.
static int fill(char *p, PyObject *o) {
  if (PyObject_IsTrue(o) < 0) {
    PyMem_Free(p);
    return -1;
  }
  p[0] = 1;
  return 0;
}
PyObject *freed_by_helper(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  if (fill(p, o) < 0) {
    PyMem_Free(p);  // expect: python-memory-double-free
    return NULL;
  }
  PyMem_Free(p);
  Py_RETURN_NONE;
}
PyObject *freed_ok_by_helper(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  if (fill(p, o) < 0) return NULL;
  PyMem_Free(p);
  Py_RETURN_NONE;
}

typedef struct {
  PyObject_HEAD char *buffer, *name;
} Owner;
void member_freed_twice(Owner *self) {
  PyMem_Free(self->buffer);
  if (self->name) PyMem_Free(self->buffer);  // expect: python-memory-double-free
  self->buffer = NULL;
}
void member_ok_cleared(Owner *self) {
  PyMem_Free(self->buffer);
  self->buffer = NULL;
  PyMem_Free(self->buffer);
  PyMem_Free(self->name);
}
static void clear(Owner *self) {
  PyMem_Free(self->buffer);
  self->buffer = NULL;
}
static void owner_dealloc(Owner *self) {
  clear(self);
  PyMem_Free(self->buffer);
  PyMem_Free(self->name);
  PyObject_Free(self);
}
void dealloc_twice(Owner *self) {
  owner_dealloc(self);
}

// The old block is gone where the new one is there, and only there.
PyObject *grown_ok(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10), *q;
  if (p == NULL) return PyErr_NoMemory();
  q = PyMem_Realloc(p, 20);
  if (q == NULL)
    PyMem_Free(p);
  else
    PyMem_Free(q);
  Py_RETURN_NONE;
}
PyObject *grown_and_freed(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10), *q;
  if (p == NULL) return PyErr_NoMemory();
  q = PyMem_Realloc(p, 20);
  if (q != NULL) PyMem_Free(q);
  PyMem_Free(p);  // expect: python-memory-double-free
  Py_RETURN_NONE;
}

struct node {
  struct node *next;
  char *text;
};
void list_ok(struct node *n) {
  while (n) {
    struct node *next = n->next;
    PyMem_Free(n->text);
    PyMem_Free(n);
    n = next;
  }
}
void array_ok(char **all, int n) {
  for (int i = 0; i < n; i++) PyMem_Free(all[i]);
  PyMem_Free(all);
}
// Between the two another block may be put there.
void member_ok_out_of_sight(Owner *self) {
  PyMem_Free(self->buffer);
  look(self);
  PyMem_Free(self->buffer);
}
static void look_for(Owner *self) { look(self); }
void FP_out_of_sight_by_helper(Owner *self) {
  PyMem_Free(self->buffer);
  look_for(self);
  PyMem_Free(self->buffer);  // false-alarm: python-memory-double-free
}
void look_by_helper(Owner *self) { look_for(self); }
