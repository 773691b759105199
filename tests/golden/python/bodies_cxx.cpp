// C++ functions that a spec names as `a::b`: the spec is the contract of their bodies.
// flags: --specs bodies.spec
#include <Python.h>

namespace box {

struct Chest {
  PyObject* content;
  int take(PyObject* o);
  PyObject* give();
};

int Chest::take(PyObject* o) {  // expect-in-function: python-leak
  if (!content) {
    PyErr_SetString(PyExc_ValueError, "closed");
    return -1;
  }
  Py_SETREF(content, o);
  return 0;
}

PyObject* Chest::give() {
  if (!content) {
    PyErr_SetString(PyExc_ValueError, "closed");
    return nullptr;
  }
  return content;  // expect: python-annotation
}

PyObject* lid(PyObject* o) {
  return PyObject_GetIter(o);  // expect: python-annotation
}

}  // namespace box

namespace other {

// Another function of the name.
PyObject* lid(PyObject* o) { return PyObject_GetIter(o); }

}  // namespace other
