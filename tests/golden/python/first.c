// The shapes that matter most: N08 L01 L12 L02 O01 O02 X01 N03 N12 B02 K04 L08 O05 O06 K08 P01 P02 X02 T02 T05.
// alone
#include <assert.h>
#include <stdlib.h>

#include "numpy_mini.h"
#include "pycompat.h"

// ---- N08: one cleanup label, every variable NULL at the start -------------------------------------------------------

static PyObject *make_a(PyObject *seed) { return PySequence_List(seed); }
static PyObject *make_b(PyObject *a) { return PyTuple_Pack(1, a); }
static PyObject *combine(PyObject *a, PyObject *b) { return PyTuple_Pack(2, a, b); }

static PyObject *N08_ok_one_cleanup_label(PyObject *self, PyObject *seed) {
  PyObject *a = NULL, *b = NULL, *r = NULL;
  if (!(a = make_a(seed))) goto done;
  if (!(b = make_b(a))) goto done;
  r = combine(a, b);
done:
  Py_XDECREF(a);
  Py_XDECREF(b);
  return r;
}

static PyObject *N08_ok_label_with_api_calls(PyObject *self, PyObject *args) {
  PyObject *src, *name = NULL, *list = NULL, *table = NULL, *result = NULL;
  if (!PyArg_ParseTuple(args, "O", &src)) return NULL;
  name = PyObject_GetAttrString(src, "name");
  if (name == NULL) goto done;
  list = PySequence_List(src);
  if (list == NULL) goto done;
  table = PyDict_New();
  if (table == NULL) goto done;
  if (PyDict_SetItem(table, name, list) < 0) goto done;
  result = table;
  table = NULL;
done:
  Py_XDECREF(name);
  Py_XDECREF(list);
  Py_XDECREF(table);
  return result;
}

// The same shape with one variable left out of the cleanup.
static PyObject *N08_bad_label_forgets_one(PyObject *self, PyObject *seed) {  // expect-in-function: python-leak
  PyObject *a = NULL, *b = NULL, *r = NULL;
  if (!(a = make_a(seed))) goto done;
  if (!(b = make_b(a))) goto done;
  r = combine(a, b);
done:
  Py_XDECREF(a);
  return r;
}

// ---- L01: a fresh value handed straight to a setter -----------------------------------------------------------------

typedef struct {
  long hits, miss;
} Counters;

PyObject *L01_dict_setters(Counters *c) {  // expect-in-function: python-leak, python-leak, python-leak
  PyObject *stats = PyDict_New();
  if (stats == NULL) return NULL;
  if (PyDict_SetItemString(stats, "hits", PyLong_FromLong(c->hits)) < 0) {  // expect: python-null-arg
    Py_DECREF(stats);
    return NULL;
  }
  if (PyDict_SetItem(stats, PyUnicode_FromString("miss"),  // expect: python-null-arg; maybe: python-null-arg
                     PyLong_FromLong(c->miss)) < 0) {      // maybe: python-null-arg
    Py_DECREF(stats);
    return NULL;
  }
  return stats;
}

// A NULL value deletes the attribute: no NULL argument, only the leak.
int L01_attribute_setter(PyObject *mod, void *fn) {  // expect-in-function: python-leak
  return PyObject_SetAttrString(mod, "fn_addr", PyLong_FromVoidPtr(fn));  // maybe: python-exception-set
}

PyObject *L01_ok_setters(Counters *c) {
  PyObject *key = NULL, *v = NULL;
  PyObject *stats = PyDict_New();
  if (stats == NULL) return NULL;
  v = PyLong_FromLong(c->hits);
  if (v == NULL || PyDict_SetItemString(stats, "hits", v) < 0) goto fail;
  Py_DECREF(v);
  key = PyUnicode_FromString("miss");
  v = PyLong_FromLong(c->miss);
  if (key == NULL || v == NULL || PyDict_SetItem(stats, key, v) < 0) goto fail;
  Py_DECREF(key);
  Py_DECREF(v);
  return stats;
fail:
  Py_XDECREF(key);
  Py_XDECREF(v);
  Py_DECREF(stats);
  return NULL;
}

// ---- L12: appended, then forgotten ----------------------------------------------------------------------------------

PyObject *L12_append_in_loop(const int *xs, const int *ys, int n) {  // expect-in-function: python-leak
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    PyObject *pt = Py_BuildValue("(ii)", xs[i], ys[i]);
    if (PyList_Append(out, pt) < 0) {  // a NULL pt is refused with an exception
      Py_DECREF(out);
      return NULL;
    }
  }
  return out;
}

PyObject *L12_ok_append_and_release(const int *xs, const int *ys, int n) {
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    PyObject *pt = Py_BuildValue("(ii)", xs[i], ys[i]);
    if (pt == NULL || PyList_Append(out, pt) < 0) {
      Py_XDECREF(pt);
      Py_DECREF(out);
      return NULL;
    }
    Py_DECREF(pt);
  }
  return out;
}

// PyList_SetItem does steal: nothing to release.
PyObject *L12_ok_set_item_steals(const int *xs, const int *ys, int n) {
  PyObject *out = PyList_New(n);
  if (out == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    PyObject *pt = Py_BuildValue("(ii)", xs[i], ys[i]);
    if (pt == NULL || PyList_SetItem(out, i, pt) < 0) {
      Py_DECREF(out);
      return NULL;
    }
  }
  return out;
}

// ---- L02: exception value built inline ------------------------------------------------------------------------------

extern int native_open(const char *path);
extern const char *text_of(int rc);

static PyObject *L02_error_value_inline(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  const char *path;
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  int rc = native_open(path);
  if (rc != 0) {
    PyErr_SetObject(PyExc_OSError, Py_BuildValue("(is)", rc, text_of(rc)));
    return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *L02_error_value_in_variable(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  const char *path;
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  int rc = native_open(path);
  if (rc != 0) {
    PyObject *v = Py_BuildValue("(is)", rc, text_of(rc));
    if (v != NULL) PyErr_SetObject(PyExc_OSError, v);
    return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *L02_ok_error_value_released(PyObject *self, PyObject *args) {
  const char *path;
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  int rc = native_open(path);
  if (rc != 0) {
    PyObject *v = Py_BuildValue("(is)", rc, text_of(rc));
    if (v != NULL) {
      PyErr_SetObject(PyExc_OSError, v);
      Py_DECREF(v);
    }
    return NULL;
  }
  Py_RETURN_NONE;
}

// ---- O01: releasing what N already consumed -------------------------------------------------------------------------

static PyObject *O01_release_after_n(PyObject *self, PyObject *arg) {
  PyObject *r = PyObject_Repr(arg);
  if (r == NULL) return NULL;
  PyObject *s = PyObject_Str(arg);
  if (s == NULL) {
    Py_DECREF(r);
    return NULL;
  }
  PyObject *ret = Py_BuildValue("(NN)", r, s);
  if (ret == NULL) {
    Py_DECREF(r);  // expect: python-over-release|python-use-after-release
    Py_DECREF(s);  // expect: python-over-release|python-use-after-release
  }
  return ret;
}

static PyObject *O01_call_function_n(PyObject *self, PyObject *fn) {
  PyObject *x = PyLong_FromLong(4096);
  if (x == NULL) return NULL;
  PyObject *ret = PyObject_CallFunction(fn, "N", x);
  Py_DECREF(x);  // expect: python-over-release|python-use-after-release
  return ret;
}

static PyObject *O01_ok_n_consumes(PyObject *self, PyObject *arg) {
  PyObject *r = PyObject_Repr(arg);
  if (r == NULL) return NULL;
  PyObject *s = PyObject_Str(arg);
  if (s == NULL) {
    Py_DECREF(r);
    return NULL;
  }
  return Py_BuildValue("(NN)", r, s);
}

// ---- O02: releasing after a setter that steals even on failure ------------------------------------------------------

PyObject *O02_release_after_list_setitem(Py_ssize_t n, Py_ssize_t from) {
  PyObject *lst = PyList_New(n);
  if (lst == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *item = PyLong_FromSsize_t(i);
    if (item == NULL) {
      Py_DECREF(lst);
      return NULL;
    }
    if (PyList_SetItem(lst, from + i, item) < 0) {
      Py_DECREF(item);  // expect: python-over-release|python-use-after-release
      Py_DECREF(lst);
      return NULL;
    }
  }
  return lst;
}

PyObject *O02_release_after_tuple_setitem(PyObject *a, Py_ssize_t at) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  PyObject *item = PyObject_Str(a);
  if (item == NULL) {
    Py_DECREF(t);
    return NULL;
  }
  if (PyTuple_SetItem(t, at, item) != 0) {
    Py_DECREF(item);  // expect: python-over-release|python-use-after-release
    Py_DECREF(t);
    return NULL;
  }
  return t;
}

PyObject *O02_ok_setter_steals_always(Py_ssize_t n) {
  PyObject *lst = PyList_New(n);
  if (lst == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *item = PyLong_FromSsize_t(i);
    if (item == NULL || PyList_SetItem(lst, i, item) < 0) {
      Py_DECREF(lst);
      return NULL;
    }
  }
  return lst;
}

// PyModule_AddObject steals on success only: here the release is right.
int O02_ok_add_object_steals_on_success(PyObject *m) {
  PyObject *v = PyLong_FromLong(5000);
  if (v == NULL) return -1;
  if (PyModule_AddObject(m, "LIMIT", v) < 0) {
    Py_DECREF(v);
    return -1;
  }
  return 0;
}

// ---- X01: the callee steals on success only -------------------------------------------------------------------------

typedef struct {
  PyObject **keys, **vals;
  size_t used, room;
} Tab;

static int grow(Tab *t) {
  if (t->used < t->room) return 0;
  size_t room = t->room ? 2 * t->room : 8;
  PyObject **k = PyMem_Realloc(t->keys, room * sizeof *k);
  if (k == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  t->keys = k;
  PyObject **v = PyMem_Realloc(t->vals, room * sizeof *v);
  if (v == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  t->vals = v;
  t->room = room;
  return 0;
}

static void put(Tab *t, PyObject *k, PyObject *v) {
  t->keys[t->used] = k;
  t->vals[t->used] = v;
  t->used++;
}

// 0: takes both references; -1: takes none.
static int add_owned(Tab *t, PyObject *k, PyObject *v) {
  if (grow(t) < 0) return -1;
  put(t, k, v);
  return 0;
}

int X01_caller_thinks_always_steals(Tab *t, PyObject *k, PyObject *v) {  // expect-in-function: python-leak, python-leak
  Py_INCREF(k);
  Py_INCREF(v);
  return add_owned(t, k, v);
}

int X01_ok_caller_releases_on_failure(Tab *t, PyObject *k, PyObject *v) {
  Py_INCREF(k);
  Py_INCREF(v);
  if (add_owned(t, k, v) < 0) {
    Py_DECREF(k);
    Py_DECREF(v);
    return -1;
  }
  return 0;
}

// ---- N03: error test instead of a NULL test -------------------------------------------------------------------------

int N03_ok_error_test_means_null(PyObject *map, long code, PyObject *v) {
  PyObject *k = PyLong_FromLong(code);
  if (PyErr_Occurred()) return -1;
  int rc = PyDict_SetItem(map, k, v);
  Py_DECREF(k);
  return rc;
}

// The inverse test says nothing about k being valid.
int N03_bad_test_inverted(PyObject *map, long code, PyObject *v) {
  PyObject *k = PyLong_FromLong(code);
  if (!PyErr_Occurred()) {
    int rc = PyDict_SetItem(map, k, v);
    Py_DECREF(k);
    return rc;
  }
  Py_DECREF(k);  // expect: python-null-deref|python-null-arg
  return -1;
}

// ---- N12: paths that end in a call that does not return -------------------------------------------------------------

enum { SANE, BROKEN };

static void die(const char *why) {
  fprintf(stderr, "%s\n", why);
  abort();
}

PyObject *N12_ok_assert_and_fatal(const char *p, const char *lo, const char *hi, int state) {
  PyObject *eight = PyLong_FromLong(8);
  if (eight == NULL) return NULL;
  assert(lo <= p && p < hi);
  if (state == BROKEN) Py_FatalError("state");
  PyObject *r = PyNumber_Power(eight, eight, Py_None);
  Py_DECREF(eight);
  return r;
}

PyObject *N12_ok_exit_and_wrapper(int state) {
  PyObject *eight = PyLong_FromLong(8);
  if (eight == NULL) return NULL;
  if (state == 2) exit(2);
  if (state == 3) abort();
  if (state == 4) die("state 4");
  return eight;
}

PyObject *N12_ok_unreachable(int state) {
  PyObject *r = PyDict_New();
  if (r == NULL) return NULL;
  switch (state) {
    case SANE:
    case BROKEN:
      return r;
    default:
      Py_UNREACHABLE();
  }
}

// A plain logging call does return.
extern void log_state(const char *why);

PyObject *N12_bad_call_returns(int state) {  // expect-in-function: python-leak
  PyObject *eight = PyLong_FromLong(8);
  if (eight == NULL) return NULL;
  if (state == BROKEN) {
    log_state("state");
    Py_RETURN_NONE;
  }
  return eight;
}

// ---- B02: filled after being stolen ---------------------------------------------------------------------------------

PyObject *B02_ok_fill_after_steal(Py_ssize_t h, Py_ssize_t w) {
  PyObject *rows = PyList_New(h);
  if (rows == NULL) return NULL;
  for (Py_ssize_t i = 0; i < h; i++) {
    PyObject *t = PyTuple_New(w);
    if (t == NULL) goto fail;
    PyList_SET_ITEM(rows, i, t);
    for (Py_ssize_t j = 0; j < w; j++) PyTuple_SET_ITEM(t, j, Py_NewRef(Py_None));
  }
  return rows;
fail:
  Py_DECREF(rows);
  return NULL;
}

// Set into a dict, own reference dropped, still used while the dict lives.
PyObject *B02_ok_use_while_dict_lives(PyObject *name) {
  PyObject *d = PyDict_New();
  if (d == NULL) return NULL;
  PyObject *inner = PyList_New(0);
  if (inner == NULL) {
    Py_DECREF(d);
    return NULL;
  }
  int rc = PyDict_SetItem(d, name, inner);
  Py_DECREF(inner);
  if (rc < 0 || PyList_Append(inner, name) < 0) {
    Py_DECREF(d);
    return NULL;
  }
  return d;
}

PyObject *B02_bad_fill_after_list_is_gone(Py_ssize_t w) {
  PyObject *rows = PyList_New(1);
  if (rows == NULL) return NULL;
  PyObject *t = PyTuple_New(w);
  if (t == NULL) {
    Py_DECREF(rows);
    return NULL;
  }
  PyList_SET_ITEM(rows, 0, t);
  Py_DECREF(rows);
  Py_ssize_t n = PyTuple_Size(t);  // expect: python-use-after-release
  return PyLong_FromSsize_t(n);
}

// The dict held the last reference to the value; then it went too.
long B02_bad_value_after_dict_is_gone(PyObject *name) {
  PyObject *d = PyDict_New();
  if (d == NULL) return -1;
  PyObject *v = PyObject_Str(name);
  if (v == NULL) {
    Py_DECREF(d);
    return -1;
  }
  int rc = PyDict_SetItem(d, name, v);
  Py_DECREF(v);
  Py_DECREF(d);
  if (rc < 0) return -1;
  return PyObject_Length(v);  // expect: python-use-after-release
}

// ---- K04 and L08: a flag says who owns ------------------------------------------------------------------------------

extern int contiguous(PyObject *o);
extern int overlaps(PyObject *a, PyObject *b);
extern int mask_is_false(PyObject *mask);
extern int work_on(PyObject *o);
extern int run(PyObject *dst, PyObject *src);

static PyObject *contiguous_copy(PyObject *o) { return PySequence_List(o); }

static PyObject *K04_ok_flag_says_who_owns(PyObject *self, PyObject *unused) {
  int copied = 0;
  if (!contiguous(self)) {
    self = contiguous_copy(self);
    if (self == NULL) return NULL;
    copied = 1;
  }
  int rc = work_on(self);
  if (rc < 0) {
    if (copied) Py_DECREF(self);
    return NULL;
  }
  if (copied) Py_DECREF(self);
  Py_RETURN_NONE;
}

static PyObject *K04_ok_flag_across_a_loop(PyObject *self, PyObject *seq) {
  int owned = 0;
  if (!PyList_CheckExact(seq)) {
    seq = PySequence_List(seq);
    if (seq == NULL) return NULL;
    owned = 1;
  }
  Py_ssize_t n = PyList_GET_SIZE(seq);
  long total = 0;
  for (Py_ssize_t i = 0; i < n; i++) total += contiguous(PyList_GET_ITEM(seq, i));
  if (owned) Py_DECREF(seq);
  return PyLong_FromLong(total);
}

static PyObject *K04_bad_flag_never_set(PyObject *self, PyObject *unused) {  // expect-in-function: python-leak
  int copied = 0;
  if (!contiguous(self)) {
    self = contiguous_copy(self);
    if (self == NULL) return NULL;
  }
  int rc = work_on(self);
  if (copied) Py_DECREF(self);
  if (rc < 0) return NULL;
  Py_RETURN_NONE;
}

int L08_one_exit_forgets_the_flag(PyObject *dst, PyObject *src, PyObject *mask) {  // expect-in-function: python-leak
  int own = 0;
  if (overlaps(dst, src)) {
    src = contiguous_copy(src);
    if (!src) return -1;
    own = 1;
  }
  if (mask_is_false(mask)) return 0;
  int rc = run(dst, src);
  if (own) Py_DECREF(src);
  return rc;
}

int L08_ok_every_exit_asks_the_flag(PyObject *dst, PyObject *src, PyObject *mask) {
  int own = 0;
  if (overlaps(dst, src)) {
    src = contiguous_copy(src);
    if (!src) return -1;
    own = 1;
  }
  if (mask_is_false(mask)) {
    if (own) Py_DECREF(src);
    return 0;
  }
  int rc = run(dst, src);
  if (own) Py_DECREF(src);
  return rc;
}

// ---- O05 and O06: the borrow ends with its owner --------------------------------------------------------------------

extern int draw(PyObject *dst, PyObject *img);

int O05_item_after_its_tuple(PyObject *dst, PyObject *it) {
  PyObject *pair = PyIter_Next(it);
  if (pair == NULL) return -1;
  if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
    Py_DECREF(pair);
    PyErr_SetString(PyExc_TypeError, "need pairs");
    return -1;
  }
  PyObject *img = PyTuple_GET_ITEM(pair, 0);
  Py_DECREF(pair);
  return draw(dst, img);  // expect: python-use-after-release
}

int O05_item_of_own_call_result(PyObject *dst, PyObject *fn) {
  PyObject *t = PyObject_CallNoArgs(fn);
  if (t == NULL) return -1;
  PyObject *img = PyTuple_GetItem(t, 0);
  if (img == NULL) {
    Py_DECREF(t);
    return -1;
  }
  Py_DECREF(t);
  return draw(dst, img);  // expect: python-use-after-release
}

int O05_ok_item_before_release(PyObject *dst, PyObject *it) {
  PyObject *pair = PyIter_Next(it);
  if (pair == NULL) return -1;
  if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
    Py_DECREF(pair);
    PyErr_SetString(PyExc_TypeError, "need pairs");
    return -1;
  }
  int rc = draw(dst, PyTuple_GET_ITEM(pair, 0));
  Py_DECREF(pair);
  return rc;
}

// The tuple is the caller's: dropping an extra reference to it does not end the borrow.
int O05_ok_owner_came_from_caller(PyObject *dst, PyObject *pair) {
  Py_INCREF(pair);
  PyObject *img = PyTuple_GetItem(pair, 0);
  Py_DECREF(pair);
  if (img == NULL) return -1;
  return draw(dst, img);
}

int O06_released_at_once(PyObject *row) {
  int skip = 0;
  PyObject *cell = PySequence_GetItem(row, 0);
  if (cell == NULL) return -1;
  Py_DECREF(cell);
  if (PyBytes_Check(cell)) skip++;  // expect: python-use-after-release
  return skip;
}

int O06_ok_released_after_the_test(PyObject *row) {
  int skip = 0;
  PyObject *cell = PySequence_GetItem(row, 0);
  if (cell == NULL) return -1;
  if (PyBytes_Check(cell)) skip++;
  Py_DECREF(cell);
  return skip;
}

// ---- K08: resize through a pointer to the pointer -------------------------------------------------------------------

extern int encode(char *to, Py_ssize_t cap);

static PyObject *K08_ok_bytes_resize(PyObject *self, PyObject *args) {
  Py_ssize_t cap;
  if (!PyArg_ParseTuple(args, "n", &cap)) return NULL;
  PyObject *buf = PyBytes_FromStringAndSize(NULL, cap);
  if (buf == NULL) return NULL;
  int n = encode(PyBytes_AS_STRING(buf), cap);
  if (_PyBytes_Resize(&buf, n > 0 ? n : 0) < 0) return NULL;
  return buf;
}

static PyObject *K08_ok_tuple_resize(PyObject *self, PyObject *args) {
  Py_ssize_t want;
  if (!PyArg_ParseTuple(args, "n", &want)) return NULL;
  PyObject *t = PyTuple_New(0);
  if (t == NULL) return NULL;
  if (_PyTuple_Resize(&t, want) < 0) return NULL;
  for (Py_ssize_t i = 0; i < want; i++) PyTuple_SET_ITEM(t, i, Py_NewRef(Py_None));
  return t;
}

static PyObject *K08_bad_release_after_failed_resize(PyObject *self, PyObject *args) {
  Py_ssize_t cap;
  if (!PyArg_ParseTuple(args, "n", &cap)) return NULL;
  PyObject *buf = PyBytes_FromStringAndSize(NULL, cap);
  if (buf == NULL) return NULL;
  int n = encode(PyBytes_AS_STRING(buf), cap);
  if (_PyBytes_Resize(&buf, n > 0 ? n : 0) < 0) {
    Py_DECREF(buf);  // expect: python-null-deref|python-null-arg
    return NULL;
  }
  return buf;
}

// ---- P01 and P02: partly filled containers and arrays ---------------------------------------------------------------

static PyObject *make(Py_ssize_t i) { return PyUnicode_FromFormat("#%zd", i); }

PyObject *P01_ok_error_while_filling(Py_ssize_t n) {
  PyObject *l = PyList_New(n);
  if (l == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *e = make(i);
    if (e == NULL) {
      Py_DECREF(l);
      return NULL;
    }
    PyList_SET_ITEM(l, i, e);
  }
  return l;
}

PyObject *P01_bad_list_forgotten(Py_ssize_t n) {  // expect-in-function: python-leak
  PyObject *l = PyList_New(n);
  if (l == NULL) return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *e = make(i);
    if (e == NULL) return NULL;
    PyList_SET_ITEM(l, i, e);
  }
  return l;
}

extern int run_all(PyObject **v, int n);
static PyObject *convert(PyObject *o) { return PyNumber_Float(o); }

int P02_ok_prefix_released(PyObject **src, int n) {
  PyObject *v[8];
  int i, rc;
  if (n > 8) n = 8;
  for (i = 0; i < n; i++)
    if ((v[i] = convert(src[i])) == NULL) goto fail;
  rc = run_all(v, n);
  for (i = 0; i < n; i++) Py_DECREF(v[i]);
  return rc;
fail:
  while (--i >= 0) Py_DECREF(v[i]);
  return -1;
}

int P02_bad_array_never_released(PyObject **src, int n) {  // expect-in-function: python-leak
  PyObject *v[8];
  int i;
  if (n > 8) n = 8;
  for (i = 0; i < n; i++)
    if ((v[i] = convert(src[i])) == NULL) return -1;
  return run_all(v, n);
}

// ---- X02: NumPy callees that steal on every path --------------------------------------------------------------------

PyObject *X02_ok_set_base_always_steals(char *mem, npy_intp n, PyObject *owner) {
  PyObject *view = PyArray_New(&PyArray_Type, 1, &n, NPY_DOUBLE, NULL, mem, 0, 0, NULL);
  if (view == NULL) return NULL;
  Py_INCREF(owner);
  if (PyArray_SetBaseObject((PyArrayObject *)view, owner) < 0) {
    Py_DECREF(view);
    return NULL;
  }
  return view;
}

PyObject *X02_ok_descr_is_stolen(npy_intp n) {
  PyArray_Descr *dt = PyArray_DescrFromType(NPY_DOUBLE);
  if (dt == NULL) return NULL;
  return PyArray_Zeros(1, &n, dt, 0);
}

PyObject *X02_bad_base_released_again(char *mem, npy_intp n, PyObject *arg) {
  PyObject *owner = PyObject_Str(arg);
  if (owner == NULL) return NULL;
  PyObject *view = PyArray_New(&PyArray_Type, 1, &n, NPY_DOUBLE, NULL, mem, 0, 0, NULL);
  if (view == NULL) {
    Py_DECREF(owner);
    return NULL;
  }
  if (PyArray_SetBaseObject((PyArrayObject *)view, owner) < 0) {
    Py_DECREF(owner);  // expect: python-over-release|python-use-after-release
    Py_DECREF(view);
    return NULL;
  }
  return view;
}

PyObject *X02_bad_descr_released_again(npy_intp n) {
  PyArray_Descr *dt = PyArray_DescrFromType(NPY_DOUBLE);
  if (dt == NULL) return NULL;
  PyObject *a = PyArray_NewFromDescr(&PyArray_Type, dt, 1, &n, NULL, NULL, 0, NULL);
  Py_DECREF(dt);  // expect: python-over-release|python-use-after-release
  return a;
}

PyObject *X02_bad_scalar_does_not_steal(double x) {  // expect-in-function: python-leak
  PyArray_Descr *dt = PyArray_DescrFromType(NPY_DOUBLE);
  if (dt == NULL) return NULL;
  return PyArray_Scalar(&x, dt, NULL);
}

// ---- T02: PyObject_New leaves the fields unset ----------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  void *handle;
} Repo;

typedef struct {
  PyObject_HEAD
  Repo *repo;
  long id;
} Note;

extern int load(Repo *repo, long id);

static void note_dealloc(Note *self) {
  Py_XDECREF((PyObject *)self->repo);
  PyObject_Free(self);
}

static PyTypeObject Note_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "first.Note",
    .tp_basicsize = sizeof(Note),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)note_dealloc,
};

PyObject *T02_released_before_fields_are_set(Repo *repo, long id) {
  Note *n = PyObject_New(Note, &Note_Type);
  if (n == NULL) return NULL;
  if (load(repo, id) < 0) {
    Py_DECREF(n);  // expect: python-uninit
    return NULL;
  }
  n->repo = (Repo *)Py_NewRef((PyObject *)repo);
  n->id = id;
  return (PyObject *)n;
}

PyObject *T02_ok_fields_set_first(Repo *repo, long id) {
  Note *n = PyObject_New(Note, &Note_Type);
  if (n == NULL) return NULL;
  n->repo = NULL;
  n->id = id;
  if (load(repo, id) < 0) {
    Py_DECREF(n);
    return NULL;
  }
  n->repo = (Repo *)Py_NewRef((PyObject *)repo);
  return (PyObject *)n;
}

PyObject *T02_bad_not_released_at_all(Repo *repo, long id) {  // expect-in-function: python-leak
  Note *n = PyObject_New(Note, &Note_Type);
  if (n == NULL) return NULL;
  if (load(repo, id) < 0) return NULL;
  n->repo = (Repo *)Py_NewRef((PyObject *)repo);
  n->id = id;
  return (PyObject *)n;
}

// ---- T05: heap types release their type -----------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  PyObject *inner;
} Prox;

static void T05_heap_dealloc_keeps_type(Prox *self) {  // expect-in-function: python-type-dealloc
  Py_XDECREF(self->inner);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void T05_ok_heap_dealloc(Prox *self) {
  PyTypeObject *tp = Py_TYPE(self);
  Py_XDECREF(self->inner);
  tp->tp_free((PyObject *)self);
  Py_DECREF(tp);
}

// For a static type the body without the type release is the right one.
static void T05_ok_static_dealloc(Prox *self) {
  Py_XDECREF(self->inner);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static void T05_bad_static_dealloc_releases_type(Prox *self) {
  PyTypeObject *tp = Py_TYPE(self);
  Py_XDECREF(self->inner);
  tp->tp_free((PyObject *)self);
  Py_DECREF(tp);  // expect: python-over-release|python-type-dealloc
}

static PyType_Slot leaky_slots[] = {{Py_tp_dealloc, T05_heap_dealloc_keeps_type}, {0, NULL}};
static PyType_Spec leaky_spec = {"first.Leaky", sizeof(Prox), 0, Py_TPFLAGS_DEFAULT, leaky_slots};
static PyType_Slot proper_slots[] = {{Py_tp_dealloc, T05_ok_heap_dealloc}, {0, NULL}};
static PyType_Spec proper_spec = {"first.Proper", sizeof(Prox), 0, Py_TPFLAGS_DEFAULT, proper_slots};

static PyTypeObject Static_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "first.Static",
    .tp_basicsize = sizeof(Prox),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)T05_ok_static_dealloc,
};
static PyTypeObject Wrong_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "first.Wrong",
    .tp_basicsize = sizeof(Prox),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)T05_bad_static_dealloc_releases_type,
};

// ---- module ---------------------------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"n08_ok", N08_ok_one_cleanup_label, METH_O, NULL},
    {"n08_ok_api", N08_ok_label_with_api_calls, METH_VARARGS, NULL},
    {"n08_bad", N08_bad_label_forgets_one, METH_O, NULL},
    {"l02", L02_error_value_inline, METH_VARARGS, NULL},
    {"l02_var", L02_error_value_in_variable, METH_VARARGS, NULL},
    {"l02_ok", L02_ok_error_value_released, METH_VARARGS, NULL},
    {"o01", O01_release_after_n, METH_O, NULL},
    {"o01_call", O01_call_function_n, METH_O, NULL},
    {"o01_ok", O01_ok_n_consumes, METH_O, NULL},
    {"k04_ok", K04_ok_flag_says_who_owns, METH_NOARGS, NULL},
    {"k04_ok_loop", K04_ok_flag_across_a_loop, METH_O, NULL},
    {"k04_bad", K04_bad_flag_never_set, METH_NOARGS, NULL},
    {"k08_ok", K08_ok_bytes_resize, METH_VARARGS, NULL},
    {"k08_ok_tuple", K08_ok_tuple_resize, METH_VARARGS, NULL},
    {"k08_bad", K08_bad_release_after_failed_resize, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "first", NULL, -1, methods};

static int add_heap_type(PyObject *m, const char *name, PyType_Spec *spec) {
  PyObject *t = PyType_FromSpec(spec);
  if (t == NULL) return -1;
  int rc = PyModule_AddObjectRef(m, name, t);
  Py_DECREF(t);
  return rc;
}

PyMODINIT_FUNC PyInit_first(void) {
  if (PyType_Ready(&Note_Type) < 0 || PyType_Ready(&Static_Type) < 0 || PyType_Ready(&Wrong_Type) < 0) return NULL;
  PyObject *m = PyModule_Create(&module);
  if (m == NULL) return NULL;
  if (add_heap_type(m, "Leaky", &leaky_spec) < 0 || add_heap_type(m, "Proper", &proper_spec) < 0) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}
