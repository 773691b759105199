// The lock and functions of the program's own: helpers that need it, give it up for their caller, or take it themselves.
// alone
#include "pycompat.h"

extern int work(int n);

static void say(const char *text) {
  PyObject *s = PyUnicode_FromString(text);
  Py_XDECREF(s);
  PyErr_Clear();
}

static void say_twice(const char *text) {
  say(text);
  say(text);
}

static void say_with_lock(const char *text) {
  PyGILState_STATE state = PyGILState_Ensure();
  say(text);
  PyGILState_Release(state);
}

static int fail_unless(int ok) {
  if (ok) return 0;
  PyErr_SetString(PyExc_ValueError, "no");
  return -1;
}

static PyObject *helper_without_lock(PyObject *self, PyObject *unused) {
  Py_BEGIN_ALLOW_THREADS
  if (work(1)) say("x");  // expect: python-gil
  Py_END_ALLOW_THREADS
  Py_RETURN_NONE;
}

static PyObject *helper_of_helper_without_lock(PyObject *self, PyObject *unused) {
  Py_BEGIN_ALLOW_THREADS
  if (work(1)) say_twice("x");  // expect: python-gil
  Py_END_ALLOW_THREADS
  Py_RETURN_NONE;
}

static PyObject *helper_raises_without_lock(PyObject *self, PyObject *unused) {
  int failed;
  Py_BEGIN_ALLOW_THREADS
  failed = fail_unless(work(1) == 0);  // expect: python-gil
  Py_END_ALLOW_THREADS
  if (failed) return NULL;
  Py_RETURN_NONE;
}

static PyObject *ok_helper_succeeds_without_lock(PyObject *self, PyObject *unused) {
  int failed;
  Py_BEGIN_ALLOW_THREADS
  failed = fail_unless(1);
  Py_END_ALLOW_THREADS
  if (failed) return NULL;
  Py_RETURN_NONE;
}

static PyObject *ok_helper_takes_lock(PyObject *self, PyObject *unused) {
  Py_BEGIN_ALLOW_THREADS
  if (work(1)) say_with_lock("x");
  Py_END_ALLOW_THREADS
  say("y");
  Py_RETURN_NONE;
}

static PyObject *ok_helper_after_lock(PyObject *self, PyObject *unused) {
  int n;
  Py_BEGIN_ALLOW_THREADS
  n = work(1);
  Py_END_ALLOW_THREADS
  if (n) say_twice("x");
  Py_RETURN_NONE;
}

static PyObject *ok_taken_inside(PyObject *self, PyObject *unused) {
  Py_BEGIN_ALLOW_THREADS
  if (work(1)) {
    Py_BLOCK_THREADS
    say("x");
    Py_UNBLOCK_THREADS
  }
  Py_END_ALLOW_THREADS
  Py_RETURN_NONE;
}

static PyObject *given_up_again(PyObject *self, PyObject *unused) {
  Py_BEGIN_ALLOW_THREADS
  if (work(1)) {
    Py_BLOCK_THREADS
    say("x");
    Py_UNBLOCK_THREADS
    say("y");  // expect: python-gil
  }
  Py_END_ALLOW_THREADS
  Py_RETURN_NONE;
}

static PyThreadState *leave(void) { return PyEval_SaveThread(); }
static void enter(PyThreadState *state) { PyEval_RestoreThread(state); }

static PyObject *given_up_by_helper(PyObject *self, PyObject *unused) {
  PyThreadState *state = leave();
  int n = work(1);
  PyObject *out = PyLong_FromLong(n);  // expect: python-gil
  enter(state);
  return out;
}

static PyObject *ok_given_up_by_helper(PyObject *self, PyObject *unused) {
  PyThreadState *state = leave();
  int n = work(1);
  enter(state);
  return PyLong_FromLong(n);
}

// A thread of a library calls this.
static void callback(void *data) {
  PyGILState_STATE state = PyGILState_Ensure();
  say("x");
  Py_BEGIN_ALLOW_THREADS
  work(2);
  Py_END_ALLOW_THREADS
  say("y");
  PyGILState_Release(state);
}

static void callback_without_lock(void *data) {
  PyGILState_STATE state = PyGILState_Ensure();
  Py_BEGIN_ALLOW_THREADS
  say("x");  // expect: python-gil
  Py_END_ALLOW_THREADS
  PyGILState_Release(state);
}

// Which of two pairs is in force is decided once.
static PyThreadState *kept;
static void really_leave(void) { kept = PyEval_SaveThread(); }
static void really_enter(void) { PyEval_RestoreThread(kept); }
static void do_nothing(void) {}
static struct {
  void (*leave)(void);
  void (*enter)(void);
} locking = {do_nothing, do_nothing};
void lock_for_threads(void) {
  locking.leave = really_leave;
  locking.enter = really_enter;
}

static PyObject *ok_through_pointers(PyObject *self, PyObject *unused) {
  int n;
  locking.leave();
  n = work(1);
  locking.enter();
  return PyLong_FromLong(n);
}

void (*callbacks[])(void *) = {callback, callback_without_lock};

PyMethodDef methods[] = {
    {"a", helper_without_lock, METH_NOARGS, NULL},
    {"b", helper_of_helper_without_lock, METH_NOARGS, NULL},
    {"c", helper_raises_without_lock, METH_NOARGS, NULL},
    {"d", ok_helper_succeeds_without_lock, METH_NOARGS, NULL},
    {"e", ok_helper_takes_lock, METH_NOARGS, NULL},
    {"f", ok_helper_after_lock, METH_NOARGS, NULL},
    {"g", ok_taken_inside, METH_NOARGS, NULL},
    {"h", given_up_again, METH_NOARGS, NULL},
    {"i", given_up_by_helper, METH_NOARGS, NULL},
    {"j", ok_given_up_by_helper, METH_NOARGS, NULL},
    {"k", ok_through_pointers, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
