// memory-use-after-free: memory is used after it was freed. alone
#include "pycompat.h"

#include <string.h>

PyObject *read_after(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  p[0] = 1;
  PyMem_Free(p);
  return PyLong_FromLong(p[0]);  // expect: python-memory-use-after-free
}
PyObject *passed_after(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  strcpy(p, "x");
  PyMem_Free(p);
  return PyUnicode_FromString(p);  // expect: python-memory-use-after-free
}
PyObject *copied_after(PyObject *self, PyObject *o) {
  char to[10];
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  PyMem_Free(p);
  memcpy(to, p, 10);  // expect: python-memory-use-after-free
  return PyBytes_FromStringAndSize(to, 10);
}
// A helper that copies from there uses it.
static void copies(char *to, const char *from) { memcpy(to, from, 10); }
PyObject *helper_copies_after(PyObject *self, PyObject *o) {
  char to[10];
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  PyMem_Free(p);
  copies(to, p);  // expect: python-memory-use-after-free
  return PyBytes_FromStringAndSize(to, 10);
}
void copied_by_helper(char *to, const char *from) { copies(to, from); }

typedef struct {
  char *name;
  int n;
} Pair;
static int pair_n(const Pair *pair) { return pair->n; }
static void pair_free(Pair *pair) {
  PyMem_Free(pair->name);
  PyMem_Free(pair);
}
int helper_reads_after(Pair *pair) {
  pair_free(pair);
  return pair_n(pair);  // expect: python-memory-use-after-free
}
int helper_reads_before_ok(Pair *pair) {
  const int n = pair_n(pair);
  pair_free(pair);
  return n;
}
void name_after_pair(Pair *pair) {
  PyMem_Free(pair);
  PyMem_Free(pair->name);  // expect: python-memory-use-after-free
}

// The old block is gone where a larger one was given.
int grown(Py_ssize_t n) {
  int *p = PyMem_Malloc(sizeof *p), *q;
  if (p == NULL) return -1;
  q = PyMem_Realloc(p, n);
  if (q == NULL) {
    PyMem_Free(p);
    return -1;
  }
  const int x = p[0];  // expect: python-memory-use-after-free
  PyMem_Free(q);
  return x;
}
int grown_ok(Py_ssize_t n) {
  int *p = PyMem_Malloc(sizeof *p), *q;
  if (p == NULL) return -1;
  p[0] = 1;
  q = PyMem_Realloc(p, n);
  if (q == NULL) {
    const int x = p[0];
    PyMem_Free(p);
    return x;
  }
  const int x = q[0];
  PyMem_Free(q);
  return x;
}

// Asked for its address only.
int compared_ok(char *p, char *q) {
  PyMem_Free(p);
  return p == q;
}
void *replaced_ok(Pair *pair, Py_ssize_t n) {
  PyMem_Free(pair->name);
  pair->name = PyMem_Malloc(n);
  if (pair->name) pair->name[0] = 0;
  return pair->name;
}
struct node {
  struct node *next;
  int n;
};
int list_ok(struct node *n) {
  int sum = 0;
  while (n) {
    struct node *next = n->next;
    sum += n->n;
    PyMem_Free(n);
    n = next;
  }
  return sum;
}
void list_walks_on(struct node *n) {
  for (; n; n = n->next) PyMem_Free(n);  // expect: python-memory-use-after-free
}
// Somebody else may have it as well.
typedef struct {
  int users;
} Shared;
static void shared_drop(Shared *s) {
  if (--s->users == 0) PyMem_Free(s);
}
int shared_ok(Shared *s) {
  shared_drop(s);
  return s->users;
}
