// Loops and containers: idioms P03 to P09 (P01 and P02 stand in first.c).
// alone
#include <stdlib.h>

#include "numpy_mini.h"
#include "pycompat.h"

#pragma clang diagnostic ignored "-Wsometimes-uninitialized"

extern int run_all(PyObject **v, int n);
extern int eat(PyObject *e);
static PyObject *convert(PyObject *o) { return PyNumber_Float(o); }

// ---- P03: a release loop over slots never written -------------------------------------------------------------------

int P03_slots_never_written(PyObject **src, int n) {
  PyObject *v[8];
  int i, rc = -1;
  if (n > 8) n = 8;
  for (i = 0; i < n; i++)
    if ((v[i] = convert(src[i])) == NULL) goto fail;
  rc = run_all(v, n);
fail:
  for (i = 0; i < n; i++) Py_XDECREF(v[i]);  // expect: python-uninit
  return rc;
}

int P03_ok_slots_start_as_null(PyObject **src, int n) {
  PyObject *v[8] = {NULL};
  int i, rc = -1;
  if (n > 8) n = 8;
  for (i = 0; i < n; i++)
    if ((v[i] = convert(src[i])) == NULL) goto fail;
  rc = run_all(v, n);
fail:
  for (i = 0; i < n; i++) Py_XDECREF(v[i]);
  return rc;
}

int P03_ok_calloc(PyObject **src, int n) {
  int i, rc = -1;
  PyObject **v = calloc(n, sizeof *v);
  if (v == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  for (i = 0; i < n; i++)
    if ((v[i] = convert(src[i])) == NULL) goto fail;
  rc = run_all(v, n);
fail:
  for (i = 0; i < n; i++) Py_XDECREF(v[i]);
  free(v);
  return rc;
}

// ---- P04: reused loop temporaries -----------------------------------------------------------------------------------

PyObject *P04_ok_cleared_before_reuse(const unsigned char *p, int n) {
  PyObject *ch = NULL;
  PyObject *acc = PyLong_FromLong(0);
  if (acc == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    Py_CLEAR(ch);
    if (!(ch = PyLong_FromLong(p[i]))) {
      Py_CLEAR(acc);
      goto done;
    }
    Py_XSETREF(acc, PyNumber_Or(acc, ch));
    if (acc == NULL) goto done;
  }
done:
  Py_XDECREF(ch);
  return acc;
}

PyObject *P04_bad_not_cleared(const unsigned char *p, int n) {  // expect-in-function: python-leak
  PyObject *ch = NULL;
  PyObject *acc = PyLong_FromLong(0);
  if (acc == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    if (!(ch = PyLong_FromLong(p[i]))) {
      Py_CLEAR(acc);
      goto done;
    }
    Py_XSETREF(acc, PyNumber_Or(acc, ch));
    if (acc == NULL) goto done;
  }
done:
  Py_XDECREF(ch);
  return acc;
}

// ---- P05: continue jumps past the release ---------------------------------------------------------------------------

typedef struct Entry {
  struct Entry *next;
  const char *name;
} Entry;

extern int wanted(Entry *e);

PyObject *P05_continue_past_release(Entry *first) {  // expect-in-function: python-leak
  PyObject *out = PyDict_New();
  if (out == NULL) return NULL;
  for (Entry *e = first; e; e = e->next) {
    PyObject *nm = PyUnicode_FromString(e->name);
    if (nm == NULL) goto fail;
    if (!wanted(e)) continue;
    int rc = PyDict_SetItem(out, nm, Py_None);
    Py_DECREF(nm);
    if (rc < 0) goto fail;
  }
  return out;
fail:
  Py_DECREF(out);
  return NULL;
}

PyObject *P05_ok_continue_before_the_reference(Entry *first) {
  PyObject *out = PyDict_New();
  if (out == NULL) return NULL;
  for (Entry *e = first; e; e = e->next) {
    if (!wanted(e)) continue;
    PyObject *nm = PyUnicode_FromString(e->name);
    if (nm == NULL) goto fail;
    int rc = PyDict_SetItem(out, nm, Py_None);
    Py_DECREF(nm);
    if (rc < 0) goto fail;
  }
  return out;
fail:
  Py_DECREF(out);
  return NULL;
}

// ---- P06: an iterator loop ------------------------------------------------------------------------------------------

static PyObject *P06_ok_iterator_loop(PyObject *self, PyObject *seq) {
  PyObject *e;
  PyObject *it = PyObject_GetIter(seq);
  if (it == NULL) return NULL;
  while ((e = PyIter_Next(it)) != NULL) {
    int rc = eat(e);
    Py_DECREF(e);
    if (rc < 0) break;
  }
  Py_DECREF(it);
  if (PyErr_Occurred()) return NULL;
  Py_RETURN_NONE;
}

static PyObject *P06_bad_error_swallowed(PyObject *self, PyObject *seq) {
  PyObject *e;
  Py_ssize_t n = 0;
  PyObject *it = PyObject_GetIter(seq);
  if (it == NULL) return NULL;
  while ((e = PyIter_Next(it)) != NULL) {
    n++;
    Py_DECREF(e);
  }
  Py_DECREF(it);
  Py_RETURN_NONE;  // expect: python-exception-set
}

// ---- P07: break or return with the item in hand ---------------------------------------------------------------------

static PyObject *P07_break_with_item(PyObject *self, PyObject *seq) {  // expect-in-function: python-leak
  PyObject *e;
  int taken = 0;
  PyObject *it = PyObject_GetIter(seq);
  if (it == NULL) return NULL;
  while ((e = PyIter_Next(it))) {
    if (taken == 64) {
      PyErr_SetString(PyExc_TypeError, "too many");
      break;
    }
    taken++;
    eat(e);
    Py_DECREF(e);
  }
  Py_DECREF(it);
  if (PyErr_Occurred()) return NULL;
  return PyLong_FromLong(taken);
}

static PyObject *P07_return_with_item(PyObject *self, PyObject *seq) {  // expect-in-function: python-leak
  PyObject *e;
  int taken = 0;
  PyObject *it = PyObject_GetIter(seq);
  if (it == NULL) return NULL;
  while ((e = PyIter_Next(it))) {
    if (taken == 64) {
      Py_DECREF(it);
      return PyErr_Format(PyExc_TypeError, "too many");
    }
    taken++;
    eat(e);
    Py_DECREF(e);
  }
  Py_DECREF(it);
  if (PyErr_Occurred()) return NULL;
  return PyLong_FromLong(taken);
}

static PyObject *P07_ok_item_released_before_break(PyObject *self, PyObject *seq) {
  PyObject *e;
  int taken = 0;
  PyObject *it = PyObject_GetIter(seq);
  if (it == NULL) return NULL;
  while ((e = PyIter_Next(it))) {
    if (taken == 64) {
      Py_DECREF(e);
      PyErr_SetString(PyExc_TypeError, "too many");
      break;
    }
    taken++;
    eat(e);
    Py_DECREF(e);
  }
  Py_DECREF(it);
  if (PyErr_Occurred()) return NULL;
  return PyLong_FromLong(taken);
}

// The item is released after the loop: NULL when the loop ran out.
static PyObject *P07_ok_item_released_after_the_loop(PyObject *self, PyObject *seq) {
  PyObject *e;
  int taken = 0;
  PyObject *it = PyObject_GetIter(seq);
  if (it == NULL) return NULL;
  while ((e = PyIter_Next(it))) {
    if (taken == 64) break;
    taken++;
    eat(e);
    Py_DECREF(e);
  }
  Py_XDECREF(e);
  Py_DECREF(it);
  if (PyErr_Occurred()) return NULL;
  return PyLong_FromLong(taken);
}

// ---- P08: an owned list of nodes ------------------------------------------------------------------------------------

typedef struct Node {
  PyObject *seq;
  struct Node *next;
} Node;

// Takes the reference to seq, also on failure.
int P08_ok_append_node(Node ***tail, PyObject *seq) {
  Node *nd = PyMem_Malloc(sizeof *nd);
  if (nd == NULL) {
    Py_DECREF(seq);
    PyErr_NoMemory();
    return -1;
  }
  nd->seq = seq;
  nd->next = NULL;
  **tail = nd;
  *tail = &nd->next;
  return 0;
}

void P08_ok_free_nodes(Node *nd) {
  while (nd != NULL) {
    Node *next = nd->next;
    Py_DECREF(nd->seq);
    PyMem_Free(nd);
    nd = next;
  }
}

int P08_ok_collect(PyObject *o) {
  Node *head = NULL, **tail = &head;
  PyObject *seq = PySequence_List(o);
  if (seq == NULL) return -1;
  if (P08_ok_append_node(&tail, seq) < 0) return -1;
  P08_ok_free_nodes(head);
  return 0;
}

int P08_bad_caller_releases_too(PyObject *o) {
  Node *head = NULL, **tail = &head;
  PyObject *seq = PySequence_List(o);
  if (seq == NULL) return -1;
  if (P08_ok_append_node(&tail, seq) < 0) {
    Py_DECREF(seq);  // expect: python-over-release|python-use-after-release
    return -1;
  }
  P08_ok_free_nodes(head);
  return 0;
}

// ---- P09: an array with owned and borrowed neighbours ---------------------------------------------------------------

extern PyObject *make_iter(PyArrayObject **ops, PyArray_Descr **dt);

PyObject *P09_ok_only_the_owned_one(PyArrayObject *a, PyArrayObject *b) {
  PyArrayObject *ops[3] = {a, b, NULL};
  PyArray_Descr *dt[3] = {PyArray_DESCR(a), PyArray_DESCR(b), NULL};
  dt[2] = PyArray_DescrFromType(NPY_BOOL);
  if (dt[2] == NULL) return NULL;
  PyObject *it = make_iter(ops, dt);
  Py_DECREF(dt[2]);
  return it;
}

PyObject *P09_bad_owned_one_forgotten(PyArrayObject *a, PyArrayObject *b) {  // expect-in-function: python-leak
  PyArrayObject *ops[3] = {a, b, NULL};
  PyArray_Descr *dt[3] = {PyArray_DESCR(a), PyArray_DESCR(b), NULL};
  dt[2] = PyArray_DescrFromType(NPY_BOOL);
  if (dt[2] == NULL) return NULL;
  return make_iter(ops, dt);
}

PyObject *P09_bad_borrowed_one_released(PyArrayObject *a, PyArrayObject *b) {
  PyArrayObject *ops[3] = {a, b, NULL};
  PyArray_Descr *dt[3] = {PyArray_DESCR(a), PyArray_DESCR(b), NULL};
  dt[2] = PyArray_DescrFromType(NPY_BOOL);
  if (dt[2] == NULL) return NULL;
  PyObject *it = make_iter(ops, dt);
  Py_DECREF(dt[1]);  // expect: python-over-release
  Py_DECREF(dt[2]);
  return it;
}

// ---- One object under two names, until the loop gives each its own
// ---------------------------------------------------

static PyObject *ok_two_names_part_in_the_loop(long n) {
  PyObject *inner = PyLong_FromLong(300), *outer, *next, *factor;
  long i;
  if (inner == NULL) return NULL;
  outer = inner;
  Py_INCREF(outer);
  for (i = n; i >= 0; i--) {
    if ((n >> i) <= 2) continue;
    factor = PyLong_FromLong(i);
    if (factor == NULL) goto error;
    next = PyNumber_Multiply(inner, factor);
    Py_DECREF(factor);
    if (next == NULL) goto error;
    Py_DECREF(inner);
    inner = next;
    next = PyNumber_Multiply(outer, inner);
    if (next == NULL) goto error;
    Py_DECREF(outer);
    outer = next;
  }
  Py_DECREF(inner);
  return outer;
error:
  Py_DECREF(outer);
  Py_DECREF(inner);
  return NULL;
}

// ---- What a helper hands out is compared with its argument
// ------------------------------------------------------------

extern PyObject *scaled(PyObject *v);
static int reduce(PyObject **out, PyObject *v, PyObject *w) {
  *out = v;
  if (PyFloat_Check(w)) {
    *out = scaled(v);
    if (*out == NULL) return 0;
  }
  if (*out == v) Py_INCREF(v);
  return 1;
}

static PyObject *ok_handed_out_again(PyObject *v, PyObject *w) {
  PyObject *a;
  long r;
  if (!reduce(&a, v, w)) return NULL;
  r = PyObject_Hash(a);
  Py_DECREF(a);
  return r == -1 ? NULL : PyLong_FromLong(r);
}

static PyObject *use_both(PyObject *self, PyObject *args) {
  PyObject *v, *w;
  if (!PyArg_ParseTuple(args, "OO", &v, &w)) return NULL;
  if (v == w) return ok_two_names_part_in_the_loop(4);
  return ok_handed_out_again(v, w);
}

// Ever more members of the argument, none of them made by the loop: it settles all the same.
void ok_released_by_walking_pointer(PyObject **first, PyObject **last) {
  for (; first != last; ++first) {
    PyObject *o = *first;
    *first = NULL;
    Py_XDECREF(o);
  }
}

// The array is emptied by a helper that has more ends than can be told.
typedef struct {
  PyObject *obj;
  int used;
} Place;

static void empty_entries(Place *all) {
  for (unsigned i = 0; i < 100 && all[i].used >= 0; i++) Py_CLEAR(all[i].obj);
  all[0].used = -1;
}

static int fill_entries(PyObject *tuple, Place *all) {
  unsigned n = 0;
  all[0].obj = NULL;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
    PyObject *o = PyTuple_GET_ITEM(tuple, i);
    if (!PyLong_Check(o) || n > 98) return -1;
    Py_INCREF(o);
    all[n].obj = o;
    all[n].used = 0;
    all[++n].used = -1;
  }
  return (int)n;
}

PyObject *ok_array_filled_and_emptied(PyObject *tuple) {
  Place all[100];
  all[0].used = -1;
  int n = fill_entries(tuple, all);
  empty_entries(all);
  return PyLong_FromLong(n);
}

// A walk over a tree with a stack of its own, twice: each round releases what another node holds.
typedef struct node {
  struct node *l, *r;
  void *prefix, *data;
} node;
typedef struct {
  PyObject_HEAD node *first, *second;
} Trees;
#define WALK(from, n)                                                   \
  for (node * stack[129], **sp = stack, *at = (from); (n = at) != NULL; \
       at = at->l ? (at->r ? (void)(*sp++ = at->r) : (void)0, at->l)    \
                  : (at->r         ? at->r                              \
                     : sp != stack ? *(--sp)                            \
                                   : NULL))
void ok_trees_walked(Trees *self) {
  node *n;
  WALK(self->first, n) {
    PyObject *data = n->prefix ? n->data : NULL;
    if (data != NULL) Py_DECREF(data);
  }
  WALK(self->second, n) {
    PyObject *data = n->prefix ? n->data : NULL;
    if (data != NULL) Py_DECREF(data);
  }
}
void one_place_released_in_each_round(Trees *self, int n) {
  for (int i = 0; i < n; i++) {
    PyObject *data = self->first->data;
    Py_DECREF(data);  // expect: python-over-release
  }
}

static PyMethodDef methods[] = {
    {"use_both", use_both, METH_VARARGS, NULL},
    {"p06_ok", P06_ok_iterator_loop, METH_O, NULL},
    {"p06_bad", P06_bad_error_swallowed, METH_O, NULL},
    {"p07", P07_break_with_item, METH_O, NULL},
    {"p07_return", P07_return_with_item, METH_O, NULL},
    {"p07_ok", P07_ok_item_released_before_break, METH_O, NULL},
    {"p07_ok2", P07_ok_item_released_after_the_loop, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "loops", NULL, -1, methods};

PyMODINIT_FUNC PyInit_loops(void) { return PyModule_Create(&module); }
