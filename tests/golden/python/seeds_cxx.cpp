// PyRefcon, figure 9: a guard's destructor releases while an exception unwinds the stack; correct.
// alone
#include <exception>
#include <utility>

#include "pycompat.h"

struct python_error : std::exception {};

template <class T>
class ObjectPtr {
 public:
  explicit ObjectPtr(T *p) noexcept : ptr_(p) {}
  ObjectPtr(ObjectPtr &&o) noexcept : ptr_(std::exchange(o.ptr_, nullptr)) {}
  ObjectPtr(const ObjectPtr &) = delete;
  ~ObjectPtr() { release_held(); }
  T *get() { return ptr_; }
  T *release() { return std::exchange(ptr_, nullptr); }
  explicit operator bool() const { return ptr_ != nullptr; }

 private:
  void release_held() {
    PyObject *held = reinterpret_cast<PyObject *>(ptr_);
    ptr_ = nullptr;
    Py_XDECREF(held);
  }
  T *ptr_;
};

PyObject *pyrefcon_fig9_ok_guard_unwinds(PyObject *const *values, Py_ssize_t n) {
  ObjectPtr<PyObject> list(PyList_New(n));
  if (!list) throw python_error();
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *text = PyObject_Str(values[i]);
    if (!text) throw python_error();
    PyList_SET_ITEM(list.get(), i, text);
  }
  return list.release();
}

PyObject *pyrefcon_fig9_bad_no_guard(PyObject *const *values, Py_ssize_t n) {  // expect-in-function: python-leak
  PyObject *list = PyList_New(n);
  if (!list) throw python_error();
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *text = PyObject_Str(values[i]);
    if (!text) throw python_error();
    PyList_SET_ITEM(list, i, text);
  }
  return list;
}
