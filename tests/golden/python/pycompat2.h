/* What 2.7 lacks of the names that the golden inputs use. Included after Python.h. */
#ifndef GOLDEN_PYCOMPAT2_H
#define GOLDEN_PYCOMPAT2_H

#if PY_MAJOR_VERSION < 3
#ifdef __cplusplus
extern "C" {
#endif

/* Modules return themselves, and types are made from specs, since 3.0. */
#undef PyMODINIT_FUNC
#ifdef __cplusplus
#define PyMODINIT_FUNC extern "C" __attribute__((visibility("default"))) PyObject *
#else
#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *
#endif
typedef struct PyModuleDef_Base {
  PyObject_HEAD
  PyObject *(*m_init)(void);
  Py_ssize_t m_index;
  PyObject *m_copy;
} PyModuleDef_Base;
#define PyModuleDef_HEAD_INIT {PyObject_HEAD_INIT(NULL) NULL, 0, NULL}
typedef struct PyModuleDef_Slot {
  int slot;
  void *value;
} PyModuleDef_Slot;
typedef struct PyModuleDef {
  PyModuleDef_Base m_base;
  const char *m_name;
  const char *m_doc;
  Py_ssize_t m_size;
  PyMethodDef *m_methods;
  PyModuleDef_Slot *m_slots;
  traverseproc m_traverse;
  inquiry m_clear;
  freefunc m_free;
} PyModuleDef;
#define Py_mod_create 1
#define Py_mod_exec 2
extern PyObject *PyModule_Create2(struct PyModuleDef *def, int version);
#define PyModule_Create(def) PyModule_Create2(def, 1013)
extern PyObject *PyModuleDef_Init(struct PyModuleDef *def);
extern void *PyModule_GetState(PyObject *module);

typedef struct {
  int slot;
  void *pfunc;
} PyType_Slot;
typedef struct {
  const char *name;
  int basicsize;
  int itemsize;
  unsigned int flags;
  PyType_Slot *slots;
} PyType_Spec;
#define Py_bf_getbuffer 1
#define Py_bf_releasebuffer 2
#define Py_tp_clear 51
#define Py_tp_dealloc 52
#define Py_tp_getattro 58
#define Py_tp_init 60
#define Py_tp_iternext 63
#define Py_tp_methods 64
#define Py_tp_new 65
#define Py_tp_repr 66
#define Py_tp_traverse 71
#define Py_tp_members 72
#define Py_tp_getset 73
#define Py_tp_free 74
extern PyObject *PyType_FromSpec(PyType_Spec *spec);
extern PyObject *PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases);

#define METH_FASTCALL 0x0080
#define Py_CLEANUP_SUPPORTED 0x20000
#define Py_UNREACHABLE() abort()
extern int PyContextVar_Get(PyObject *var, PyObject *otherwise, PyObject **value);
extern PyObject *PyContextVar_Set(PyObject *var, PyObject *value);
extern PyObject *PyDict_GetItemWithError(PyObject *d, PyObject *key);
extern PyObject *PyDict_SetDefault(PyObject *d, PyObject *key, PyObject *value);
extern void PyException_SetCause(PyObject *e, PyObject *cause);
extern PyObject *PyException_GetTraceback(PyObject *e);
extern int PyException_SetTraceback(PyObject *e, PyObject *traceback);
extern void PyStructSequence_SetItem(PyObject *o, Py_ssize_t i, PyObject *value);
extern void PyUnicode_Append(PyObject **left, PyObject *right);
extern void PyUnicode_AppendAndDel(PyObject **left, PyObject *right);
extern const char *PyUnicode_AsUTF8(PyObject *o);
extern const char *PyUnicode_AsUTF8AndSize(PyObject *o, Py_ssize_t *size);
extern PyObject *PyUnicode_EncodeFSDefault(PyObject *o);
extern int PyUnicode_FSConverter(PyObject *o, void *out);
extern Py_ssize_t PyUnicode_GetLength(PyObject *o);
extern PyObject *PyUnicode_InternFromString(const char *s);
extern void PyUnicode_InternInPlace(PyObject **o);

#ifdef __cplusplus
}
#endif
#endif
#endif
