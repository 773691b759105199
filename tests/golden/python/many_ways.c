// A function with so many ways to end that they are joined: what some of them keep in memory of the caller's and others
// in a new block that the caller gets is kept on all. needs: 3.8
#include "pycompat.h"

typedef struct block {
  struct block *left;
  PyObject *data[64];
  struct block *right;
} block;
typedef struct {
  PyObject_VAR_HEAD block *leftblock;
  block *rightblock;
  Py_ssize_t leftindex;
  Py_ssize_t rightindex;
  size_t state;
  Py_ssize_t numfree;
  block *freeblocks[16];
} deq;
static block *newblock(deq *d) {
  block *b;
  if (d->numfree) {
    d->numfree--;
    return d->freeblocks[d->numfree];
  }
  b = PyMem_Malloc(sizeof(block));
  if (b) return b;
  PyErr_NoMemory();
  return NULL;
}
static void freeblock(deq *d, block *b) {
  if (d->numfree < 16)
    d->freeblocks[d->numfree++] = b;
  else
    PyMem_Free(b);
}
static PyObject *popleft(deq *d, PyObject *unused) {
  PyObject *item;
  block *prev;
  if (Py_SIZE(d) == 0) {
    PyErr_SetString(PyExc_IndexError, "pop");
    return NULL;
  }
  item = d->leftblock->data[d->leftindex];
  d->leftindex++;
  Py_SET_SIZE(d, Py_SIZE(d) - 1);
  d->state++;
  if (d->leftindex == 64) {
    if (Py_SIZE(d)) {
      prev = d->leftblock->right;
      freeblock(d, d->leftblock);
      d->leftblock = prev;
      d->leftindex = 0;
    } else {
      d->leftindex = 32;
      d->rightindex = 31;
    }
  }
  return item;
}
static int append(deq *d, PyObject *item) {
  if (d->rightindex == 63) {
    block *b = newblock(d);
    if (b == NULL) return -1;
    b->left = d->rightblock;
    d->rightblock->right = b;
    d->rightblock = b;
    d->rightindex = -1;
  }
  d->rightindex++;
  d->rightblock->data[d->rightindex] = item;
  if ((size_t)d->state < (size_t)Py_SIZE(d)) {
    PyObject *old = popleft(d, NULL);
    Py_XDECREF(old);
  }
  return 0;
}
PyObject *ok_kept_on_all_ways(deq *d, PyObject *item) {
  Py_INCREF(item);
  if (append(d, item) < 0) {
    Py_DECREF(item);
    return NULL;
  }
  Py_RETURN_NONE;
}

PyMethodDef many_ways_methods[] = {
    {"append", (PyCFunction)ok_kept_on_all_ways, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
