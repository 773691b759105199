// Functions that have a spec and a body: callers go by the spec, and the spec is the contract of the body.
// flags: --specs bodies.spec
#include <Python.h>

typedef struct shelf {
  long refs;
  PyObject *first, *label, *index;
  const struct rack_ops *ops;
} shelf;
struct rack_ops {
  shelf *(*get)(shelf *s);
};

void shelf_free(shelf *s);
PyObject *shelf_unknown(shelf *s, PyObject *o);

// ---- what is left in an out-parameter -------------------------------------------------------------------------------

int shelf_seek(shelf *s, PyObject *key, PyObject **out) {
  PyObject *v = PyDict_GetItemWithError(s->index, key);
  *out = v;
  if (!v) return PyErr_Occurred() ? -1 : 0;
  Py_INCREF(v);
  return 1;
}
int shelf_seek_bad(shelf *s, PyObject *key, PyObject **out) {
  PyObject *v = PyDict_GetItemWithError(s->index, key);
  *out = v;
  if (!v) return PyErr_Occurred() ? -1 : 0;
  return 1;  // expect: python-annotation
}
void shelf_show(shelf *s, PyObject **out) { *out = s->label; }
void shelf_show_bad(shelf *s, PyObject **out) {
  Py_INCREF(s->label);
  *out = s->label;
}  // expect: python-annotation

// ---- what is stolen begins owned -----------------------------------------------------------------------------------

int shelf_put(shelf *s, PyObject *o) {
  if (!s->index) {
    PyErr_SetString(PyExc_ValueError, "no index");
    Py_XDECREF(o);
    return -1;
  }
  Py_XSETREF(s->first, o);
  return 0;
}

int shelf_put_bad(shelf *s, PyObject *o) {  // expect-in-function: python-leak
  if (!s->index) {
    PyErr_SetString(PyExc_ValueError, "no index");
    return -1;
  }
  Py_XSETREF(s->first, o);
  return 0;
}

int shelf_put_twice(shelf *s, PyObject *o) {
  int r = PyDict_SetItemString(s->index, "first", o);
  Py_DECREF(o);
  if (r < 0) Py_DECREF(o);  // expect: python-over-release
  return r;
}

int shelf_put_looks(shelf *s, PyObject *o) {
  Py_DECREF(o);
  return PyObject_SetAttrString(s->label, "last", o);  // expect: python-use-after-release
}

// ---- what is stolen only by one end is judged end by end -----------------------------------------------------------

int shelf_try(shelf *s, PyObject *o) {
  if (!s->index) {
    PyErr_SetString(PyExc_ValueError, "no index");
    return -1;
  }
  if (PyDict_SetItemString(s->index, "first", o) < 0) return -1;
  Py_DECREF(o);
  return 0;
}

int shelf_try_bad(shelf *s, PyObject *o) {
  int r = PyDict_SetItemString(s->index, "first", o);
  Py_DECREF(o);
  if (r < 0) return -1;  // expect: python-annotation -- success alone steals it
  return 0;
}

int shelf_try_lazy(shelf *s, PyObject *o) {
  if (PyDict_SetItemString(s->index, "first", o) < 0) return -1;
  return 0;  // expect: python-annotation -- nobody releases what was handed over
}

void shelf_drop(PyObject *o) { Py_XDECREF(o); }

void shelf_drop_bad(PyObject *o) {  // expect-in-function: python-leak
  if (PyObject_IsTrue(o) > 0) Py_DECREF(o);
  PyErr_Clear();
}

// ---- what is returned ----------------------------------------------------------------------------------------------

PyObject *shelf_label(shelf *s) {
  if (!s->label) {
    PyErr_SetString(PyExc_ValueError, "no label");
    return NULL;
  }
  Py_INCREF(s->label);
  return s->label;
}

// An alias is a contract, too.
PyObject *shelf_label_again(shelf *s) {
  if (!s->label) return NULL;  // expect: python-annotation -- no exception
  return s->label;             // expect: python-annotation -- no reference
}

PyObject *shelf_label_bad(shelf *s) {
  if (!s->label) {
    PyErr_SetString(PyExc_ValueError, "no label");
    return NULL;
  }
  return s->label;  // expect: python-annotation
}

// The member's reference goes along.
PyObject *shelf_label_moved(shelf *s) {
  PyObject *label = s->label;
  s->label = NULL;
  return label;
}

PyObject *shelf_first(shelf *s) { return s->first; }

PyObject *shelf_first_bad(shelf *s) {
  return PyObject_GetAttrString(s->index, "first");  // expect: python-annotation -- the caller will not release it
}

PyObject *shelf_find(shelf *s, PyObject *key) {
  PyObject *found = PyDict_GetItemWithError(s->index, key);
  if (!found && !PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
  return found;
}

PyObject *shelf_find_bad(shelf *s, PyObject *key) {
  PyObject *found = PyDict_GetItemWithError(s->index, key);
  if (!found) PyErr_Clear();
  if (!found) return NULL;  // expect: python-annotation
  return found;
}

PyObject *shelf_back(PyObject *o) { return o; }

PyObject *shelf_back_bad(PyObject *o) {
  Py_INCREF(o);
  return o;  // expect: python-annotation
}

// ---- what is left alone --------------------------------------------------------------------------------------------

int shelf_look(shelf *s, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (!text) return -1;
  Py_DECREF(text);
  return 0;
}

int shelf_look_bad(shelf *s, PyObject *o) {  // expect-in-function: python-leak -- of `text`, as in any function
  PyObject *text = PyObject_Str(o);
  if (!text) return -1;
  if (PyObject_SetAttrString(s->index, "last", text) < 0) return -1;
  Py_DECREF(text);
  Py_DECREF(o);
  return 0;  // expect: python-annotation
}

int shelf_keep(shelf *s, PyObject *o) {
  Py_INCREF(o);
  Py_XSETREF(s->first, o);
  return 0;
}

// Of a version that is not in force nothing is asked.
PyObject *shelf_gone(PyObject *o) { return PyObject_Str(o); }

// ---- primitives: the counter itself -------------------------------------------------------------------------------

shelf *shelf_get(shelf *s) {
  s->refs++;
  return s;
}

static void drop(shelf *s) { --s->refs; }

void shelf_release(shelf *s) {
  drop(s);
  if (s->refs == 0) {
    Py_XDECREF(s->first);
    Py_XDECREF(s->first);
    shelf_free(s);
  }
}

// The count is that of what a member holds, or whoever stands behind a pointer keeps it.
void shelf_close(shelf *s) { Py_DECREF(s->index); }

// A helper with several callers that gives the member's reference back hides that the body keeps the count itself.
static void part_put(PyObject *part) { Py_DECREF(part); }

void FP_shelf_shut(shelf *s) { part_put(s->index); }  // false-alarm: python-leak, python-over-release

void shelf_makes_a_part(void) {
  PyObject *part = PyLong_FromLong(1000);
  if (part != NULL) part_put(part);
}

shelf *shelf_ask(shelf *s) { return s->ops->get(s); }

// No primitive: it goes by the other one.
shelf *shelf_get_twice(shelf *s) {
  shelf_get(s);
  return s;
}

// ---- names that only look alike ------------------------------------------------------------------------------------

// By a pattern: judged like any function, by no contract.
PyObject *shelf_at(int n) {
  if (n < 0) return NULL;
  return PyLong_FromLong(n);
}

PyObject *shelf_at_bad(int n) {  // expect-in-function: python-leak
  PyObject *o = PyLong_FromLong(n + 1000);
  if (!o) return NULL;
  if (n > 7) return PyUnicode_FromString("many");
  return o;
}

// Another number of parameters.
static int shelf_count(shelf *s) { return s->refs > 7 ? -1 : 0; }

// Another result.
static int shelf_same(PyObject *o) { return o != NULL; }

int counts_shelves(shelf *s) { return shelf_count(s) + shelf_same(s->first); }
