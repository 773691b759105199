// with: slots_shared_part.c
// numpy's table under a name of the program's own, for several files: this one has it.
#define PY_ARRAY_UNIQUE_SYMBOL golden_shared_api
#include "numpy_mini.h"

PyObject *shared_zeros_lost(npy_intp n) {  // expect-in-function: python-leak
  PyObject *a = PyArray_Zeros(1, &n, PyArray_DescrFromType(NPY_DOUBLE), 0);
  if (a == NULL) return NULL;
  Py_RETURN_NONE;
}

PyObject *shared_zeros_given(npy_intp n) { return PyArray_Zeros(1, &n, PyArray_DescrFromType(NPY_DOUBLE), 0); }

int prepare_shared(void) { return _import_array(); }
