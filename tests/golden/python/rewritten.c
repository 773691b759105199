// One function in two halves, one call behind a helper: what tests/metamorphic finds to be judged in another way, each in
// the smallest input. Functions without FP_ and FN_ are the same code in one piece, or mended.
// alone
// needs: 3.8
#include "pycompat.h"

extern int looked_at(PyObject *o);

// ---- wrong in a helper that is given what the caller knows ----------------------------------------------------------

// The rest of a function belongs to it: one leak, told where the function ends, and no word of the path that gives up.
static PyObject *fill_or_drop(PyObject *args, PyObject *out) {
  Py_ssize_t limit;
  if (!PyArg_ParseTuple(args, "n", &limit)) return NULL;  // expect: python-leak
  if (limit > 0 && PyList_Append(out, Py_None) < 0) {
    Py_DECREF(out);
    return NULL;
  }
  return out;
}
PyObject *told_once(PyObject *args) {
  PyObject *out = PyList_New(0);
  if (out == NULL) return NULL;
  return fill_or_drop(args, out);
}

// Members of a struct by value come and go with their references.
typedef struct {
  PyObject *o;
  int ok;
} Answer;
static Answer same_answer(Answer r) { return r; }
Answer ok_by_value(PyObject *o) {
  Answer r = {PyObject_Str(o), 0};
  r.ok = r.o != NULL;
  return same_answer(r);
}

static PyObject *or_none(PyObject *v) {
  if (v == NULL) Py_RETURN_NONE;
  return v;
}
PyObject *ok_found_or_none(PyObject *o, PyObject *key) {
  PyObject *v = PyObject_GetItem(o, key);
  if (v == NULL) PyErr_Clear();
  return or_none(v);
}

static PyObject *text_or_itself(PyObject *o) {
  if (PyUnicode_Check(o)) return o;  // expect: python-ownership-mix
  return PyObject_Str(o);
}
PyObject *given_and_given_back(PyObject *o) { return text_or_itself(o); }

static PyObject *result_of(PyObject *ret, PyObject *m, PyObject *args) {
  if (PyCallable_Check(m))
    ret = PyObject_Call(m, args, NULL);
  else
    PyErr_SetString(PyExc_TypeError, "not callable");
  Py_DECREF(m);
  return ret;
}
PyObject *ok_null_at_the_only_call(PyObject *o, PyObject *args) {
  PyObject *ret = NULL, *m = PyObject_GetAttrString(o, "m");
  if (m == NULL) return NULL;
  return result_of(ret, m, args);
}

// What holds of two arguments together is not told to the helper: it gives up the copy only.
int drop_copy(PyObject *original, PyObject *copy, int rc) {
  if (copy != original) Py_DECREF(copy);
  return rc;
}
int FP_copy_or_original(PyObject *original) {  // false-alarm: python-leak
  PyObject *copy = original;
  if (!PyList_CheckExact(original)) {
    copy = PySequence_List(original);
    if (copy == NULL) return -1;
  }
  return drop_copy(original, copy, looked_at(copy));
}

// ---- lost between caller and helper ---------------------------------------------------------------------------------

PyObject *text_after_owner(PyObject *b, const char *p) {
  Py_DECREF(b);
  return PyUnicode_FromString(p);
}
PyObject *text_after_bytes(PyObject *o) {
  PyObject *b = PyObject_Bytes(o);
  if (b == NULL) return NULL;
  return text_after_owner(b, PyBytes_AS_STRING(b));  // expect: python-use-after-release
}

// What the helper gives up as well is looked at before that.
static void both_given_up(PyObject *old, PyObject *msg) {
  Py_XDECREF(old);
  PyErr_SetObject(PyExc_TypeError, msg);
  Py_DECREF(msg);
}
void ok_both_given_up(PyObject *o) {
  PyObject *msg, *old = PyObject_Repr(o);
  if (old == NULL) return;
  msg = PyObject_Str(o);
  if (msg == NULL) {
    Py_DECREF(old);
    return;
  }
  both_given_up(old, msg);
}

int item_after_owner(PyObject *t, PyObject *item) {
  Py_DECREF(t);
  return looked_at(item);
}
int item_after_tuple(PyObject *o) {
  PyObject *t = PySequence_Tuple(o);
  if (t == NULL) return -1;
  PyObject *item = PyTuple_GetItem(t, 0);
  if (item == NULL) {
    Py_DECREF(t);
    return -1;
  }
  return item_after_owner(t, item);  // expect: python-use-after-release
}

static int first_of(const char *s) { return s[0]; }
static PyObject *optional_text(PyObject *self, PyObject *args) {
  const char *s = NULL;
  if (!PyArg_ParseTuple(args, "|s", &s)) return NULL;
  return PyLong_FromLong(first_of(s));  // expect: python-null-arg
}

PyObject *with_reference(PyObject *o) {
  Py_INCREF(o);
  return o;
}
static PyObject *optional_object(PyObject *self, PyObject *args) {
  PyObject *o = NULL;
  if (!PyArg_ParseTuple(args, "|O", &o)) return NULL;
  return with_reference(o);  // expect: python-null-arg
}

static PyObject *text_of(PyObject *o) { return PyObject_Str(o); }
static PyObject *FN_text_while_raised(PyObject *self, PyObject *o) {
  PyErr_SetString(PyExc_ValueError, "bad");
  PyObject *text = text_of(o);  // expect-not-yet: python-exception-set -- that the helper's call wants none is not told
  Py_XDECREF(text);
  return NULL;
}

static PyObject *FN_text_in_a_struct(PyObject *self, PyObject *o) {
  struct {
    PyObject *value, *text;
  } at;
  at.value = PyObject_GetAttrString(o, "value");
  if (at.value == NULL) {
    at.text = PyObject_Repr(o);  // expect-not-yet: python-exception-set -- a test of a member is none of the call's result
    Py_XDECREF(at.text);
    return NULL;
  }
  return at.value;
}

typedef struct {
  PyObject_HEAD
  PyObject *callback;
} Watcher;
static void keep(Watcher *w, PyObject *o) { w->callback = o; }
static PyObject *FN_remembered_by_helper(PyObject *self, PyObject *args) {
  PyObject *o;
  if (!PyArg_ParseTuple(args, "O", &o)) return NULL;
  keep((Watcher *)self, o);  // expect-not-yet: python-borrowed-return -- stored by a helper, it counts as kept somewhere
  Py_RETURN_NONE;
}
static PyObject *call_remembered(PyObject *self, PyObject *unused) {
  return PyObject_CallNoArgs(((Watcher *)self)->callback);
}
static PyObject *walked(PyObject *it) {
  PyObject *e;
  while ((e = PyIter_Next(it)) != NULL) Py_DECREF(e);
  Py_DECREF(it);
  Py_RETURN_NONE;  // expect: python-exception-set
}
static PyObject *error_swallowed(PyObject *self, PyObject *o) {
  PyObject *it = PyObject_GetIter(o);
  if (it == NULL) return NULL;
  return walked(it);
}
static Py_ssize_t after_tuple(PyObject *t, PyObject *s) {
  PyTuple_SET_ITEM(t, 0, s);
  Py_DECREF(t);
  return PyObject_Length(s);
}
static PyObject *stored_and_lost(PyObject *self, PyObject *o) {
  PyObject *t = PyTuple_New(1), *s = PyObject_Str(o);
  if (t == NULL || s == NULL) {
    Py_XDECREF(t);
    Py_XDECREF(s);
    return NULL;
  }
  Py_ssize_t n = after_tuple(t, s);  // expect: python-use-after-release
  return n < 0 ? NULL : PyLong_FromSsize_t(n);
}
typedef struct {
  PyObject_HEAD
  PyObject *name;
} Named;
static const char *text(PyObject *o) { return PyUnicode_AsUTF8(o); }
static PyObject *FP_member_converted(PyObject *self, PyObject *unused) {
  return PyLong_FromLong(text(((Named *)self)->name)[0]);  // false-alarm: python-null-deref -- a member is taken to be text where the API is called
}
// What was asked for in the first half holds in the rest.
static PyObject *number_in_capsule(PyObject *o) {
  return PyLong_FromLong(*(long *)PyCapsule_GetPointer(o, "box"));
}
static PyObject *asked_before(PyObject *self, PyObject *o) {
  if (!PyCapsule_IsValid(o, "box")) {
    PyErr_SetString(PyExc_TypeError, "no box");
    return NULL;
  }
  return number_in_capsule(o);
}
PyObject *tagged(Watcher *w, PyObject *o) {
  w->callback = (PyObject *)((uintptr_t)o | (w->ob_base.ob_refcnt & 1));
  Py_RETURN_NONE;
}
static PyObject *FP_tagged_by_helper(PyObject *self, PyObject *o) {
  PyObject *text = PyObject_Str(o);
  if (text == NULL) return NULL;
  return tagged((Watcher *)self, text);  // false-alarm: python-leak -- a pointer with a bit of its own, stored by a helper
}
extern PyObject *consume_view(Py_buffer *view);
static PyObject *FP_buffer_in_a_struct(PyObject *self, PyObject *o) {
  struct {
    Py_buffer view;
    PyObject *out;
  } at;
  at.view.buf = NULL;
  if (PyBytes_Check(o) && PyObject_GetBuffer(o, &at.view, PyBUF_SIMPLE) < 0) return NULL;
  at.out = consume_view(&at.view);
  if (at.view.buf != NULL) PyBuffer_Release(&at.view);
  return at.out;  // false-alarm: python-buffer-leak -- only a local of its own is known to be in use
}
PyObject *first_set(PyObject *t, PyObject *o) {
  if (PyTuple_SetItem(t, 0, Py_NewRef(o)) < 0) return NULL;
  return t;
}
static PyObject *FN_refused_in_helper(PyObject *self, PyObject *unused) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  return first_set(t, self);  // expect-not-yet: python-leak -- in the helper the tuple may be shared, so the call may fail
}
PyObject *value_or_null(PyObject *d, PyObject *k) {
  PyObject *v = PyDict_GetItemWithError(d, k);
  Py_XINCREF(v);
  return v;
}
static PyObject *FN_missing_in_helper(PyObject *self, PyObject *k) {
  return value_or_null(((Watcher *)self)->callback, k);  // expect-not-yet: python-missing-exception -- judged where it comes from, and there it may be meant
}
static void drop(PyObject *o) { Py_XDECREF(o); }
static PyObject *member_dropped_by_helper(PyObject *self, PyObject *o) {
  Watcher *w = (Watcher *)self;
  drop(w->callback);  // expect: python-borrow-across-call
  w->callback = Py_NewRef(o);
  Py_RETURN_NONE;
}
static PyObject *FN_unset_given_to_helper(PyObject *self, PyObject *args) {
  PyObject *o;
  if (!PyArg_UnpackTuple(args, "f", 0, 1, &o)) return NULL;
  return text_of(o);  // expect-not-yet: python-uninit -- what the helper's API does with its argument
}
static PyObject *length_after(PyObject *d, PyObject *v) {
  PyDict_Clear(d);
  return PyObject_Repr(v);
}
static PyObject *FN_cleared_by_helper(PyObject *self, PyObject *k) {
  PyObject *d = PyDict_New();
  if (d == NULL || PyDict_SetItem(d, k, k) < 0) {
    Py_XDECREF(d);
    return NULL;
  }
  PyObject *v = PyDict_GetItem(d, k);
  if (v == NULL) {
    Py_DECREF(d);
    return PyErr_NoMemory();
  }
  PyObject *r = length_after(d, v);  // expect-not-yet: python-use-after-release|python-borrow-across-call -- content dropped in the helper, and used there
  Py_DECREF(d);
  return r;
}
PyMethodDef more_methods[] = {
    {"a", asked_before, METH_O, NULL},
    {"b", FP_tagged_by_helper, METH_O, NULL},
    {"c", FP_buffer_in_a_struct, METH_O, NULL},
    {"d", FN_refused_in_helper, METH_NOARGS, NULL},
    {"e", FN_missing_in_helper, METH_O, NULL},
    {"f", member_dropped_by_helper, METH_O, NULL},
    {"g", FN_unset_given_to_helper, METH_VARARGS, NULL},
    {"h", FN_cleared_by_helper, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyMethodDef rewritten_methods[] = {
    {"g", error_swallowed, METH_O, NULL},
    {"h", stored_and_lost, METH_O, NULL},
    {"i", FP_member_converted, METH_NOARGS, NULL},
    {"a", optional_text, METH_VARARGS, NULL},           {"b", optional_object, METH_VARARGS, NULL},
    {"c", FN_text_while_raised, METH_O, NULL},          {"d", FN_text_in_a_struct, METH_O, NULL},
    {"e", FN_remembered_by_helper, METH_VARARGS, NULL}, {"f", call_remembered, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

// ---- calls behind a helper ------------------------------------------------------------------------------------------

extern int library_keeps(int slot, void *data, void (*drop)(void *));
int keeps(int slot, void *data, void (*drop)(void *)) { return library_keeps(slot, data, drop); }
static void drop_data(void *p) { Py_DECREF((PyObject *)p); }
int FP_library_keeps(PyObject *o) {  // false-alarm: python-leak
  PyObject *ref = PyWeakref_NewRef(o, NULL);
  if (ref == NULL) return -1;
  return keeps(1, ref, drop_data);
}

static void join(PyObject **p, PyObject *right) { PyBytes_ConcatAndDel(p, right); }
PyObject *ok_joined_by_helper(PyObject *o, PyObject *more) {
  PyObject *b = PyObject_Bytes(o);
  if (b == NULL) return NULL;
  join(&b, PyObject_Bytes(more));
  join(&b, PyObject_Bytes(more));
  return b;
}

static PyThreadState *let_go(void) { return PyEval_SaveThread(); }
int FN_let_go_twice(void) {
  PyThreadState *outer = let_go();
  PyThreadState *inner = let_go();  // expect-not-yet: python-gil -- what a helper needs of the lock at its call
  PyEval_RestoreThread(inner);
  PyEval_RestoreThread(outer);
  return 0;
}

static long number_of(PyObject *o) { return PyLong_AsLong(o); }
int FN_minus_one_alone(PyObject *o, long *out) {
  *out = number_of(o);
  if (*out == -1) return -1;  // expect-not-yet: python-missing-exception -- -1 may be the number itself
  return 0;
}

static void set_first(PyObject *t, PyObject *o) { PyTuple_SET_ITEM(t, 0, o); }
PyObject *FN_none_in_tuple(void) {
  PyObject *t = PyTuple_New(1);
  if (t == NULL) return NULL;
  set_first(t, Py_None);  // expect-not-yet: python-over-release -- a helper hands over None without a reference
  return t;
}

// None by another name, looked at together with it.
extern PyObject *take_next(void);
static long rest_of_none(void) {
  Py_DECREF(Py_None);
  return 0;
}
long none_by_another_name(void) {
  PyObject *x = take_next();
  if (x != Py_None) return 1;
  return rest_of_none();
}

// The list is the only caller's alone.
static PyObject *found_in(PyObject *list, PyObject *want) {
  PyObject *found = NULL;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && found == NULL; i++) {
    PyObject *x = PyList_GET_ITEM(list, i);
    int eq = PyObject_RichCompareBool(x, want, Py_EQ);
    if (eq < 0) break;
    if (eq == 1) found = Py_NewRef(x);
  }
  Py_DECREF(list);
  return found;
}
PyObject *found_in_fresh_list(PyObject *o, PyObject *want) {
  PyObject *list = PySequence_List(o);
  if (list == NULL) return NULL;
  return found_in(list, want);
}

// Where a module begins a failure may be left to the import, in a helper of that as well.
static PyModuleDef rewritten_module = {PyModuleDef_HEAD_INIT, "rewritten", NULL, -1, rewritten_methods};
static PyObject *with_list(PyObject *m) {
  PyModule_AddObject(m, "list", (PyObject *)&PyList_Type);
  Py_INCREF(&PyList_Type);
  return m;
}
PyMODINIT_FUNC PyInit_rewritten(void) {
  PyObject *m = PyModule_Create(&rewritten_module);
  if (m == NULL) return NULL;
  return with_list(m);
}

// An instance of a heap type, freed by a helper: the type keeps its reference.
static void free_it(void *p) { PyObject_Free(p); }
PyObject *freed_by_helper(PyTypeObject *type) {
  if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) return NULL;
  Watcher *w = PyObject_New(Watcher, type);
  if (w == NULL) return NULL;
  w->callback = take_next();
  if (w->callback == NULL) {
    free_it(w);
    return NULL;  // expect: python-type-dealloc
  }
  return (PyObject *)w;
}

// A format that a variadic function of the program is given: what a helper makes of it is not known.
static PyObject *built(const char *format, va_list va) { return Py_VaBuildValue(format, va); }
static int set_attribute(PyObject *o, const char *format, ...) {
  va_list va;
  va_start(va, format);
  PyObject *value = built(format, va);
  va_end(va);
  if (value == NULL) return -1;
  int status = PyObject_SetAttrString(o, "n", value);
  Py_DECREF(value);
  return status;
}
int FP_built_by_helper(PyObject *o) {  // false-alarm: python-leak
  PyObject *n = PyObject_Repr(o);
  if (n == NULL || set_attribute(o, "N", n) < 0) return -1;
  return 0;
}

// A reference of the caller's beside the one that lives on in an object that the helper puts into a list.
PyObject *listed(PyObject *o, PyObject *list, Watcher *w) {
  w->callback = Py_NewRef(o);
  if (PyList_Append(list, (PyObject *)w) < 0) Py_CLEAR(list);
  Py_DECREF(w);
  return list;
}
static PyObject *FN_taken_twice(PyObject *self, PyObject *o) {  // expect-not-yet: python-leak
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  Watcher *w = PyObject_New(Watcher, Py_TYPE(self));
  if (w == NULL) {
    Py_DECREF(list);
    return NULL;
  }
  Py_INCREF(o);
  return listed(o, list, w);
}
PyMethodDef last_methods[] = {{"a", FN_taken_twice, METH_O, NULL}, {NULL, NULL, 0, NULL}};

// ---- more that is lost between caller and helper ----------------------------------------------------------------------

// Whether a call has failed may be asked by the exception; asked by a helper, the answer says nothing of the object.
static PyObject *number(long n) { return PyLong_FromLong(n); }
static PyObject *raised(void) { return PyErr_Occurred(); }
int FP_error_asked_by_helper(PyObject *map, long code) {
  PyObject *k = number(code);
  if (raised()) return -1;  // false-alarm: python-leak
  int rc = PyDict_SetItem(map, k, Py_None);
  Py_DECREF(k);
  return rc;
}

// The type is asked for once more after the helper has given it up.
typedef struct {
  PyObject_HEAD
  long n;
} Plain;
void free_with_type(Plain *self, PyTypeObject *tp) {
  Py_DECREF(tp);
  Py_TYPE(self)->tp_free((PyObject *)self);
}
static void type_asked_in_helper(Plain *self) {
  free_with_type(self, Py_TYPE(self));  // expect: python-use-after-release
}
static PyType_Slot asked_slots[] = {{Py_tp_dealloc, type_asked_in_helper}, {0, NULL}};
PyType_Spec asked_spec = {"r.Asked", sizeof(Plain), 0, Py_TPFLAGS_DEFAULT, asked_slots};

// The type is asked for by a helper, before and after it is given up.
static PyTypeObject *type_of(Plain *o) { return Py_TYPE(o); }
static void FN_type_asked_by_helper(Plain *self) {
  PyTypeObject *tp = type_of(self);
  Py_DECREF(tp);
  type_of(self)->tp_free((PyObject *)self);  // expect-not-yet: python-use-after-release
}
static PyType_Slot asking_slots[] = {{Py_tp_dealloc, FN_type_asked_by_helper}, {0, NULL}};
PyType_Spec asking_spec = {"r.Asking", sizeof(Plain), 0, Py_TPFLAGS_DEFAULT, asking_slots};

// A slot's function is known by where it was read, through a member of a local and through helpers, too.
int slot_in_a_struct(PyObject *it) {  // expect-in-function: python-leak
  struct {
    iternextfunc next;
    PyObject *item;
  } at;
  at.next = Py_TYPE(it)->tp_iternext;
  at.item = at.next(it);
  return at.item != NULL;
}

static iternextfunc next_of(PyObject *it) { return Py_TYPE(it)->tp_iternext; }
static iternextfunc next_if_any(PyObject *it, int any) {
  if (!any) return Py_TYPE(it)->tp_iternext;
  return next_of(it);
}

int slot_by_helper(PyObject *it) {  // expect-in-function: python-leak
  iternextfunc next = next_of(it);
  PyObject *item = next(it);
  return item != NULL;
}

int slot_by_two(PyObject *it, int any) {  // expect-in-function: python-leak
  PyObject *item = next_if_any(it, any)(it);
  return item != NULL;
}

int slot_by_two_given(PyObject *it, int any) {
  PyObject *item = next_if_any(it, any)(it);
  Py_XDECREF(item);
  return item != NULL;
}

// One that the program wrote, or whatever stands in the field: behind a member neither is known.
static PyObject *next_of_mine(PyObject *it) { return PyObject_Repr(it); }
int FN_own_or_slot_in_a_struct(PyObject *it, int mine) {
  struct {
    iternextfunc next;
    PyObject *item;
  } at;
  at.next = mine ? next_of_mine : Py_TYPE(it)->tp_iternext;
  at.item = at.next(it);
  return at.item != NULL;  // expect-not-yet: python-leak
}

// None is found to be the object in the helper, which may have any other.
int drop_if_none(PyObject *v, int rc) {
  if (v == Py_None) Py_DECREF(v);
  return rc;
}
int FN_none_dropped_in_helper(PyObject *d, double x, int there) {
  PyObject *v = Py_None;
  if (there && (v = PyFloat_FromDouble(x)) == NULL) return -1;
  int rc = PyDict_SetItemString(d, "v", v);
  return drop_if_none(v, rc);  // expect-not-yet: python-over-release; maybe: python-leak
}

// A member is put into the place of a struct that is released, and used in the helper.
typedef struct {
  PyObject_HEAD
  PyObject *view;
} Looker;
static int looks_at(Looker *self) { return PyCallable_Check(self->view); }
int FN_member_used_in_helper(Looker *self) {
  self->view = PyList_New(0);
  if (self->view == NULL) return -1;
  Py_DECREF(self->view);
  int n = looks_at(self);  // expect-not-yet: python-use-after-release
  self->view = NULL;
  return n;
}

static void dropped(PyObject *o) { Py_DECREF(o); }
PyObject *FN_wrong_one_dropped(PyObject *a, PyObject *b) {
  PyObject *first = PyObject_Str(a), *second = NULL;
  if (first == NULL) return NULL;
  if (looked_at(first)) {
    dropped(first);
    return NULL;
  }
  if (PyObject_IsTrue(b) < 0) {
    dropped(second);  // expect: python-null-arg
    return NULL;  // expect-not-yet: python-leak -- the path ends where the helper follows NULL
  }
  return first;
}

PyObject *put_first(PyObject *t, PyObject *item) {
  if (PyTuple_SetItem(t, 0, item) != 0) {
    Py_DECREF(item);
    Py_DECREF(t);
    return NULL;
  }
  return t;
}
PyObject *FN_refused_and_dropped(PyObject *a) {
  PyObject *t = PyTuple_New(1), *item = PyObject_Str(a);
  if (t == NULL || item == NULL) {
    Py_XDECREF(t);
    Py_XDECREF(item);
    return NULL;
  }
  return put_first(t, item);  // expect-not-yet: python-over-release -- a call that fails takes the item, too
}

// Where the helper fails it gives up what the caller was given; that the caller does so once more is not told.
static int put_at(PyObject *list, Py_ssize_t at, PyObject *item) { return PyList_SetItem(list, at, item); }
PyObject *FN_refused_by_helper(Py_ssize_t at, PyObject *item) {
  PyObject *list = PyList_New(2);
  if (list == NULL) return NULL;
  Py_INCREF(item);
  if (put_at(list, at, item) < 0) {
    Py_DECREF(item);  // expect-not-yet: python-over-release
    Py_DECREF(list);
    return NULL;
  }
  return list;
}
PyObject *refused_here(Py_ssize_t at, PyObject *item) {
  PyObject *list = PyList_New(2);
  if (list == NULL) return NULL;
  Py_INCREF(item);
  if (PyList_SetItem(list, at, item) < 0) {
    Py_DECREF(item);  // expect: python-over-release
    Py_DECREF(list);
    return NULL;
  }
  return list;
}

// That a helper gives no memory is no failed call, and another helper is asked only where a call has failed.
static void *memory_of(size_t n) { return malloc(n); }
static void cleared(void *p) { memset(p, 0, 16); }
char FN_cleared_by_helpers(void) {
  char *p = memory_of(16);
  cleared(p);  // expect-not-yet: python-null-arg|python-null-deref
  char first = *p;
  free(p);
  return first;
}
char cleared_by_one_helper(void) {
  char *p = malloc(16);
  cleared(p);  // expect: python-null-arg
  char first = *p;
  free(p);
  return first;
}

extern int named(const char **names);
int names_told(const char **names, PyObject *hold, PyObject *b) {
  names[0] = PyBytes_AS_STRING(b);
  PyTuple_SET_ITEM(hold, 0, b);
  Py_DECREF(hold);
  return named(names);
}
int FN_pointer_in_array(PyObject *s) {
  const char *names[2] = {NULL, NULL};
  PyObject *hold = PyTuple_New(1), *b = PyUnicode_AsUTF8String(s);
  if (hold == NULL || b == NULL) {
    Py_XDECREF(hold);
    Py_XDECREF(b);
    return -1;
  }
  return names_told(names, hold, b);  // expect-not-yet: python-use-after-release
}

// ---- a flag in the place of returns
// -----------------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD void* room;
} Hall;
PyObject* FN_freed_behind_a_flag(PyObject* type) {
  PyObject* ret = NULL;
  int done = 0;
  if (!(((PyTypeObject*)type)->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
    PyErr_SetString(PyExc_TypeError, "need a heap type");
    done = 1;
  }
  if (!done) {
    Hall* d = PyObject_New(Hall, (PyTypeObject*)type);
    if (d == NULL) done = 1;
    if (!done) {
      d->room = PyMem_Malloc(8);
      if (d->room == NULL) {
        PyObject_Del(d);  // expect-not-yet: python-type-dealloc -- an instance of a heap type owns its type
        ret = PyErr_NoMemory();
        done = 1;
      }
      if (!done) ret = (PyObject*)d;
    }
  }
  return ret;
}

// ---- an object in a struct, and a loop that makes numbers ----------------------------------------------------------

// Small numbers are there already. That the counter grows beyond them is not seen where the object that the loop fills
// is in a struct; with a variable, or with texts, it is told.
typedef struct {
  PyObject *all;
} Numbers;
PyObject *FN_numbers_in_a_struct(PyObject *self, PyObject *args) {  // expect-not-yet: python-leak
  Numbers numbers;
  int n;
  if (!PyArg_ParseTuple(args, "i", &n)) return NULL;
  numbers.all = PyTuple_New(n);
  if (numbers.all == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    PyObject *number = PyLong_FromLong(i);
    if (number == NULL) return NULL;
    PyTuple_SET_ITEM(numbers.all, i, number);
  }
  return numbers.all;
}
PyObject *numbers_in_a_variable(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  int n;
  if (!PyArg_ParseTuple(args, "i", &n)) return NULL;
  PyObject *all = PyTuple_New(n);
  if (all == NULL) return NULL;
  for (int i = 0; i < n; i++) {
    PyObject *number = PyLong_FromLong(i);
    if (number == NULL) return NULL;
    PyTuple_SET_ITEM(all, i, number);
  }
  return all;
}
