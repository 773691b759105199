/* A function with a bug, to see what Reckon says of it:   reckon check first.c   */
#include "Python.h"

PyObject *
make_point(long x, long y)
{
    PyObject *point = PyDict_New();
    if (point == NULL)
        return NULL;
    PyObject *number = PyLong_FromLong(x);
    if (number == NULL || PyDict_SetItemString(point, "x", number) < 0)
        return NULL;            /* both references are lost here */
    Py_DECREF(number);
    number = PyLong_FromLong(y);
    if (number == NULL || PyDict_SetItemString(point, "y", number) < 0) {
        Py_DECREF(point);
        return NULL;            /* and one here */
    }
    Py_DECREF(number);
    return point;
}
