// memory-leak: memory of the interpreter's allocator is never freed. alone
#include "pycompat.h"

#include <string.h>

extern void keep(void *p);
extern int fill(char *p, int n);

PyObject *memory_left_when_a_call_fails(PyObject *self, PyObject *o) {  // expect-in-function: python-memory-leak
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  PyMem_Free(p);
  return text;
}

PyObject *memory_ok_goto(PyObject *self, PyObject *o) {
  PyObject *text = NULL;
  char *p = PyMem_Malloc(10), *q = NULL;
  if (p == NULL) return PyErr_NoMemory();
  q = PyMem_Calloc(3, 4);
  if (q == NULL) {
    PyErr_NoMemory();
    goto done;
  }
  text = PyObject_Str(o);
  if (text == NULL) goto done;
  q[0] = p[0];
done:
  PyMem_Free(q);
  PyMem_Free(p);
  return text;
}

PyObject *memory_second_left(PyObject *self, PyObject *o) {  // expect-in-function: python-memory-leak
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  char *q = PyMem_Malloc(20);
  if (q == NULL) return PyErr_NoMemory();
  PyMem_Free(q);
  PyMem_Free(p);
  Py_RETURN_NONE;
}

// Freed in a helper, with a test and without one.
static void drop(char *p) {
  if (p) PyMem_Free(p);
}
static void drop_both(char *p, char *q) {
  drop(p);
  PyMem_Free(q);
}
PyObject *memory_ok_helper(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10), *q = PyMem_Malloc(10);
  if (p == NULL || q == NULL) {
    drop_both(p, q);
    return PyErr_NoMemory();
  }
  PyObject *text = PyObject_Str(o);
  drop_both(p, q);
  return text;
}

// Made in a helper.
static char *doubled(const char *s) {
  char *p = PyMem_Malloc(2 * strlen(s) + 1);
  if (p == NULL) return NULL;
  strcpy(p, s);
  strcat(p, s);
  return p;
}
PyObject *memory_of_a_helper(PyObject *self, PyObject *o) {  // expect-in-function: python-memory-leak
  char *p = doubled("x");
  if (p == NULL) return PyErr_NoMemory();
  return PyUnicode_FromString(p);
}
static int make(char **out) {
  *out = PyMem_Malloc(10);
  if (*out == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  return 0;
}
PyObject *memory_by_address(PyObject *self, PyObject *o) {  // expect-in-function: python-memory-leak
  char *p;
  if (make(&p) < 0) return NULL;
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  PyMem_Free(p);
  return text;
}

// Somebody else has it.
typedef struct {
  PyObject_HEAD char *buffer;
  Py_ssize_t size;
} Owner;
PyObject *memory_ok_member(Owner *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  PyMem_Free(self->buffer);
  self->buffer = p;
  return PyObject_Str(o);
}
PyObject *memory_ok_kept(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  keep(p);
  return PyObject_Str(o);
}
static void put(Owner *self, char *p) { self->buffer = p; }
PyObject *memory_ok_put(Owner *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  put(self, p);
  return PyObject_Str(o);
}
PyObject *memory_ok_capsule(PyObject *self, PyObject *o) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  return PyCapsule_New(p, NULL, NULL);
}
static char *last;
PyObject *memory_ok_static(PyObject *self, PyObject *o) {
  last = PyMem_Malloc(10);
  if (last == NULL) return PyErr_NoMemory();
  return PyObject_Str(o);
}

// A small buffer on the stack, a large one from the allocator.
PyObject *memory_ok_small(PyObject *self, PyObject *o, Py_ssize_t n) {
  char small[64], *p = small;
  if (n > 64) {
    p = PyMem_Malloc(n);
    if (p == NULL) return PyErr_NoMemory();
  }
  memset(p, 0, n);
  PyObject *text = PyObject_Str(o);
  if (p != small) PyMem_Free(p);
  return text;
}
PyObject *memory_small_left(PyObject *self, PyObject *o, Py_ssize_t n) {  // expect-in-function: python-memory-leak
  char small[64], *p = small;
  if (n > 64) {
    p = PyMem_Malloc(n);
    if (p == NULL) return PyErr_NoMemory();
  }
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  if (p != small) PyMem_Free(p);
  return text;
}

// A block that cannot be made larger is still there.
PyObject *memory_ok_grown(PyObject *self, PyObject *o, int n) {
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  for (int i = 0; i < n; i++) {
    char *q = PyMem_Realloc(p, 20 * (i + 1));
    if (q == NULL) {
      PyMem_Free(p);
      return PyErr_NoMemory();
    }
    p = q;
  }
  PyMem_Free(p);
  Py_RETURN_NONE;
}
PyObject *memory_lost_by_growing(PyObject *self, PyObject *o) {  // expect-in-function: python-memory-leak
  char *p = PyMem_Malloc(10);
  if (p == NULL) return PyErr_NoMemory();
  p = PyMem_Realloc(p, 20);
  if (p == NULL) return PyErr_NoMemory();
  PyMem_Free(p);
  Py_RETURN_NONE;
}

// The inner block goes with nobody.
typedef struct {
  char *name;
  int n;
} Pair;
PyObject *memory_inner_left(PyObject *self, PyObject *o) {  // expect-in-function: python-memory-leak
  Pair *pair = PyMem_Malloc(sizeof *pair);
  if (pair == NULL) return PyErr_NoMemory();
  pair->name = PyMem_Malloc(10);
  if (pair->name == NULL) {
    PyMem_Free(pair);
    return PyErr_NoMemory();
  }
  PyMem_Free(pair);
  Py_RETURN_NONE;
}
static void pair_free(Pair *pair) {
  PyMem_Free(pair->name);
  PyMem_Free(pair);
}
PyObject *memory_ok_inner(PyObject *self, PyObject *o) {
  Pair *pair = PyMem_Malloc(sizeof *pair);
  if (pair == NULL) return PyErr_NoMemory();
  pair->name = PyMem_Malloc(10);
  if (pair->name == NULL) {
    PyMem_Free(pair);
    return PyErr_NoMemory();
  }
  PyObject *text = PyObject_Str(o);
  pair_free(pair);
  return text;
}
Pair *memory_ok_made(void) {
  Pair *pair = PyMem_Malloc(sizeof *pair);
  if (pair == NULL) return NULL;
  pair->name = PyMem_Malloc(10);
  if (pair->name == NULL) {
    PyMem_Free(pair);
    return NULL;
  }
  return pair;
}

// Who counts its users himself is ended by the last of them.
typedef struct {
  int users;
  char text[10];
} Shared;
static void shared_drop(Shared *s) {
  if (--s->users == 0) PyMem_Free(s);
}
PyObject *memory_ok_shared(PyObject *self, PyObject *o) {
  Shared *s = PyMem_Malloc(sizeof *s);
  if (s == NULL) return PyErr_NoMemory();
  s->users = 1;
  PyObject *text = PyObject_Str(o);
  shared_drop(s);
  return text;
}

// An element of a list that is freed by another walk.
struct node {
  struct node *next;
};
static void free_all(struct node *n) {
  while (n) {
    struct node *next = n->next;
    PyMem_Free(n);
    n = next;
  }
}
PyObject *memory_ok_list(PyObject *self, PyObject *o, int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct node *more = PyMem_Malloc(sizeof *more);
    if (more == NULL) {
      free_all(head);
      return PyErr_NoMemory();
    }
    more->next = head;
    head = more;
  }
  free_all(head);
  Py_RETURN_NONE;
}
PyObject *memory_ok_array(PyObject *self, PyObject *o, int n) {
  char **all = PyMem_Calloc(n, sizeof *all);
  if (all == NULL) return PyErr_NoMemory();
  for (int i = 0; i < n; i++) all[i] = PyMem_Malloc(10);
  for (int i = 0; i < n; i++) PyMem_Free(all[i]);
  PyMem_Free(all);
  Py_RETURN_NONE;
}
int memory_ok_flag(PyObject *o, int wanted) {
  char *p = NULL;
  int mine = 0;
  if (wanted) {
    p = PyMem_Malloc(10);
    if (p == NULL) return -1;
    mine = 1;
  }
  if (PyObject_IsTrue(o) < 0) {
    if (mine) PyMem_Free(p);
    return -1;
  }
  if (mine) PyMem_Free(p);
  return 0;
}

// A block becomes an object.
PyObject *memory_ok_object(PyTypeObject *type) {
  PyObject *o = PyObject_Malloc(sizeof(Owner));
  if (o == NULL) return PyErr_NoMemory();
  PyObject_Init(o, type);
  ((Owner *)o)->buffer = PyMem_Malloc(10);
  return o;
}

// What a helper gives is also in memory of somebody's.
typedef struct {
  PyObject_HEAD char *line;
} Reader;
static int read_line(Reader *self, char **line) {
  char *p = PyMem_Realloc(self->line, 100);
  if (p == NULL) return -1;
  self->line = p;
  *line = p;
  return 0;
}
PyObject *memory_ok_line(Reader *self, PyObject *o) {
  char *line;
  if (read_line(self, &line) < 0) return PyErr_NoMemory();
  return PyUnicode_FromString(line);
}
struct end {
  struct end *next;
  int id;
};
static struct end *end_add(struct end *last, int id) {
  struct end *e = PyMem_Malloc(sizeof *e);
  if (e == NULL) return NULL;
  e->id = id;
  e->next = NULL;
  last->next = e;
  return e;
}
int memory_ok_linked(struct end *last, PyObject *o) {
  struct end *e = end_add(last, 1);
  if (e == NULL) return -1;
  return e->id;
}
static int extend(Reader *self) {
  if (self->line == NULL) {
    self->line = PyMem_Malloc(10);
    if (self->line == NULL) return -1;
  }
  return 0;
}
PyObject *memory_ok_extended(Reader *self, PyObject *o) {
  for (int i = 0; i < 3; i++)
    if (extend(self) < 0) return PyErr_NoMemory();
  Py_RETURN_NONE;
}
static struct end *first_end;
static void to_front(struct end **root, struct end *e) {
  if (*root == e) return;
  e->next = *root;
  *root = e;
}
void memory_ok_cached(int id) {
  struct end *e = PyMem_Malloc(sizeof *e);
  if (e == NULL) return;
  e->id = id;
  to_front(&first_end, e);
}

// What was read from the block says nothing of who has it.
int memory_left_and_read(PyObject *o) {  // expect-in-function: python-memory-leak
  int *p = PyMem_Calloc(10, sizeof *p);
  if (p == NULL) return -1;
  return p[0];
}
