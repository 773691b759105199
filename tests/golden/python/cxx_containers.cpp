// Owners in the containers and wrappers of the standard library: whoever destroys those releases what they hold.
// flags: -- -std=c++20
#include "pycompat.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Dec {
  void operator()(PyObject *o) const { Py_XDECREF(o); }
};
using Ptr = std::unique_ptr<PyObject, Dec>;

class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject *o) : p(o) {}
  Ref(const Ref &o) : p(o.p) { Py_XINCREF(p); }
  Ref(Ref &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
  Ref &operator=(Ref o) noexcept {
    std::swap(p, o.p);
    return *this;
  }
  ~Ref() { Py_XDECREF(p); }
  PyObject *get() const { return p; }
  PyObject *release() { return std::exchange(p, nullptr); }
  explicit operator bool() const { return p != nullptr; }

 private:
  PyObject *p = nullptr;
};

}  // namespace

PyObject *own_vector_push_moved(PyObject *o) {
  std::vector<Ptr> v;
  for (int i = 0; i < 3; i++) {
    Ptr r(PyObject_Str(o));
    if (!r) return nullptr;
    v.push_back(std::move(r));
  }
  return PyObject_Repr(v[0].get());
}

PyObject *own_vector_emplace_back(PyObject *o) {
  std::vector<Ref> v;
  for (int i = 0; i < 4; i++) {
    v.emplace_back(PyObject_Str(o));
    if (!v.back()) return nullptr;
  }
  return PyObject_Repr(v[0].get());
}

PyObject *own_vector_once(PyObject *o) {
  std::vector<Ref> v;
  v.push_back(Ref(PyObject_Str(o)));
  if (!v.front()) return nullptr;
  return v.front().release();
}

PyObject *own_vector_copies(PyObject *o) {
  Ref r(PyObject_Str(o));
  if (!r) return nullptr;
  std::vector<Ref> v(3, r);
  std::vector<Ref> w = v;
  return PyLong_FromSize_t(w.size());
}

PyObject *own_vector_insert_erase(PyObject *o) {
  std::vector<Ref> v;
  v.reserve(2);
  v.insert(v.begin(), Ref(PyObject_Str(o)));
  v.erase(v.begin());
  v.clear();
  Py_RETURN_NONE;
}

PyObject *own_map_of_owners(PyObject *o) {
  std::map<std::string, Ref> m;
  m["a"] = Ref(PyObject_Str(o));
  m.emplace("b", Ref(PyObject_Repr(o)));
  auto it = m.find("a");
  if (it == m.end() || !it->second) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_KeyError, "a");
    return nullptr;
  }
  return it->second.release();
}

PyObject *own_unordered_map(PyObject *o) {
  std::unordered_map<int, Ptr> m;
  m[1] = Ptr(PyObject_Str(o));
  m.insert({2, Ptr(PyObject_Repr(o))});
  if (!m[1]) return nullptr;
  return m[1].release();
}

PyObject *own_array_of_owners(PyObject *o) {
  std::array<Ref, 2> a{Ref(PyObject_Str(o)), Ref(PyObject_Repr(o))};
  if (!a[0] || !a[1]) return nullptr;
  return a[1].release();
}

PyObject *own_list_of_owners(PyObject *o) {
  std::list<Ref> l;
  l.emplace_back(PyObject_Str(o));
  l.push_front(Ref(PyObject_Repr(o)));
  if (!l.front() || !l.back()) return nullptr;
  return l.front().release();
}

PyObject *own_deque_of_owners(PyObject *o) {
  std::deque<Ref> d;
  d.emplace_back(PyObject_Str(o));
  d.push_front(Ref(PyObject_Repr(o)));
  if (!d.front()) return nullptr;
  return d.front().release();
}

PyObject *own_pair(PyObject *o) {
  std::pair<Ref, Ref> p{Ref(PyObject_Str(o)), Ref(PyObject_Repr(o))};
  if (!p.first || !p.second) return nullptr;
  return p.first.release();
}

PyObject *own_make_pair(PyObject *o) {
  auto p = std::make_pair(Ptr(PyObject_Str(o)), 3);
  if (!p.first) return nullptr;
  return PyObject_Repr(p.first.get());
}

PyObject *own_optional(PyObject *o, int flag) {
  std::optional<Ref> r;
  if (flag) r = Ref(PyObject_Str(o));
  if (!r || !*r) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "nothing");
    return nullptr;
  }
  return PyObject_Repr(r->get());
}

PyObject *own_optional_emplace(PyObject *o) {
  std::optional<Ref> r;
  r.emplace(PyObject_Str(o));
  r.reset();
  Py_RETURN_NONE;
}

PyObject *own_tuple(PyObject *o) {
  std::tuple<int, Ref, Ref> t{1, Ref(PyObject_Str(o)), Ref(PyObject_Repr(o))};
  if (!std::get<1>(t)) return nullptr;
  return std::get<1>(t).release();
}

PyObject *own_variant(PyObject *o, int flag) {
  std::variant<int, Ref> v = 1;
  if (flag) v = Ref(PyObject_Str(o));
  if (auto *r = std::get_if<Ref>(&v)) {
    if (!*r) return nullptr;
    return r->release();
  }
  return PyLong_FromLong(std::get<int>(v));
}

static PyObject *sum(std::initializer_list<Ref> l) {
  for (const Ref &r : l)
    if (!r) return nullptr;
  return PyLong_FromSize_t(l.size());
}

PyObject *own_initializer_list(PyObject *o) { return sum({Ref(PyObject_Str(o)), Ref(PyObject_Repr(o))}); }

PyObject *own_vector_from_list(PyObject *o) {
  std::vector<Ref> v{Ref(PyObject_Str(o)), Ref(PyObject_Repr(o))};
  for (auto &r : v)
    if (!r) return nullptr;
  return v[1].release();
}

PyObject *own_range_for(PyObject *o) {
  std::vector<Ptr> v;
  v.push_back(Ptr(PyObject_Str(o)));
  v.push_back(Ptr(PyObject_Repr(o)));
  Ref list(PyList_New(0));
  if (!list) return nullptr;
  for (const auto &r : v)
    if (!r || PyList_Append(list.get(), r.get()) < 0) return nullptr;
  return list.release();
}

static std::pair<Ref, int> both(PyObject *o) { return {Ref(PyObject_Str(o)), 1}; }

PyObject *own_structured_binding(PyObject *o) {
  auto [r, n] = both(o);
  if (!r) return nullptr;
  return PyLong_FromLong(n);
}

PyObject *own_lambda_by_move(PyObject *o) {
  Ref r(PyObject_Str(o));
  if (!r) return nullptr;
  auto f = [r = std::move(r)]() { return PyObject_Repr(r.get()); };
  return f();
}

PyObject *own_function_with_owner(PyObject *o) {
  Ref r(PyObject_Str(o));
  if (!r) return nullptr;
  std::function<PyObject *()> f = [r]() { return PyObject_Repr(r.get()); };
  return f();
}

PyObject *own_lambda_moved_into_vector(PyObject *o) {
  std::vector<std::function<PyObject *()>> v;
  Ref r(PyObject_Str(o));
  if (!r) return nullptr;
  v.push_back([r = std::move(r)]() { return PyObject_Repr(r.get()); });
  return v[0]();
}

PyObject *own_thrown_past(PyObject *o, int n) {
  try {
    std::vector<Ref> v;
    v.emplace_back(PyObject_Str(o));
    if (n < 0) throw std::runtime_error("negative");
    return v.at(0).release();
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
    return nullptr;
  }
}

PyObject *own_shared(PyObject *o) {
  std::shared_ptr<PyObject> p(PyObject_Str(o), Dec());
  if (!p) return nullptr;
  std::vector<std::shared_ptr<PyObject>> v(2, p);
  return PyObject_Repr(v[1].get());
}

PyObject *own_sorted(PyObject *o) {
  std::vector<std::pair<long, Ref>> v;
  v.emplace_back(2, Ref(PyObject_Str(o)));
  v.emplace_back(1, Ref(PyObject_Repr(o)));
  std::sort(v.begin(), v.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  return v[0].second.release();
}

namespace {
struct Holder {
  std::vector<Ref> refs;
  std::map<std::string, PyObject *> named;
  void add(PyObject *o) { refs.emplace_back(o); }
  void name(const std::string &n, PyObject *o) { named[n] = o; }
  ~Holder() {
    for (auto &e : named) Py_XDECREF(e.second);
  }
};
}  // namespace

PyObject *own_class_with_containers(PyObject *o) {
  Holder h;
  h.add(PyObject_Str(o));
  h.name("x", PyObject_Repr(o));
  return PyLong_FromSize_t(h.refs.size());
}

static std::vector<Ref> many(PyObject *o, int n) {
  std::vector<Ref> out;
  for (int i = 0; i < n; i++) out.push_back(Ref(PyObject_Str(o)));
  return out;
}

PyObject *own_vector_returned(PyObject *o) {
  std::vector<Ref> v = many(o, 5);
  if (v.empty() || !v[0]) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "none");
    return nullptr;
  }
  return v[0].release();
}

PyObject *own_vector_of_raw_released(PyObject *o) {
  std::vector<PyObject *> v;
  for (int i = 0; i < 3; i++) v.push_back(PyObject_Str(o));
  for (PyObject *x : v) Py_XDECREF(x);
  Py_RETURN_NONE;
}

PyObject *own_moved_between(PyObject *o) {
  std::vector<Ptr> v, w;
  v.push_back(Ptr(PyObject_Str(o)));
  w = std::move(v);
  w.swap(v);
  Ptr r = std::move(v.back());
  v.pop_back();
  if (!r) return nullptr;
  return r.release();
}

// What plainly leaks is told all the same.
PyObject *own_bad_released_and_forgotten(PyObject *o) {  // expect-in-function: python-leak
  std::vector<Ref> v;
  v.emplace_back(PyObject_Str(o));
  PyObject *kept = PyObject_Repr(o);
  if (!kept) return nullptr;
  if (v.size() > 1) return nullptr;
  return PyLong_FromSize_t(v.size());
}

PyObject *own_bad_taken_from_owner(PyObject *o) {  // expect-in-function: python-leak
  Ref r(PyObject_Str(o));
  if (!r) return nullptr;
  PyObject *p = r.release();
  return PyObject_Repr(p);
}

PyObject *own_bad_owner_takes_another(PyObject *o) {  // expect-in-function: python-leak
  PyObject *s = PyObject_Str(o);
  if (!s) return nullptr;
  Py_INCREF(s);
  std::optional<Ref> r{Ref(s)};
  return PyObject_Repr(r->get());
}

// Code of the standard library raises nothing in the interpreter.
static PyObject *own_bad_caught_and_not_raised(PyObject *, PyObject *o) {  // expect-in-function: python-missing-exception
  try {
    const char *s = PyUnicode_AsUTF8(o);
    if (!s) return nullptr;
    return PyLong_FromLong(std::stol(s));
  } catch (const std::exception &) {
    return nullptr;
  }
}

static PyObject *own_bad_not_found(PyObject *, PyObject *o) {
  static const std::map<std::string, int> names{{"a", 1}};
  const char *s = PyUnicode_AsUTF8(o);
  if (!s) return nullptr;
  auto it = names.find(s);
  if (it == names.end()) return nullptr;  // expect: python-missing-exception
  return PyLong_FromLong(it->second);
}

static PyObject *own_ok_not_found(PyObject *, PyObject *o) {
  static const std::map<std::string, int> names{{"a", 1}};
  const char *s = PyUnicode_AsUTF8(o);
  if (!s) return nullptr;
  auto it = names.find(s);
  if (it == names.end()) {
    PyErr_SetObject(PyExc_KeyError, o);
    return nullptr;
  }
  return PyLong_FromLong(it->second);
}

PyMethodDef own_methods[] = {{"a", own_bad_caught_and_not_raised, METH_O, nullptr},
                             {"b", own_bad_not_found, METH_O, nullptr},
                             {"c", own_ok_not_found, METH_O, nullptr},
                             {nullptr, nullptr, 0, nullptr}};
