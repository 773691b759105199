/* Names from newer CPython versions, so that the golden inputs compile against the headers of 2.7 and of any version from 3.8 on. */
#ifndef GOLDEN_PYCOMPAT_H
#define GOLDEN_PYCOMPAT_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>
#include <structseq.h>

#include "pycompat2.h"

#ifdef __cplusplus
extern "C" {
#endif

#if PY_VERSION_HEX < 0x03090000
#define Py_SET_TYPE(ob, type) (Py_TYPE(ob) = (type))
extern PyObject *PyObject_CallNoArgs(PyObject *callable);
extern PyObject *PyObject_CallOneArg(PyObject *callable, PyObject *arg);
extern PyObject *PyType_FromModuleAndSpec(PyObject *module, PyType_Spec *spec, PyObject *bases);
extern int PyModule_AddType(PyObject *module, PyTypeObject *type);
#endif

#if PY_VERSION_HEX < 0x030A0000
static inline PyObject *golden_newref(PyObject *op) {
  Py_INCREF(op);
  return op;
}
static inline PyObject *golden_xnewref(PyObject *op) {
  Py_XINCREF(op);
  return op;
}
#define Py_NewRef(op) golden_newref((PyObject *)(op))
#define Py_XNewRef(op) golden_xnewref((PyObject *)(op))
extern int PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *value);
#endif

#if PY_VERSION_HEX < 0x030C0000
extern PyObject *PyErr_GetRaisedException(void);
extern void PyErr_SetRaisedException(PyObject *exc);
#endif

#if PY_VERSION_HEX < 0x030D0000
typedef struct {
  unsigned char bits;
} PyMutex;
typedef struct {
  void *prev;
  PyMutex *mutex;
} PyCriticalSection;
extern void PyMutex_Lock(PyMutex *m);
extern void PyMutex_Unlock(PyMutex *m);
extern void PyCriticalSection_Begin(PyCriticalSection *c, PyObject *op);
extern void PyCriticalSection_End(PyCriticalSection *c);
#define Py_BEGIN_CRITICAL_SECTION(op) \
  {                                   \
    PyCriticalSection py_cs_;         \
    PyCriticalSection_Begin(&py_cs_, (PyObject *)(op));
#define Py_END_CRITICAL_SECTION()  \
    PyCriticalSection_End(&py_cs_); \
  }
extern int PyDict_GetItemRef(PyObject *mp, PyObject *key, PyObject **result);
extern int PyDict_GetItemStringRef(PyObject *mp, const char *key, PyObject **result);
extern PyObject *PyList_GetItemRef(PyObject *op, Py_ssize_t i);
extern int PyWeakref_GetRef(PyObject *ref, PyObject **pobj);
extern int PyObject_GetOptionalAttr(PyObject *o, PyObject *name, PyObject **result);
extern int PyDict_Pop(PyObject *dict, PyObject *key, PyObject **result);
extern int PyDict_SetDefaultRef(PyObject *d, PyObject *key, PyObject *dflt, PyObject **result);
extern int PyModule_Add(PyObject *module, const char *name, PyObject *value);
#endif

#if PY_VERSION_HEX < 0x030E0000
extern int PyIter_NextItem(PyObject *iter, PyObject **item);
extern int PyUnstable_Object_IsUniquelyReferenced(PyObject *op);
#endif

#ifdef __cplusplus
}
#endif
#endif
