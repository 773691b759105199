/* The few lines of CPython's header that first.c needs, so that the first finding needs no other package. Check your own
   code with the real one: it comes with python3-dev. */
#ifndef FIRST_PYTHON_H
#define FIRST_PYTHON_H
#define NULL ((void*)0)
typedef struct _object PyObject;
PyObject *PyDict_New(void);
int PyDict_SetItemString(PyObject *dict, const char *key, PyObject *item);
PyObject *PyLong_FromLong(long value);
void Py_DecRef(PyObject *object);
#define Py_DECREF(object) Py_DecRef(object)
#endif
