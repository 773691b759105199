/* A small CPython extension with bugs planted in it, for trying out Reckon.
 *
 * Each planted bug is announced by a comment "BUG n"; the functions between them are correct. The module
 * compiles without warnings and seems to work: that is how such bugs live for years. Do not use it as a
 * model of anything but mistakes.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *SpamError;

/* squares(n): the list of the first n squares. */
static PyObject *
spam_squares(PyObject *self, PyObject *args)
{
    long n;
    if (!PyArg_ParseTuple(args, "l", &n))
        return NULL;
    PyObject *list = PyList_New(0);
    if (list == NULL)
        return NULL;
    for (long i = 0; i < n; i++) {
        PyObject *item = PyLong_FromLong(i * i);
        if (item == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        /* BUG 1: PyList_Append takes a reference of its own; ours to `item` is lost, each time round. */
        if (PyList_Append(list, item) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* cubes(n): the same with cubes, done right. */
static PyObject *
spam_cubes(PyObject *self, PyObject *args)
{
    long n;
    if (!PyArg_ParseTuple(args, "l", &n))
        return NULL;
    PyObject *list = PyList_New(0);
    if (list == NULL)
        return NULL;
    for (long i = 0; i < n; i++) {
        PyObject *item = PyLong_FromLong(i * i * i);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_XDECREF(item);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(item);
    }
    return list;
}

/* system(command): runs a shell command and returns its status. */
static PyObject *
spam_system(PyObject *self, PyObject *args)
{
    const char *command;
    if (!PyArg_ParseTuple(args, "s", &command))
        return NULL;
    int status = system(command);
    if (status < 0) {
        /* BUG 2: PyErr_SetObject does not take over the tuple that is built for it. */
        PyErr_SetObject(SpamError, Py_BuildValue("(is)", status, command));
        return NULL;
    }
    return PyLong_FromLong(status);
}

/* describe(key, value): a dict that holds both. */
static PyObject *
spam_describe(PyObject *self, PyObject *args)
{
    PyObject *key, *value;
    if (!PyArg_ParseTuple(args, "OO", &key, &value))
        return NULL;
    PyObject *result = PyDict_New();
    if (result == NULL)
        return NULL;
    if (PyDict_SetItemString(result, "key", key) < 0)
        return NULL;  /* BUG 3: the dict is lost on this path */
    if (PyDict_SetItemString(result, "value", value) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

/* first(list): its first item. */
static PyObject *
spam_first(PyObject *self, PyObject *args)
{
    PyObject *list;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &list))
        return NULL;
    /* BUG 4: PyList_GetItem lends the item; the caller will release a reference nobody took. */
    return PyList_GetItem(list, 0);
}

/* last(list): its last item, done right. */
static PyObject *
spam_last(PyObject *self, PyObject *args)
{
    PyObject *list;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &list))
        return NULL;
    PyObject *item = PyList_GetItem(list, PyList_GET_SIZE(list) - 1);
    Py_XINCREF(item);
    return item;
}

/* join(a, b): the text of both, with its length. */
static PyObject *
spam_join(PyObject *self, PyObject *args)
{
    PyObject *a, *b;
    if (!PyArg_ParseTuple(args, "UU", &a, &b))
        return NULL;
    PyObject *text = PyUnicode_Concat(a, b);
    if (text == NULL)
        return NULL;
    Py_DECREF(text);
    /* BUG 5: `text` may be gone: its only reference was released one line above. */
    return Py_BuildValue("On", text, PyUnicode_GetLength(text));
}

/* single(value, at=0): a list that holds one number, there. */
static PyObject *
spam_single(PyObject *self, PyObject *args)
{
    long value, at = 0;
    if (!PyArg_ParseTuple(args, "l|l", &value, &at))
        return NULL;
    PyObject *list = PyList_New(1);
    if (list == NULL)
        return NULL;
    PyObject *item = PyLong_FromLong(value);
    if (item == NULL) {
        Py_DECREF(list);
        return NULL;
    }
    if (PyList_SetItem(list, at, item) < 0) {
        Py_DECREF(item);  /* BUG 6: PyList_SetItem takes the reference even when it fails */
        Py_DECREF(list);
        return NULL;
    }
    return list;
}

/* pair(a, b): both numbers as a tuple. */
static PyObject *
spam_pair(PyObject *self, PyObject *args)
{
    long a, b;
    if (!PyArg_ParseTuple(args, "ll", &a, &b))
        return NULL;
    /* BUG 7: PyTuple_New may return NULL, and PyTuple_SET_ITEM writes through it without a test. */
    PyObject *pair = PyTuple_New(2);
    PyTuple_SET_ITEM(pair, 0, PyLong_FromLong(a));
    PyTuple_SET_ITEM(pair, 1, PyLong_FromLong(b));
    return pair;
}

/* name_of(object): its __name__, or None. The correct use of an owned attribute. */
static PyObject *
spam_name_of(PyObject *self, PyObject *object)
{
    PyObject *name = PyObject_GetAttrString(object, "__name__");
    if (name == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError))
            return NULL;
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    return name;
}

static PyMethodDef spam_methods[] = {
    {"squares", spam_squares, METH_VARARGS, "The list of the first n squares."},
    {"cubes", spam_cubes, METH_VARARGS, "The list of the first n cubes."},
    {"system", spam_system, METH_VARARGS, "Run a shell command."},
    {"describe", spam_describe, METH_VARARGS, "A dict of a key and a value."},
    {"first", spam_first, METH_VARARGS, "The first item of a list."},
    {"last", spam_last, METH_VARARGS, "The last item of a list."},
    {"join", spam_join, METH_VARARGS, "Two texts in one, and its length."},
    {"single", spam_single, METH_VARARGS, "A list of one number."},
    {"pair", spam_pair, METH_VARARGS, "A tuple of two numbers."},
    {"name_of", spam_name_of, METH_O, "The name of an object, or None."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef spam_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "spam",
    .m_doc = "An example with planted bugs.",
    .m_size = -1,
    .m_methods = spam_methods,
};

PyMODINIT_FUNC
PyInit_spam(void)
{
    PyObject *module = PyModule_Create(&spam_module);
    if (module == NULL)
        return NULL;
    SpamError = PyErr_NewException("spam.error", NULL, NULL);
    if (SpamError == NULL) {
        Py_DECREF(module);
        return NULL;
    }
    Py_INCREF(SpamError);  /* one for the module, one for us */
    if (PyModule_AddObject(module, "error", SpamError) < 0) {
        Py_DECREF(SpamError);
        Py_CLEAR(SpamError);
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
