// Format strings and tables: idioms F01 to F08.
// alone
#include <stdlib.h>

#include "numpy_mini.h"
#include "pycompat.h"

static PyObject *make_list(Py_ssize_t n) { return PyList_New(n); }

// ---- F01: N hands the reference over --------------------------------------------------------------------------------

PyObject *F01_ok_n_takes_even_null(Py_ssize_t n, Py_ssize_t m, int rc) {
  PyObject *xs = make_list(n);
  PyObject *ys = make_list(m);
  return Py_BuildValue("(NN{s:i})", xs, ys, "rc", rc);
}

PyObject *F01_bad_o_keeps(Py_ssize_t n, Py_ssize_t m, int rc) {  // expect-in-function: python-leak, python-leak
  PyObject *xs = make_list(n);
  PyObject *ys = make_list(m);
  return Py_BuildValue("(OO{s:i})", xs, ys, "rc", rc);
}

// ---- F02: a borrowed singleton under N ------------------------------------------------------------------------------

extern int send_args(PyObject *args);

int F02_singleton_under_n(int force, const char *msg) {
  PyObject *args = Py_BuildValue("(Ns)", force ? Py_True : Py_False, msg);  // expect: python-over-release
  if (args == NULL) return -1;
  int rc = send_args(args);
  Py_DECREF(args);
  return rc;
}

int F02_ok_new_bool_under_n(int force, const char *msg) {
  PyObject *args = Py_BuildValue("(Ns)", PyBool_FromLong(force), msg);
  if (args == NULL) return -1;
  int rc = send_args(args);
  Py_DECREF(args);
  return rc;
}

int F02_ok_singleton_under_o(int force, const char *msg) {
  PyObject *args = Py_BuildValue("(Os)", force ? Py_True : Py_False, msg);
  if (args == NULL) return -1;
  int rc = send_args(args);
  Py_DECREF(args);
  return rc;
}

// A reference to the singleton is lost (harmless where singletons are immortal).
PyObject *F02_bad_incref_then_o(int flag) {  // expect-in-function: python-leak
  PyObject *b = flag ? Py_True : Py_False;
  Py_INCREF(b);
  return Py_BuildValue("(Oi)", b, flag);
}

// ---- F03: an O& converter that gives an owned reference -------------------------------------------------------------

static PyObject *F03_later_unit_fails(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyArray_Descr *dt = NULL;
  int n;
  if (!PyArg_ParseTuple(args, "O&i", PyArray_DescrConverter, &dt, &n)) return NULL;
  npy_intp dim = n;
  return PyArray_Zeros(1, &dim, dt, 0);
}

static PyObject *F03_ok_released_on_failure(PyObject *self, PyObject *args) {
  PyArray_Descr *dt = NULL;
  int n;
  if (!PyArg_ParseTuple(args, "O&i", PyArray_DescrConverter, &dt, &n)) {
    Py_XDECREF((PyObject *)dt);
    return NULL;
  }
  npy_intp dim = n;
  return PyArray_Zeros(1, &dim, dt, 0);
}

// This one gives a borrowed reference: nothing to release.
static PyObject *F03_ok_output_converter_borrows(PyObject *self, PyObject *args) {
  PyArrayObject *out = NULL;
  int n;
  if (!PyArg_ParseTuple(args, "O&i", PyArray_OutputConverter, &out, &n)) return NULL;
  return PyLong_FromLong(out != NULL ? PyArray_NDIM(out) : n);
}

static int to_list(PyObject *o, void *out) {
  PyObject *l = PySequence_List(o);
  if (l == NULL) return 0;
  *(PyObject **)out = l;
  return 1;
}

static int to_list_with_cleanup(PyObject *o, void *out) {
  if (o == NULL) {
    Py_CLEAR(*(PyObject **)out);
    return 1;
  }
  PyObject *l = PySequence_List(o);
  if (l == NULL) return 0;
  *(PyObject **)out = l;
  return Py_CLEANUP_SUPPORTED;
}

static PyObject *F03_own_converter(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *l = NULL;
  int n;
  if (!PyArg_ParseTuple(args, "O&i", to_list, &l, &n)) return NULL;
  return l;
}

static PyObject *F03_ok_cleanup_supported(PyObject *self, PyObject *args) {
  PyObject *l = NULL;
  int n;
  if (!PyArg_ParseTuple(args, "O&i", to_list_with_cleanup, &l, &n)) return NULL;
  return l;
}

extern int unlink_at(const char *path, int flags);

static PyObject *F03_ok_fs_converter(PyObject *self, PyObject *args) {
  PyObject *path = NULL;
  int flags;
  if (!PyArg_ParseTuple(args, "O&i", PyUnicode_FSConverter, &path, &flags)) return NULL;
  int rc = unlink_at(PyBytes_AS_STRING(path), flags);
  Py_DECREF(path);
  return PyLong_FromLong(rc);
}

static PyObject *F03_bad_fs_converter_kept(PyObject *self, PyObject *args) {  // expect-in-function: python-leak
  PyObject *path = NULL;
  int flags;
  if (!PyArg_ParseTuple(args, "O&i", PyUnicode_FSConverter, &path, &flags)) return NULL;
  return PyLong_FromLong(unlink_at(PyBytes_AS_STRING(path), flags));
}

// ---- F04: a buffer argument not released on one exit ----------------------------------------------------------------

extern unsigned checksum(const void *p, Py_ssize_t n);

static PyObject *F04_buffer_kept_on_error(PyObject *self, PyObject *args) {  // expect-in-function: python-buffer-leak
  Py_buffer b;
  if (!PyArg_ParseTuple(args, "y*", &b)) return NULL;
  if (b.len % 4) {
    PyErr_SetString(PyExc_ValueError, "length");
    return NULL;
  }
  unsigned sum = checksum(b.buf, b.len);
  PyBuffer_Release(&b);
  return PyLong_FromUnsignedLong(sum);
}

static PyObject *F04_ok_buffer_released(PyObject *self, PyObject *args) {
  Py_buffer b;
  if (!PyArg_ParseTuple(args, "y*", &b)) return NULL;
  if (b.len % 4) {
    PyBuffer_Release(&b);
    PyErr_SetString(PyExc_ValueError, "length");
    return NULL;
  }
  unsigned sum = checksum(b.buf, b.len);
  PyBuffer_Release(&b);
  return PyLong_FromUnsignedLong(sum);
}

static PyObject *F04_get_buffer_kept(PyObject *self, PyObject *o) {  // expect-in-function: python-buffer-leak
  Py_buffer b;
  if (PyObject_GetBuffer(o, &b, PyBUF_SIMPLE) < 0) return NULL;
  return PyLong_FromUnsignedLong(checksum(b.buf, b.len));
}

static PyObject *F04_ok_get_buffer_released(PyObject *self, PyObject *o) {
  Py_buffer b;
  if (PyObject_GetBuffer(o, &b, PyBUF_SIMPLE) < 0) return NULL;
  unsigned sum = checksum(b.buf, b.len);
  PyBuffer_Release(&b);
  return PyLong_FromUnsignedLong(sum);
}

// ---- F05: a buffer moved into the object ----------------------------------------------------------------------------

typedef struct {
  PyObject_HEAD
  Py_buffer view;
} Decoder;

static void decoder_dealloc(Decoder *self) {
  PyBuffer_Release(&self->view);
  PyObject_Free(self);
}

static PyTypeObject Decoder_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "formats.Decoder",
    .tp_basicsize = sizeof(Decoder),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)decoder_dealloc,
};

static PyObject *F05_ok_buffer_moved(PyObject *unused, PyObject *args) {
  Py_buffer b;
  if (!PyArg_ParseTuple(args, "y*", &b)) return NULL;
  Decoder *self = PyObject_New(Decoder, &Decoder_Type);
  if (self == NULL) {
    PyBuffer_Release(&b);
    return NULL;
  }
  self->view = b;
  return (PyObject *)self;
}

static PyObject *F05_bad_exit_before_the_move(PyObject *m, PyObject *args) {  // expect-in-function: python-buffer-leak
  Py_buffer b;
  if (!PyArg_ParseTuple(args, "y*", &b)) return NULL;
  Decoder *self = PyObject_New(Decoder, &Decoder_Type);
  if (self == NULL) return NULL;
  self->view = b;
  return (PyObject *)self;
}

static PyObject *F05_bad_released_after_the_move(PyObject *unused, PyObject *args) {
  Py_buffer b;
  if (!PyArg_ParseTuple(args, "y*", &b)) return NULL;
  Decoder *self = PyObject_New(Decoder, &Decoder_Type);
  if (self == NULL) {
    PyBuffer_Release(&b);
    return NULL;
  }
  self->view = b;
  if (checksum(b.buf, b.len) == 0) {
    Py_DECREF(self);
    PyBuffer_Release(&b);  // expect: python-over-release|python-use-after-release
    PyErr_SetString(PyExc_ValueError, "empty");
    return NULL;
  }
  return (PyObject *)self;
}

// ---- F06: format and C type disagree --------------------------------------------------------------------------------

PyObject *F06_int_under_n(void) {
  int col = 3, row = 4;
  return Py_BuildValue("(nn)", col, row);  // expect: python-format; maybe: python-format
}

PyObject *F06_ok_size_under_n(void) {
  Py_ssize_t col = 3, row = 4;
  return Py_BuildValue("(nn)", col, row);
}

static PyObject *F06_parse_int_under_n(PyObject *self, PyObject *args) {
  int n = 0;
  if (!PyArg_ParseTuple(args, "n", &n)) return NULL;  // expect: python-format
  return PyLong_FromLong(n);
}

static PyObject *F06_parse_long_under_i(PyObject *self, PyObject *args) {
  long n = 0;
  if (!PyArg_ParseTuple(args, "i", &n)) return NULL;  // expect: python-format
  return PyLong_FromLong(n);
}

static PyObject *F06_parse_int_length(PyObject *self, PyObject *args) {
  const char *s;
  int len = 0;
  if (!PyArg_ParseTuple(args, "s#", &s, &len)) return NULL;  // expect: python-format
  return PyLong_FromLong(len);
}

static PyObject *F06_parse_value_for_pointer(PyObject *self, PyObject *args) {
  long n = 0;
  if (!PyArg_ParseTuple(args, "l", n)) return NULL;  // expect: python-format
  return PyLong_FromLong(n);
}

static PyObject *F06_parse_too_few(PyObject *self, PyObject *args) {
  int a = 0;
  if (!PyArg_ParseTuple(args, "ii", &a)) return NULL;  // expect: python-format
  return PyLong_FromLong(a);
}

static PyObject *F06_parse_too_many(PyObject *self, PyObject *args) {
  int a = 0, b = 0;
  if (!PyArg_ParseTuple(args, "i", &a, &b)) return NULL;  // expect: python-format
  return PyLong_FromLong(a + b);
}

static PyObject *F06_parse_unknown_unit(PyObject *self, PyObject *args) {
  int a = 0;
  if (!PyArg_ParseTuple(args, "v", &a)) return NULL;  // expect: python-format
  return PyLong_FromLong(a);
}

static PyObject *F06_parse_unclosed_group(PyObject *self, PyObject *args) {
  int a = 0, b = 0;
  if (!PyArg_ParseTuple(args, "(ii", &a, &b)) return NULL;  // expect: python-format
  return PyLong_FromLong(a + b);
}

static PyObject *F06_parse_type_missing(PyObject *self, PyObject *args) {
  PyObject *d = NULL;
  if (!PyArg_ParseTuple(args, "O!", &d, &PyDict_Type)) return NULL;  // expect: python-format; maybe: python-format
  return Py_XNewRef(d);  // maybe: python-missing-exception
}

static PyObject *F06_unpack_count(PyObject *self, PyObject *args) {
  PyObject *a = NULL;
  if (!PyArg_UnpackTuple(args, "f", 1, 2, &a)) return NULL;  // expect: python-format
  return Py_NewRef(a);
}

PyObject *F06_pack_count(PyObject *a, PyObject *b) {
  return PyTuple_Pack(3, a, b);  // expect: python-format
}

PyObject *F06_error_format_size(Py_ssize_t n) {
  return PyErr_Format(PyExc_ValueError, "length %d", n);  // expect: python-format
}

PyObject *F06_from_format_string(Py_ssize_t n) {
  return PyUnicode_FromFormat("%s", n);  // expect: python-format
}

PyObject *F06_call_method_int_under_n(PyObject *o, int n) {
  return PyObject_CallMethod(o, "seek", "n", n);  // expect: python-format
}

PyObject *F06_call_without_sentinel(PyObject *f, PyObject *a) {
  return PyObject_CallFunctionObjArgs(f, a);  // expect: python-format
}

static PyObject *F06_ok_many_units(PyObject *self, PyObject *args, PyObject *kw) {
  static char *names[] = {"b", "h", "i", "l", "L", "n", "H", "I", "k", "K",
                          "f", "d", "p", "s", "z", "y", "U", "O", "D", NULL};
  unsigned char b = 0;
  short h = 0;
  int i = 0, p = 0;
  long l = 0;
  long long L = 0;
  Py_ssize_t n = 0, ylen = 0;
  unsigned short H = 0;
  unsigned I = 0;
  unsigned long k = 0;
  unsigned long long K = 0;
  float f = 0;
  double d = 0;
  const char *s = NULL, *z = NULL, *y = NULL;
  PyObject *U = NULL, *O = NULL, *D = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kw, "bhilLnHIkKfdp|szy#UO$O!:many", names, &b, &h, &i, &l, &L, &n, &H, &I, &k,
                                   &K, &f, &d, &p, &s, &z, &y, &ylen, &U, &O, &PyDict_Type, &D))
    return NULL;
  return Py_BuildValue("bhilLnHIkKfdszy#O", b, h, i, l, L, n, H, I, k, K, f, d, s, z, y, ylen, O ? O : Py_None);
}

static PyObject *F06_keyword_list_too_short(PyObject *self, PyObject *args, PyObject *kw) {
  static char *names[] = {"a", NULL};
  int a = 0, b = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kw, "ii", names, &a, &b)) return NULL;  // expect: python-format
  return PyLong_FromLong(a + b);
}

static PyObject *F06_keyword_list_without_sentinel(PyObject *self, PyObject *args, PyObject *kw) {
  static char *names[] = {"a", "b"};
  int a = 0, b = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kw, "ii", names, &a, &b)) return NULL;  // expect: python-format
  return PyLong_FromLong(a + b);
}

PyObject *F06_ok_promotions(char c, short s, float x, unsigned char u) {
  return Py_BuildValue("(cbhBfdi)", c, s, s, u, x, x, c);
}

PyObject *F06_ok_print_formats(PyObject *o, Py_ssize_t n, long l, unsigned u, const char *s, void *p) {
  return PyUnicode_FromFormat("%zd %ld %u %s %p %c %% %R %.10s %V", n, l, u, s, p, 'x', o, s, o, s);
}

// ---- F07: method flags against the signature ------------------------------------------------------------------------

static PyObject *F07_with_keywords(PyObject *m, PyObject *a, PyObject *kw) {
  int n = 0;
  static char *names[] = {"n", NULL};
  if (!PyArg_ParseTupleAndKeywords(a, kw, "|i", names, &n)) return NULL;
  return PyLong_FromLong(n);
}

static PyObject *F07_two_parameters(PyObject *m, PyObject *a) { return Py_NewRef(a); }

static PyObject *F07_one_parameter(PyObject *m) { return Py_NewRef(m); }

static PyObject *F07_fastcall(PyObject *m, PyObject *const *a, Py_ssize_t n) { return PyLong_FromSsize_t(n); }

static PyObject *F07_ok_noargs_ignores_second(PyObject *m, PyObject *unused) { Py_RETURN_NONE; }

static PyObject *F07_noargs_reads_second(PyObject *m, PyObject *arg) {
  return Py_NewRef(arg);  // expect: python-null-deref|python-null-arg
}

static PyObject *F07_get_v(PyObject *self, void *closure) { return PyLong_FromLong(1); }

static PyMethodDef wrong_methods[] = {  // false-alarm: python-method-table, python-method-table, python-method-table, python-method-table -- rows of a table have no place of their own in the model
    {"go", (PyCFunction)F07_with_keywords, METH_VARARGS, ""},  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model
    {"kw_too_few", F07_two_parameters, METH_VARARGS | METH_KEYWORDS, ""},  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model
    {"noargs_3", (PyCFunction)(void (*)(void))F07_fastcall, METH_NOARGS, ""},  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model
    {"fast_2", F07_two_parameters, METH_FASTCALL, ""},  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model
    {"ok_kw", (PyCFunction)(void (*)(void))F07_with_keywords, METH_VARARGS | METH_KEYWORDS, ""},
    {"ok_fast", (PyCFunction)(void (*)(void))F07_fastcall, METH_FASTCALL, ""},
    {"ok_o", F07_two_parameters, METH_O, ""},
    {"ok_noargs", F07_ok_noargs_ignores_second, METH_NOARGS, ""},
    {"ok_noargs_short", (PyCFunction)F07_one_parameter, METH_NOARGS, ""},  // maybe: python-method-table -- customary
    {"noargs_read", F07_noargs_reads_second, METH_NOARGS, ""},
    {NULL},
};

static PyMethodDef endless_methods[] = {  // false-alarm: python-method-table -- rows of a table have no place of their own in the model
    {"ok", F07_ok_noargs_ignores_second, METH_NOARGS, ""},
};  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model

static PyGetSetDef endless_getset[] = {  // false-alarm: python-method-table -- rows of a table have no place of their own in the model
    {"v", F07_get_v, NULL, NULL, NULL},
};  // expect-not-yet: python-method-table -- rows of a table have no place of their own in the model

static PyGetSetDef ok_getset[] = {
    {"v", F07_get_v, NULL, NULL, NULL},
    {NULL},
};

static PyTypeObject Endless_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "formats.Endless",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = endless_methods,
    .tp_getset = endless_getset,
};
static PyTypeObject Fine_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "formats.Fine",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = wrong_methods,
    .tp_getset = ok_getset,
};

// ---- F08: an object only printed ------------------------------------------------------------------------------------

static PyObject *dtypes_tuple(PyObject *self) { return PyTuple_Pack(1, self); }

PyObject *F08_object_only_printed(PyObject *self) {  // expect-in-function: python-leak
  PyObject *tup = dtypes_tuple(self);
  if (tup == NULL) return NULL;
  return PyUnicode_FromFormat("<method for %S>", tup);
}

PyObject *F08_object_only_in_error_text(PyObject *self) {  // expect-in-function: python-leak
  PyObject *tup = dtypes_tuple(self);
  if (tup == NULL) return NULL;
  PyErr_Format(PyExc_TypeError, "no loop for %R", tup);
  return NULL;
}

PyObject *F08_ok_printed_and_released(PyObject *self) {
  PyObject *tup = dtypes_tuple(self);
  if (tup == NULL) return NULL;
  PyObject *s = PyUnicode_FromFormat("<method for %S>", tup);
  Py_DECREF(tup);
  return s;
}

static PyMethodDef methods[] = {
    {"f03", F03_later_unit_fails, METH_VARARGS, NULL},
    {"f03_ok", F03_ok_released_on_failure, METH_VARARGS, NULL},
    {"f03_out", F03_ok_output_converter_borrows, METH_VARARGS, NULL},
    {"f03_own", F03_own_converter, METH_VARARGS, NULL},
    {"f03_clean", F03_ok_cleanup_supported, METH_VARARGS, NULL},
    {"f03_fs", F03_ok_fs_converter, METH_VARARGS, NULL},
    {"f03_fs_bad", F03_bad_fs_converter_kept, METH_VARARGS, NULL},
    {"f04", F04_buffer_kept_on_error, METH_VARARGS, NULL},
    {"f04_ok", F04_ok_buffer_released, METH_VARARGS, NULL},
    {"f04_get", F04_get_buffer_kept, METH_O, NULL},
    {"f04_get_ok", F04_ok_get_buffer_released, METH_O, NULL},
    {"f05_ok", F05_ok_buffer_moved, METH_VARARGS, NULL},
    {"f05_bad", F05_bad_exit_before_the_move, METH_VARARGS, NULL},
    {"f05_bad2", F05_bad_released_after_the_move, METH_VARARGS, NULL},
    {"f06_n", F06_parse_int_under_n, METH_VARARGS, NULL},
    {"f06_i", F06_parse_long_under_i, METH_VARARGS, NULL},
    {"f06_len", F06_parse_int_length, METH_VARARGS, NULL},
    {"f06_val", F06_parse_value_for_pointer, METH_VARARGS, NULL},
    {"f06_few", F06_parse_too_few, METH_VARARGS, NULL},
    {"f06_many", F06_parse_too_many, METH_VARARGS, NULL},
    {"f06_unknown", F06_parse_unknown_unit, METH_VARARGS, NULL},
    {"f06_group", F06_parse_unclosed_group, METH_VARARGS, NULL},
    {"f06_type", F06_parse_type_missing, METH_VARARGS, NULL},
    {"f06_unpack", F06_unpack_count, METH_VARARGS, NULL},
    {"f06_ok", (PyCFunction)(void (*)(void))F06_ok_many_units, METH_VARARGS | METH_KEYWORDS, NULL},
    {"f06_kw", (PyCFunction)(void (*)(void))F06_keyword_list_too_short, METH_VARARGS | METH_KEYWORDS, NULL},
    {"f06_kw2", (PyCFunction)(void (*)(void))F06_keyword_list_without_sentinel, METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "formats", NULL, -1, methods};

PyMODINIT_FUNC PyInit_formats(void) {
  if (PyType_Ready(&Decoder_Type) < 0 || PyType_Ready(&Endless_Type) < 0 || PyType_Ready(&Fine_Type) < 0) return NULL;
  return PyModule_Create(&module);
}
