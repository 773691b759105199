/* Read instead of the interpreter's Python.h, which it includes.

   What is a function to the specs is a macro in older headers: counts are changed, items stored and buffers lent by
   plain memory accesses there, and no spec would apply. Here those macros become calls again, as they are from 3.11 on.
   Macros whose expansion programs assign to, or take the address of (Py_TYPE, PyTuple_GET_ITEM, ...), stay as they are.

   Tests for bytes, floats and ints are macros in every version. As calls they tell whether functions that want such an
   object can fail.
 */
#include_next <Python.h>

#if !defined(RECKON_PYTHON_BYTES) && defined(PyBytes_Check) && defined(PyBytes_CheckExact)
#define RECKON_PYTHON_BYTES
#ifdef __cplusplus
extern "C" {
#endif
#undef PyBytes_Check
#undef PyBytes_CheckExact
int PyBytes_Check(PyObject *o);
int PyBytes_CheckExact(PyObject *o);
#define PyBytes_Check(o) PyBytes_Check((PyObject *)(o))
#define PyBytes_CheckExact(o) PyBytes_CheckExact((PyObject *)(o))
#ifdef __cplusplus
}
#endif
#endif

#if !defined(RECKON_PYTHON_NUMBERS) && defined(PyFloat_Check) && defined(PyFloat_CheckExact) && \
    defined(PyLong_Check) && defined(PyLong_CheckExact)
#define RECKON_PYTHON_NUMBERS
#ifdef __cplusplus
extern "C" {
#endif
#undef PyFloat_Check
#undef PyFloat_CheckExact
#undef PyLong_Check
#undef PyLong_CheckExact
int PyFloat_Check(PyObject *o);
int PyFloat_CheckExact(PyObject *o);
int PyLong_Check(PyObject *o);
int PyLong_CheckExact(PyObject *o);
#define PyFloat_Check(o) PyFloat_Check((PyObject *)(o))
#define PyFloat_CheckExact(o) PyFloat_CheckExact((PyObject *)(o))
#define PyLong_Check(o) PyLong_Check((PyObject *)(o))
#define PyLong_CheckExact(o) PyLong_CheckExact((PyObject *)(o))
#ifdef __cplusplus
}
#endif
#endif

#if !defined(RECKON_PYTHON_H) && defined(PY_VERSION_HEX) && PY_VERSION_HEX < 0x030B0000
#define RECKON_PYTHON_H

#ifdef __cplusplus
extern "C" {
#endif

/* Inline functions since 3.8. */
#if PY_VERSION_HEX < 0x03080000
#undef Py_INCREF
#undef Py_DECREF
void Py_INCREF(PyObject *o);
void Py_DECREF(PyObject *o);
#define Py_INCREF(o) Py_INCREF((PyObject *)(o))
#define Py_DECREF(o) Py_DECREF((PyObject *)(o))
#undef Py_XINCREF
#undef Py_XDECREF
void Py_XINCREF(PyObject *o);
void Py_XDECREF(PyObject *o);
#define Py_XINCREF(o) Py_XINCREF((PyObject *)(o))
#define Py_XDECREF(o) Py_XDECREF((PyObject *)(o))
#endif

/* An inline function since 3.9. */
#if PY_VERSION_HEX < 0x03090000
#undef PyType_HasFeature
int PyType_HasFeature(PyTypeObject *type, unsigned long feature);
#define PyType_HasFeature(type, feature) PyType_HasFeature((PyTypeObject *)(type), feature)
#endif

#ifdef PyTuple_SET_ITEM
#undef PyTuple_SET_ITEM
void PyTuple_SET_ITEM(PyObject *tuple, Py_ssize_t i, PyObject *item);
#define PyTuple_SET_ITEM(tuple, i, item) PyTuple_SET_ITEM((PyObject *)(tuple), i, (PyObject *)(item))
#endif
#ifdef PyList_SET_ITEM
#undef PyList_SET_ITEM
void PyList_SET_ITEM(PyObject *list, Py_ssize_t i, PyObject *item);
#define PyList_SET_ITEM(list, i, item) PyList_SET_ITEM((PyObject *)(list), i, (PyObject *)(item))
#endif

/* 2.7 calls bytes strings. */
#ifdef PyString_AS_STRING
#undef PyString_AS_STRING
char *PyString_AS_STRING(PyObject *o);
#define PyString_AS_STRING(o) PyString_AS_STRING((PyObject *)(o))
#elif defined(PyBytes_AS_STRING)
#undef PyBytes_AS_STRING
char *PyBytes_AS_STRING(PyObject *o);
#define PyBytes_AS_STRING(o) PyBytes_AS_STRING((PyObject *)(o))
#endif
#ifdef PyByteArray_AS_STRING
#undef PyByteArray_AS_STRING
char *PyByteArray_AS_STRING(PyObject *o);
#define PyByteArray_AS_STRING(o) PyByteArray_AS_STRING((PyObject *)(o))
#endif

#ifdef __cplusplus
}
#endif
#endif
