// Objects that give the lock up, or take it, as long as they live.
// alone
#include "pycompat.h"

extern int work();

namespace {

struct Unlocked {
  PyThreadState *state;
  Unlocked() : state(PyEval_SaveThread()) {}
  ~Unlocked() { PyEval_RestoreThread(state); }
};

class Locked {
  PyGILState_STATE state_;

 public:
  Locked() : state_(PyGILState_Ensure()) {}
  ~Locked() { PyGILState_Release(state_); }
};

// Gives it up only if it is asked to, and can be told to end early.
class MaybeUnlocked {
  PyThreadState *state_ = nullptr;

 public:
  explicit MaybeUnlocked(bool unlock) {
    if (unlock) state_ = PyEval_SaveThread();
  }
  void end() {
    if (state_) PyEval_RestoreThread(state_);
    state_ = nullptr;
  }
  ~MaybeUnlocked() { end(); }
};

PyObject *used_unlocked(PyObject *, PyObject *) {
  Unlocked unlocked;
  int r = work();
  return PyLong_FromLong(r);  // expect: python-gil
}

PyObject *ok_used_after(PyObject *, PyObject *) {
  int r;
  {
    Unlocked unlocked;
    r = work();
  }
  return PyLong_FromLong(r);
}

PyObject *ok_locked_inside(PyObject *, PyObject *) {
  Unlocked unlocked;
  PyObject *out;
  int r = work();
  {
    Locked locked;
    out = PyLong_FromLong(r);
  }
  return out;
}

PyObject *used_after_locked(PyObject *, PyObject *) {
  Unlocked unlocked;
  {
    Locked locked;
    PyErr_Clear();
  }
  return PyLong_FromLong(1);  // expect: python-gil
}

void ok_callback() {
  Locked locked;
  PyErr_Clear();
}

PyObject *ok_locked_twice(PyObject *, PyObject *) {
  Locked locked;
  ok_callback();
  return PyLong_FromLong(1);
}

PyObject *ok_ended_early(PyObject *, PyObject *arg) {
  MaybeUnlocked unlocked(arg != Py_None);
  int r = work();
  unlocked.end();
  return PyLong_FromLong(r);
}

PyObject *never_ended(PyObject *, PyObject *arg) {
  MaybeUnlocked unlocked(arg != Py_None);
  int r = work();
  return PyLong_FromLong(r);  // expect: python-gil
}

}  // namespace

PyMethodDef methods[] = {
    {"a", used_unlocked, METH_NOARGS, nullptr},  {"b", ok_used_after, METH_NOARGS, nullptr}, {"c", ok_locked_inside, METH_NOARGS, nullptr},
    {"d", used_after_locked, METH_NOARGS, nullptr}, {"e", ok_locked_twice, METH_NOARGS, nullptr}, {"f", ok_ended_early, METH_O, nullptr},
    {"g", never_ended, METH_O, nullptr},         {nullptr, nullptr, 0, nullptr},
};
