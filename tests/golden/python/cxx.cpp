// C++: idioms C01 to C09. Guards, handles and deleters are ordinary classes here; their members are to be followed.
// alone
#include <functional>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "numpy_mini.h"
#include "pycompat.h"

extern bool fill(PyObject *t);
extern int use(PyObject *o);

// ---- C01: a scope guard that does not INCREF ------------------------------------------------------------------------

struct Ref {
  PyObject *p;
  explicit Ref(PyObject *q) : p(q) {}
  ~Ref() { Py_XDECREF(p); }
  Ref(const Ref &) = delete;
  Ref &operator=(const Ref &) = delete;
  PyObject *detach() {
    PyObject *t = p;
    p = nullptr;
    return t;
  }
};

PyObject *C01_ok_guard_and_detach(PyObject *a, PyObject *b) {
  Ref t(PyTuple_New(2));
  if (!t.p) return nullptr;
  PyTuple_SET_ITEM(t.p, 0, Py_NewRef(a));
  PyTuple_SET_ITEM(t.p, 1, Py_NewRef(b));
  if (!fill(t.p)) return nullptr;
  return t.detach();
}

PyObject *C01_ok_two_guards(PyObject *o) {
  Ref name(PyObject_GetAttrString(o, "name"));
  if (!name.p) return nullptr;
  Ref text(PyObject_Str(name.p));
  if (!text.p) return nullptr;
  return PyUnicode_Concat(name.p, text.p);
}

PyObject *C01_bad_detach_and_forget(PyObject *o) {  // expect-in-function: python-leak
  Ref t(PyObject_Str(o));
  if (!t.p) return nullptr;
  PyObject *raw = t.detach();
  if (use(raw) < 0) return nullptr;
  return raw;
}

// ---- C02: a guard around a borrowed reference -----------------------------------------------------------------------

int C02_guard_around_borrowed(PyObject *list, Py_ssize_t i) {  // expect-in-function: python-over-release
  Ref item(PyList_GetItem(list, i));
  if (!item.p) return -1;
  return use(item.p);
}

int C02_ok_guard_around_new_reference(PyObject *list, Py_ssize_t i) {
  PyObject *e = PyList_GetItem(list, i);
  Ref item(Py_XNewRef(e));
  if (!item.p) return -1;
  return use(item.p);
}

// Tuple and guard both think that they own the string.
PyObject *C02_item_without_detach(PyObject *o) {  // expect-in-function: python-over-release|python-use-after-release
  Ref s(PyObject_Str(o));
  if (!s.p) return nullptr;
  PyObject *t = PyTuple_New(1);
  if (!t) return nullptr;
  PyTuple_SET_ITEM(t, 0, s.p);
  return t;
}

PyObject *C02_ok_item_with_detach(PyObject *o) {
  Ref s(PyObject_Str(o));
  if (!s.p) return nullptr;
  PyObject *t = PyTuple_New(1);
  if (!t) return nullptr;
  PyTuple_SET_ITEM(t, 0, s.detach());
  return t;
}

// ---- C03: the guard's pointer returned ------------------------------------------------------------------------------

PyObject *C03_pointer_of_guard_returned() {  // expect-in-function: python-use-after-release|python-borrowed-return
  Ref out(PyDict_New());
  if (!out.p) return nullptr;
  return out.p;
}

PyObject *C03_ok_detached() {
  Ref out(PyDict_New());
  if (!out.p) return nullptr;
  return out.detach();
}

PyObject *C03_ok_new_reference_returned() {
  Ref out(PyDict_New());
  if (!out.p) return nullptr;
  return Py_NewRef(out.p);
}

// ---- C04 and C05: pybind11 handles ----------------------------------------------------------------------------------
// A small stand-in with pybind11's names and ownership rules.

namespace pybind11 {

class handle {
 public:
  handle() = default;
  handle(PyObject *p) : m_ptr(p) {}
  PyObject *ptr() const { return m_ptr; }
  const handle &inc_ref() const {
    Py_XINCREF(m_ptr);
    return *this;
  }
  const handle &dec_ref() const {
    Py_XDECREF(m_ptr);
    return *this;
  }
  explicit operator bool() const { return m_ptr != nullptr; }

 protected:
  PyObject *m_ptr = nullptr;
};

class object : public handle {
 public:
  struct borrowed_t {};
  struct stolen_t {};
  object() = default;
  object(handle h, borrowed_t) : handle(h) { inc_ref(); }
  object(handle h, stolen_t) : handle(h) {}
  object(const object &o) : handle(o) { inc_ref(); }
  object(object &&o) noexcept : handle(o) { o.m_ptr = nullptr; }
  object &operator=(object &&o) noexcept {
    if (this != &o) {
      handle old(*this);
      m_ptr = o.m_ptr;
      o.m_ptr = nullptr;
      old.dec_ref();
    }
    return *this;
  }
  ~object() { dec_ref(); }
  handle release() {
    PyObject *p = m_ptr;
    m_ptr = nullptr;
    return handle(p);
  }
};

class array : public object {
 public:
  using object::object;
};

class dtype : public object {
 public:
  using object::object;
  static dtype of_double() {
    return dtype(handle(reinterpret_cast<PyObject *>(PyArray_DescrFromType(NPY_DOUBLE))), stolen_t{});
  }
};

template <class T>
T reinterpret_borrow(handle h) {
  return T(h, object::borrowed_t{});
}
template <class T>
T reinterpret_steal(handle h) {
  return T(h, object::stolen_t{});
}

struct error_already_set : std::exception {};

}  // namespace pybind11

namespace py = pybind11;

py::array C04_borrow_of_new_reference(const py::object &o) {  // expect-in-function: python-leak
  PyObject *a = PyArray_FromAny(o.ptr(), nullptr, 0, 0, 0, nullptr);
  if (!a) throw py::error_already_set();
  return py::reinterpret_borrow<py::array>(a);
}

py::array C04_ok_steal_of_new_reference(const py::object &o) {
  PyObject *a = PyArray_FromAny(o.ptr(), nullptr, 0, 0, 0, nullptr);
  if (!a) throw py::error_already_set();
  return py::reinterpret_steal<py::array>(a);
}

py::object C04_ok_borrow_of_borrowed(PyObject *list) {
  PyObject *e = PyList_GetItem(list, 0);
  if (!e) throw py::error_already_set();
  return py::reinterpret_borrow<py::object>(e);
}

// The same the other way round.
py::object FN_C04_bad_steal_of_borrowed(PyObject *l) {  // expect-not-yet: python-over-release|python-borrowed-return -- handles that add a reference in a conversion are not told apart
  PyObject *e = PyList_GetItem(l, 0);
  if (!e) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(e);
}

py::array C05_ok_release_into_stealing_call(const py::object &o) {
  auto *d = reinterpret_cast<PyArray_Descr *>(py::dtype::of_double().release().ptr());
  PyObject *a = PyArray_FromAny(o.ptr(), d, 0, 0, 0, nullptr);
  if (!a) throw py::error_already_set();
  return py::reinterpret_steal<py::array>(a);
}

// The handle still owns the descriptor and releases it at the end; the call took it as well.
py::array
C05_bad_ptr_into_stealing_call(  // expect-in-function: python-over-release|python-use-after-release
    const py::object &o) {
  py::dtype d = py::dtype::of_double();
  PyObject *a = PyArray_FromAny(o.ptr(), reinterpret_cast<PyArray_Descr *>(d.ptr()), 0, 0, 0, nullptr);
  if (!a) throw py::error_already_set();
  return py::reinterpret_steal<py::array>(a);
}

PyObject *C05_bad_released_and_forgotten(const py::object &o) {  // expect-in-function: python-leak
  py::object s = py::reinterpret_steal<py::object>(PyObject_Str(o.ptr()));
  if (!s) return nullptr;
  PyObject *raw = s.release().ptr();
  return PyLong_FromLong(use(raw));
}

// ---- C06: a throw between acquire and release -----------------------------------------------------------------------

PyObject *C06_throw_between(PyObject *seq, std::size_t n) {  // expect-in-function: python-leak
  try {
    PyObject *it = PyObject_GetIter(seq);
    if (!it) return nullptr;
    std::vector<double> v;
    v.reserve(n);
    PyObject *r = PyLong_FromSize_t(v.capacity());
    Py_DECREF(it);
    return r;
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
    return nullptr;
  }
}

PyObject *C06_throwing_at(PyObject *seq, const std::vector<long> &v) {  // expect-in-function: python-leak
  try {
    PyObject *it = PyObject_GetIter(seq);
    if (!it) return nullptr;
    long x = v.at(3);
    Py_DECREF(it);
    return PyLong_FromLong(x);
  } catch (const std::out_of_range &) {
    PyErr_SetString(PyExc_IndexError, "three");
    return nullptr;
  }
}

PyObject *C06_ok_guarded(PyObject *seq, std::size_t n) {
  try {
    Ref it(PyObject_GetIter(seq));
    if (!it.p) return nullptr;
    std::vector<double> v;
    v.reserve(n);
    return PyLong_FromSize_t(v.capacity());
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
    return nullptr;
  }
}

PyObject *C06_ok_throw_before_acquire(PyObject *seq, std::size_t n) {
  try {
    std::vector<double> v;
    v.reserve(n);
    PyObject *it = PyObject_GetIter(seq);
    if (!it) return nullptr;
    PyObject *r = PyLong_FromSize_t(v.capacity());
    Py_DECREF(it);
    return r;
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
    return nullptr;
  }
}

PyObject *C06_ok_handler_releases(PyObject *seq, std::size_t n) {
  PyObject *it = PyObject_GetIter(seq);
  if (!it) return nullptr;
  try {
    std::vector<double> v;
    v.reserve(n);
  } catch (const std::exception &e) {
    Py_DECREF(it);
    PyErr_SetString(PyExc_RuntimeError, e.what());
    return nullptr;
  }
  return it;
}

// ---- C07: a move-assign loop ----------------------------------------------------------------------------------------

class py_ref {
 public:
  py_ref() = default;
  py_ref(const py_ref &o) : p_(o.p_) { Py_XINCREF(p_); }
  py_ref(py_ref &&o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  py_ref &operator=(py_ref &&o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~py_ref() { Py_XDECREF(p_); }
  static py_ref steal(PyObject *p) {
    py_ref r;
    r.p_ = p;
    return r;
  }
  static py_ref borrow(PyObject *p) {
    Py_XINCREF(p);
    return steal(p);
  }
  PyObject *get() const { return p_; }
  PyObject *release() { return std::exchange(p_, nullptr); }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  PyObject *p_ = nullptr;
};

static double convert(PyObject *o) { return PyFloat_AsDouble(o); }

void C07_ok_move_assign_loop(PyObject *seq, std::vector<double> &out) {
  py_ref it = py_ref::steal(PyObject_GetIter(seq));
  if (!it) throw std::runtime_error("not iterable");
  py_ref item;
  while ((item = py_ref::steal(PyIter_Next(it.get())))) out.push_back(convert(item.get()));
  if (PyErr_Occurred()) throw std::runtime_error("iteration failed");
}

// Each item is taken over as if it were borrowed: one reference too many per round.
void C07_bad_borrow_in_loop(PyObject *seq, std::vector<double> &out) {  // expect-in-function: python-leak
  py_ref it = py_ref::steal(PyObject_GetIter(seq));
  if (!it) throw std::runtime_error("not iterable");
  py_ref item;
  while ((item = py_ref::borrow(PyIter_Next(it.get())))) out.push_back(convert(item.get()));
  if (PyErr_Occurred()) throw std::runtime_error("iteration failed");
}

// ---- C08: an owning member overwritten, or copied -------------------------------------------------------------------

struct Paths {
  PyObject *src = nullptr;
  ~Paths() { Py_XDECREF(src); }
  void FN_C08_set(PyObject *o) {  // expect-not-yet: python-leak -- copies of a class with a releasing destructor are not followed
    src = o;
    Py_INCREF(src);
  }
  void C08_ok_set(PyObject *o) {
    Py_INCREF(o);
    Py_XSETREF(src, o);
  }
};

long C08_ok_paths(PyObject *o) {
  Paths a;
  a.C08_ok_set(o);
  return PyObject_Length(a.src);
}

long C08_set_twice(PyObject *o, PyObject *other) {  // maybe-in-function: python-leak -- or only in the setter
  Paths a;
  a.FN_C08_set(o);
  a.FN_C08_set(other);
  return PyObject_Length(a.src);
}

// Two destructors, one reference.
long FN_C08_default_copy(PyObject *o) {  // expect-not-yet: python-over-release|python-use-after-release -- copies of a class with a releasing destructor are not followed
  Paths a;
  a.C08_ok_set(o);
  Paths b = a;
  return PyObject_Length(b.src);
}

struct SafePaths {
  PyObject *src = nullptr;
  SafePaths() = default;
  SafePaths(const SafePaths &o) : src(Py_XNewRef(o.src)) {}
  SafePaths &operator=(const SafePaths &) = delete;
  ~SafePaths() { Py_XDECREF(src); }
};

long C08_ok_copy_constructor(PyObject *o) {
  SafePaths a;
  a.src = Py_NewRef(o);
  SafePaths b = a;
  return PyObject_Length(b.src);
}

// ---- C09: deleter-based unique_ptr and forwarding helpers -----------------------------------------------------------

struct Drop {
  void operator()(PyObject *p) const { Py_XDECREF(p); }
};
using Own = std::unique_ptr<PyObject, Drop>;

template <class... T>
Own C09_ok_pack(const T &...x) {
  return Own(PyTuple_Pack(sizeof...(x), x.get()...));
}

PyObject *C09_ok_call_pack(PyObject *a, PyObject *b) {
  Own x(PyObject_Str(a));
  Own y(PyObject_Repr(b));
  if (!x || !y) return nullptr;
  Own t = C09_ok_pack(x, y);
  return t.release();
}

PyObject *C09_ok_reset_in_between(PyObject *o) {
  Own x(PyObject_GetAttrString(o, "first"));
  if (!x) return nullptr;
  x.reset(PyObject_GetAttrString(o, "second"));
  if (!x) return nullptr;
  return PyObject_Str(x.get());
}

PyObject *C09_bad_get_returned(PyObject *o) {  // expect-in-function: python-use-after-release|python-borrowed-return
  Own x(PyObject_GetAttrString(o, "first"));
  PyObject *raw = x.get();
  return raw;
}

PyObject *C09_bad_release_forgotten(PyObject *o) {  // expect-in-function: python-leak
  Own x(PyObject_GetAttrString(o, "first"));
  if (!x) return nullptr;
  if (use(x.release()) < 0) return nullptr;
  Py_RETURN_NONE;
}

// ---- owners that are moved ----------------------------------------------------------------------------------------------

PyObject *owner_moved(PyObject *o) {
  Own a{PyObject_Str(o)};
  auto b = std::move(a);
  if (!b) return nullptr;
  return PyObject_Repr(b.get());
}

PyObject *owner_moved_and_lost(PyObject *o) {  // expect-in-function: python-leak
  Own a{PyObject_Str(o)};
  auto b = std::move(a);
  if (!b) return nullptr;
  return PyObject_Repr(b.release());
}

static void drop(PyObject *o) { Py_XDECREF(o); }

PyObject *owner_with_function(PyObject *o) {
  std::unique_ptr<PyObject, void (*)(PyObject *)> x(PyObject_Str(o), drop);
  if (!x) return nullptr;
  return PyObject_Repr(x.get());
}

// ---- helpers that throw on a condition ------------------------------------------------------------------------------------

struct Failed : std::exception {};

static PyObject *checked(PyObject *o) {
  if (!o) throw Failed();
  return o;
}

PyObject *caught_by_condition(PyObject *o) {
  PyObject *s = nullptr;
  try {
    s = checked(PyObject_Str(o));
    PyObject *r = checked(PyObject_Repr(s));
    Py_DECREF(s);
    return r;
  } catch (const Failed &) {
    Py_XDECREF(s);
    return nullptr;
  }
}

PyObject *caught_and_lost(PyObject *o) {  // expect-in-function: python-leak
  PyObject *s = nullptr;
  try {
    s = checked(PyObject_Str(o));
    PyObject *r = checked(PyObject_Repr(s));
    Py_DECREF(s);
    return r;
  } catch (const Failed &) {
    return nullptr;
  }
}

// ---- a call through std::function, whose unknown half throws -----------------------------------------------------------

static PyObject *called_ok_through_function(PyObject *, PyObject *o) {
  std::function<PyObject *(PyObject *)> f = [](PyObject *x) { return PyObject_Str(x); };
  return f(o);
}
static PyMethodDef function_methods[] = {{"f", called_ok_through_function, METH_O, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMethodDef *use_function_methods = function_methods;
