/* A small stand-in for NumPy's headers: client code reaches the API through a table of addresses, by slot number.
   Slot numbers and field order are those of NumPy 1.x, so that specs keyed by slot apply. */
#ifndef GOLDEN_NUMPY_MINI_H
#define GOLDEN_NUMPY_MINI_H

#include "pycompat.h"

typedef Py_ssize_t npy_intp;

typedef struct _PyArray_Descr {
  PyObject_HEAD
  PyTypeObject *typeobj;
  char kind, type, byteorder, flags;
  int type_num, elsize, alignment;
} PyArray_Descr;

typedef struct tagPyArrayObject_fields {
  PyObject_HEAD
  char *data;
  int nd;
  npy_intp *dimensions;
  npy_intp *strides;
  PyObject *base;
  PyArray_Descr *descr;
  int flags;
  PyObject *weakreflist;
} PyArrayObject_fields;

typedef struct tagPyArrayObject {
  PyObject_HEAD
} PyArrayObject;

enum { NPY_BOOL = 0, NPY_INT64 = 7, NPY_DOUBLE = 12 };

/* Each file has a table of its own, or all share one under a name that the program chooses. */
#if defined(PY_ARRAY_UNIQUE_SYMBOL)
#define PyArray_API PY_ARRAY_UNIQUE_SYMBOL
#endif
#if defined(NO_IMPORT_ARRAY)
extern void **PyArray_API;
#elif defined(PY_ARRAY_UNIQUE_SYMBOL)
void **PyArray_API;
#else
static void **PyArray_API = NULL;
#endif

#if !defined(NO_IMPORT_ARRAY)
static inline int _import_array(void) {
  PyArray_API = (void **)PyCapsule_Import("numpy.core._multiarray_umath._ARRAY_API", 0);
  return PyArray_API == NULL ? -1 : 0;
}
#endif

#define PyArray_Type (*(PyTypeObject *)PyArray_API[2])
#define PyArray_DescrFromType (*(PyArray_Descr * (*)(int)) PyArray_API[45])
#define PyArray_Scalar (*(PyObject * (*)(void *, PyArray_Descr *, PyObject *)) PyArray_API[60])
#define PyArray_FromAny \
  (*(PyObject * (*)(PyObject *, PyArray_Descr *, int, int, int, PyObject *)) PyArray_API[69])
#define PyArray_EnsureArray (*(PyObject * (*)(PyObject *)) PyArray_API[70])
#define PyArray_New                                                                                              \
  (*(PyObject * (*)(PyTypeObject *, int, npy_intp const *, int, npy_intp const *, void *, int, int, PyObject *)) \
       PyArray_API[93])
#define PyArray_NewFromDescr                                                                                \
  (*(PyObject * (*)(PyTypeObject *, PyArray_Descr *, int, npy_intp const *, npy_intp const *, void *, int,  \
                    PyObject *)) PyArray_API[94])
#define PyArray_Converter (*(int (*)(PyObject *, PyObject **)) PyArray_API[166])
#define PyArray_DescrConverter (*(int (*)(PyObject *, PyArray_Descr **)) PyArray_API[174])
#define PyArray_Zeros (*(PyObject * (*)(int, npy_intp const *, PyArray_Descr *, int)) PyArray_API[183])
#define PyArray_OutputConverter (*(int (*)(PyObject *, PyArrayObject **)) PyArray_API[199])
#define PyArray_SetBaseObject (*(int (*)(PyArrayObject *, PyObject *)) PyArray_API[282])

static inline PyArray_Descr *PyArray_DESCR(PyArrayObject *arr) { return ((PyArrayObject_fields *)arr)->descr; }
static inline void *PyArray_DATA(PyArrayObject *arr) { return ((PyArrayObject_fields *)arr)->data; }
static inline npy_intp *PyArray_DIMS(PyArrayObject *arr) { return ((PyArrayObject_fields *)arr)->dimensions; }
static inline int PyArray_NDIM(PyArrayObject *arr) { return ((PyArrayObject_fields *)arr)->nd; }

// Like NumPy's: a return hidden in a macro.
#define import_array()                                              \
  {                                                                 \
    if (_import_array() < 0) {                                      \
      PyErr_SetString(PyExc_ImportError, "array API not available"); \
      return NULL;                                                  \
    }                                                               \
  }

#endif
