/* Failing as CPython does it. These are macros: what they name is declared where they are used. */
#define RECKON_RAISE() (void)(PyErr_Occurred() || PyErr_NoMemory())
#define RECKON_RELEASE(object) Py_XDECREF((PyObject *)(object))
#endif
