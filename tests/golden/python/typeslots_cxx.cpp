// Types of C++ without a deallocator, and members that remember objects.
// alone
// needs: 3.9
#include "pycompat.h"

namespace {

struct Node {
  PyObject_HEAD
  PyObject *value;
};

PyObject *node_new(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *value;
  if (!PyArg_ParseTuple(args, "O", &value)) return nullptr;
  Node *self = reinterpret_cast<Node *>(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  Py_INCREF(value);
  self->value = value;
  return reinterpret_cast<PyObject *>(self);
}

PyType_Slot node_slots[] = {{Py_tp_new, reinterpret_cast<void *>(node_new)}, {0, nullptr}};  // expect: python-type-dealloc
PyType_Spec node_spec = {"t.Node", sizeof(Node), 0, Py_TPFLAGS_DEFAULT, node_slots};

struct Leaf {
  PyObject_HEAD
  PyObject *value;
};

PyObject *leaf_new(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *value;
  if (!PyArg_ParseTuple(args, "O", &value)) return nullptr;
  Leaf *self = reinterpret_cast<Leaf *>(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  Py_INCREF(value);
  self->value = value;
  return reinterpret_cast<PyObject *>(self);
}

void leaf_dealloc(PyObject *o) {
  PyTypeObject *type = Py_TYPE(o);
  Py_XDECREF(reinterpret_cast<Leaf *>(o)->value);
  type->tp_free(o);
  Py_DECREF(type);
}

PyType_Slot leaf_slots[] = {{Py_tp_new, reinterpret_cast<void *>(leaf_new)}, {Py_tp_dealloc, reinterpret_cast<void *>(leaf_dealloc)}, {0, nullptr}};
PyType_Spec leaf_spec = {"t.Leaf", sizeof(Leaf), 0, Py_TPFLAGS_DEFAULT, leaf_slots};

struct Watcher {
  PyObject_HEAD
  PyObject *callback;
};

PyObject *remember(PyObject *o, PyObject *callback) {
  auto *self = reinterpret_cast<Watcher *>(o);
  if (!PyCallable_Check(callback)) {
    PyErr_SetString(PyExc_TypeError, "callback");
    return nullptr;
  }
  self->callback = callback;  // expect: python-borrowed-return|python-over-release
  Py_RETURN_NONE;
}

PyObject *call(PyObject *o, PyObject *) {
  auto *self = reinterpret_cast<Watcher *>(o);
  return self->callback ? PyObject_CallNoArgs(self->callback) : PyErr_NoMemory();
}

}  // namespace

PyMethodDef watcher_methods[] = {{"a", remember, METH_O, nullptr}, {"b", call, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyObject *make_types() {
  PyObject *node = PyType_FromSpec(&node_spec);
  if (!node) return nullptr;
  PyObject *leaf = PyType_FromSpec(&leaf_spec);
  if (!leaf) {
    Py_DECREF(node);
    return nullptr;
  }
  return Py_BuildValue("NN", node, leaf);
}
