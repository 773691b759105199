"""One card for each word of the spec language that describes behaviour: a call that needs the word to be judged.

A card has a function with a bug and its clean twin, both written with a call `@NAME(...)` of the API `api`. words_test.py
writes them anew with that call in six shapes: direct, through one helper, through two, through an out-parameter, through a
function pointer in a table, through a macro. The bug must be reported, and the twin be silent, in all of them.

`FUNC` stands for the function's name. `check` is the id that is expected (a pattern). `without` leaves shapes out; the
reason stands beside it. Words that no shipped spec uses, or none in a way that decides anything alone, have an API of
their own (`spec`). Words that decide what a finding takes to show, or how sure it is, have that compared (`told`).
"""
import dataclasses

ALL = ("direct", "helper", "twice", "out", "table", "macro")


@dataclasses.dataclass(frozen=True)
class Card:
    word: str            # as the table of words has it
    area: str            # python, r, linux or glib: whose header and options are used
    api: str             # prototype of the function that is called
    check: str
    bug: str
    clean: str
    decls: str = ""
    without: tuple = ()  # shapes that are left out
    why: str = ""        # and why
    also: tuple = ()     # findings that may stand beside
    spec: str = ""       # lines of a spec of the card's own
    told: tuple = ()     # (member of a finding, its value): what is told of the bug


LINUX = ("struct clk *clk_get(struct device *dev, const char *id);\nvoid clk_put(struct clk *c);\n"
         "bool device_property_present(struct device *dev, const char *name);")

METHOD = (" static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
          " PyMethodDef *FUNC_methods(void) { return FUNC_table; }")
MAKE = ("int FUNC(PyObject *x) { PyObject *o = PyNumber_Long(x); if (!o) return -1; PyObject *t = @%s(x);"
        " if (!t) return -1; Py_DECREF(t); Py_DECREF(o); return 0; }")
MAKE_CLEAN = ("int FUNC(PyObject *x) { PyObject *o = PyNumber_Long(x); if (!o) return -1; PyObject *t = @%s(x);"
              " if (!t) { Py_DECREF(o); return -1; } Py_DECREF(t); Py_DECREF(o); return 0; }")
CELL = "struct cell { int n; };"

CARDS = [
    # ---- results
    Card("new", "python", "PyObject *PyList_New(Py_ssize_t n)", "python-leak",
         "int FUNC(void) { PyObject *o = @PyList_New(0); if (!o) return -1; return 0; }",
         "int FUNC(void) { PyObject *o = @PyList_New(0); if (!o) return -1; Py_DECREF(o); return 0; }"),
    Card("new?", "python", "PyObject *PyObject_GetIter(PyObject *o)", "python-null-deref|python-null-arg",
         "int FUNC(PyObject *x) { PyObject *o = @PyObject_GetIter(x); int n = (int)Py_REFCNT(o); Py_DECREF(o); return n; }",
         "int FUNC(PyObject *x) { PyObject *o = @PyObject_GetIter(x); if (!o) return -1; Py_DECREF(o); return 0; }"),
    Card("borrowed P", "python", "PyObject *PyTuple_GetItem(PyObject *t, Py_ssize_t i)", "python-use-after-release",
         "int FUNC(void) { PyObject *t = PyTuple_New(1); if (!t) return -1; PyTuple_SET_ITEM(t, 0, PyList_New(0));"
         " PyObject *o = @PyTuple_GetItem(t, 0); Py_DECREF(t); if (!o) return -1; return PyList_Check(o); }",
         "int FUNC(void) { PyObject *t = PyTuple_New(1); if (!t) return -1; PyTuple_SET_ITEM(t, 0, PyList_New(0));"
         " PyObject *o = @PyTuple_GetItem(t, 0); int n = o ? PyList_Check(o) : -1; Py_DECREF(t); return n; }",
         also=("python-null-*",)),
    Card("interior P", "python", "char *PyBytes_AsString(PyObject *b)", "python-use-after-release",
         'int FUNC(void) { PyObject *b = PyBytes_FromString("ab"); if (!b) return -1; const char *s = @PyBytes_AsString(b);'
         " Py_DECREF(b); return s ? s[0] : -1; }",
         'int FUNC(void) { PyObject *b = PyBytes_FromString("ab"); if (!b) return -1; const char *s = @PyBytes_AsString(b);'
         " int n = s ? s[0] : -1; Py_DECREF(b); return n; }"),
    Card("interior P", "r", "int *INTEGER(SEXP x)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { int *p = @INTEGER(allocVector(INTSXP, 2)); SEXP y = allocVector(INTSXP, 1); p[0] = 1; return y; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(INTSXP, 2)); int *p = @INTEGER(x); SEXP y = allocVector(INTSXP, 1);"
         " p[0] = 1; UNPROTECT(1); return y; }"),
    Card("immortal", "r", "SEXP Rf_install(const char *s)", "r-unprotected*",
         'SEXP FUNC(SEXP n) { SEXP x = allocVector(INTSXP, 1); SEXP s = @Rf_install("nm"); INTEGER(x)[0] = s == n; return x; }',
         'SEXP FUNC(SEXP n) { SEXP s = @Rf_install("nm"); SEXP x = allocVector(INTSXP, 1); INTEGER(x)[0] = s == n; return s; }'),
    Card("same P", "r", "SEXP Rf_protect(SEXP x)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { SEXP x = @Rf_protect(allocVector(INTSXP, 1)); UNPROTECT(1); SEXP y = allocVector(INTSXP, 1);"
         " INTEGER(y)[0] = INTEGER(x)[0]; return y; }",
         "SEXP FUNC(SEXP n) { SEXP x = @Rf_protect(allocVector(INTSXP, 1)); SEXP y = allocVector(INTSXP, 1);"
         " INTEGER(y)[0] = INTEGER(x)[0]; UNPROTECT(1); return y; }"),
    Card("NULL", "python", "PyObject *PyDict_GetItemString(PyObject *d, const char *key)", "python-null-*",
         'int FUNC(PyObject *d) { PyObject *o = @PyDict_GetItemString(d, "k"); return (int)Py_REFCNT(o); }',
         'int FUNC(PyObject *d) { PyObject *o = @PyDict_GetItemString(d, "k"); return o ? (int)Py_REFCNT(o) : 0; }'),
    Card("errptr", "linux", "struct clk *clk_get(struct device *dev, const char *id)", "linux-*leak*",
         "int FUNC(struct device *dev) { struct clk *c = @clk_get(dev, NULL); if (IS_ERR(c)) return PTR_ERR(c);"
         " if (device_property_present(dev, \"x\")) return -EINVAL; clk_put(c); return 0; }",
         "int FUNC(struct device *dev) { struct clk *c = @clk_get(dev, NULL); if (IS_ERR(c)) return PTR_ERR(c);"
         " if (device_property_present(dev, \"x\")) { clk_put(c); return -EINVAL; } clk_put(c); return 0; }", decls=LINUX),
    Card("never", "python", "void Py_FatalError(const char *message)", "python-leak",
         'int FUNC(int n) { PyObject *o = PyList_New(0); if (!o) return -1; if (n < 0) @Py_FatalError("x"); if (n > 5) return -1;'
         " Py_DECREF(o); return 0; }",
         'int FUNC(int n) { PyObject *o = PyList_New(0); if (!o) return -1; if (n < 0) { @Py_FatalError("x"); return -1; }'
         " Py_DECREF(o); return 0; }"),
    # ---- exceptions
    Card("raises", "python", "PyObject *PyDict_New(void)", "python-exception-set|python-missing-exception",
         "PyObject *FUNC(PyObject *self, PyObject *x) { PyObject *d = @PyDict_New(); if (!d) Py_RETURN_NONE; Py_DECREF(d);"
         " Py_RETURN_NONE; }" + " static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }",
         "PyObject *FUNC(PyObject *self, PyObject *x) { PyObject *d = @PyDict_New(); if (!d) return NULL; Py_DECREF(d);"
         " Py_RETURN_NONE; }" + " static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }"),
    Card("clears", "python", "void PyErr_Clear(void)", "python-exception-set|python-missing-exception",
         "PyObject *FUNC(PyObject *self, PyObject *x) { PyObject *d = PyDict_New(); if (!d) { @PyErr_Clear(); return NULL; }"
         " Py_DECREF(d); Py_RETURN_NONE; } static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }",
         "PyObject *FUNC(PyObject *self, PyObject *x) { PyObject *d = PyDict_New(); if (!d) { @PyErr_Clear(); Py_RETURN_NONE; }"
         " Py_DECREF(d); Py_RETURN_NONE; } static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }"),
    Card("if-raised", "python", "int PyErr_ExceptionMatches(PyObject *exc)", "python-exception-set|python-missing-exception",
         "PyObject *FUNC(PyObject *self, PyObject *x) { PyObject *d = PyObject_Str(x); if (!d) {"
         " if (@PyErr_ExceptionMatches(PyExc_KeyError)) { PyErr_Clear(); return NULL; } return NULL; } return d; }"
         " static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }",
         "PyObject *FUNC(PyObject *self, PyObject *x) { PyObject *d = PyObject_Str(x); if (!d) {"
         " if (@PyErr_ExceptionMatches(PyExc_KeyError)) { PyErr_Clear(); Py_RETURN_NONE; } return NULL; } return d; }"
         " static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }"),
    Card("tests-exception", "python", "PyObject *PyErr_Occurred(void)", "python-exception-set|python-missing-exception",
         "PyObject *FUNC(PyObject *self, PyObject *x) { long n = PyLong_AsLong(x); if (n == -1 && !@PyErr_Occurred()) return NULL;"
         " if (n == -1) return NULL; return PyLong_FromLong(n); }"
         " static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }",
         "PyObject *FUNC(PyObject *self, PyObject *x) { long n = PyLong_AsLong(x); if (n == -1 && @PyErr_Occurred()) return NULL;"
         " return PyLong_FromLong(n); } static PyMethodDef FUNC_table[] = {{\"f\", FUNC, METH_O, \"\"}, {0, 0, 0, 0}};"
         " PyMethodDef *FUNC_methods(void) { return FUNC_table; }"),
    # ---- counts and holders
    Card("P+N", "python", "void Py_IncRef(PyObject *o)", "python-leak",
         "int FUNC(PyObject *x) { PyObject *o = PyNumber_Long(x); if (!o) return -1; @Py_IncRef(o); Py_DECREF(o); return 0; }",
         "int FUNC(PyObject *x) { PyObject *o = PyNumber_Long(x); if (!o) return -1; @Py_IncRef(o); Py_DECREF(o); Py_DECREF(o);"
         " return 0; }"),
    Card("P-N", "python", "void Py_DecRef(PyObject *o)", "python-use-after-release|python-over-release",
         "int FUNC(void) { PyObject *o = PyList_New(0); if (!o) return -1; @Py_DecRef(o); return PyList_Append(o, Py_None); }",
         "int FUNC(void) { PyObject *o = PyList_New(0); if (!o) return -1; int n = PyList_Append(o, Py_None); @Py_DecRef(o);"
         " return n; }"),
    Card("P.KIND+N", "linux", "int clk_prepare_enable(struct clk *c)", "linux-*",
         "int FUNC(struct device *dev, struct clk *c) { int r = @clk_prepare_enable(c); if (r) return r;"
         " if (device_property_present(dev, \"x\")) return -EINVAL; return 0; }",
         "int FUNC(struct device *dev, struct clk *c) { int r = @clk_prepare_enable(c); if (r) return r;"
         " if (device_property_present(dev, \"x\")) { clk_disable_unprepare(c); return -EINVAL; } return 0; }", decls=LINUX),
    Card("consumes P", "linux", "struct pci_dev *pci_get_device(unsigned int v, unsigned int d, struct pci_dev *from)",
         "linux-*",
         "void FUNC(struct pci_dev *first) { struct pci_dev *p = @pci_get_device(1, 2, first); pci_dev_put(p); pci_dev_put(first); }",
         "void FUNC(struct pci_dev *first) { struct pci_dev *p = @pci_get_device(1, 2, pci_dev_get(first)); pci_dev_put(p); }"),
    Card("steals P into Q", "python", "int PyModule_AddObject(PyObject *m, const char *name, PyObject *o)", "python-leak",
         'int FUNC(PyObject *m) { PyObject *o = PyList_New(0); if (!o) return -1; return @PyModule_AddObject(m, "o", o); }',
         'int FUNC(PyObject *m) { PyObject *o = PyList_New(0); if (!o) return -1; if (@PyModule_AddObject(m, "o", o) < 0)'
         " { Py_DECREF(o); return -1; } return 0; }"),
    Card("keeps P in Q", "python", "int PyList_Append(PyObject *l, PyObject *o)", "python-leak",
         "int FUNC(PyObject *l) { PyObject *o = PyDict_New(); if (!o) return -1; if (@PyList_Append(l, o) < 0)"
         " { Py_DECREF(o); return -1; } return 0; }",
         "int FUNC(PyObject *l) { PyObject *o = PyDict_New(); if (!o) return -1; int n = @PyList_Append(l, o); Py_DECREF(o);"
         " if (n == 0) n = (int)PyDict_Size(o); return n; }"),
    Card("keeps P in Q", "r", "SEXP SET_VECTOR_ELT(SEXP x, R_xlen_t i, SEXP v)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(VECSXP, 1)); SEXP v = allocVector(INTSXP, 1);"
         " SEXP w = allocVector(INTSXP, 1); @SET_VECTOR_ELT(x, 0, v); INTEGER(v)[0] = INTEGER(w)[0]; UNPROTECT(1); return x; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(VECSXP, 1)); SEXP v = allocVector(INTSXP, 1); @SET_VECTOR_ELT(x, 0, v);"
         " SEXP w = allocVector(INTSXP, 1); INTEGER(v)[0] = INTEGER(w)[0]; UNPROTECT(1); return x; }"),
    Card("keeps P", "linux", "int platform_device_add(struct platform_device *p)", "linux-leak",
         'int FUNC(void) { struct platform_device *p = platform_device_alloc("x", 1); if (!p) return -ENOMEM;'
         " return @platform_device_add(p); }",
         'int FUNC(void) { struct platform_device *p = platform_device_alloc("x", 1); if (!p) return -ENOMEM;'
         " int r = @platform_device_add(p); if (r) platform_device_put(p); return r; }",
         without=("helper", "twice", "out"), why="FP_added_by_a_helper in golden/linux/devices.c"),
    Card("drops P from Q", "r", "void R_ReleaseObject(SEXP x)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { SEXP x = allocVector(INTSXP, 1); R_PreserveObject(x); @R_ReleaseObject(x);"
         " SEXP y = allocVector(INTSXP, 1); INTEGER(y)[0] = INTEGER(x)[0]; return y; }",
         "SEXP FUNC(SEXP n) { SEXP x = allocVector(INTSXP, 1); R_PreserveObject(x); SEXP y = allocVector(INTSXP, 1);"
         " INTEGER(y)[0] = INTEGER(x)[0]; @R_ReleaseObject(x); return y; }", also=("r-preserve-*",)),
    Card("drops-content P", "python", "void PyDict_Clear(PyObject *d)", "python-use-after-release",
         'int FUNC(PyObject *d) { PyObject *o = PyDict_GetItemString(d, "k"); if (!o) return 0; @PyDict_Clear(d);'
         " return PyList_Check(o); }",
         'int FUNC(PyObject *d) { PyObject *o = PyDict_GetItemString(d, "k"); if (!o) return 0; int n = PyList_Check(o);'
         " @PyDict_Clear(d); return n; }"),
    Card("drops-content P at K", "python", "int PyDict_DelItem(PyObject *d, PyObject *key)", "python-use-after-release",
         "int FUNC(PyObject *d, PyObject *k) { PyObject *o = PyDict_GetItem(d, k); if (!o) return 0;"
         " if (@PyDict_DelItem(d, k) < 0) return -1; return PyList_Check(o); }",
         "int FUNC(PyObject *d, PyObject *k, PyObject *j) { PyObject *o = PyDict_GetItem(d, k); if (!o) return 0;"
         " if (@PyDict_DelItem(d, j) < 0) return -1; return 0; }"),
    Card("frees P", "linux", "void kfree(const void *p)", "linux-leak",
         "int FUNC(struct device_node *from) { struct box *b = kzalloc(sizeof *b, GFP_KERNEL); if (!b) return -ENOMEM;"
         " b->np = of_get_parent(from); @kfree(b); return 0; }",
         "int FUNC(struct device_node *from) { struct box *b = kzalloc(sizeof *b, GFP_KERNEL); if (!b) return -ENOMEM;"
         " b->np = of_get_parent(from); of_node_put(b->np); @kfree(b); return 0; }",
         decls="struct box { struct device_node *np; };"),
    Card("runs F on P", "linux", "int devm_add_action(struct device *dev, void (*action)(void *), void *data)", "linux-*",
         "int FUNC(struct device *dev, struct clk *c) { int r = clk_prepare_enable(c); if (r) return r;"
         " r = @devm_add_action(dev, undo_nothing, c); if (r) { clk_disable_unprepare(c); return r; }"
         " if (device_property_present(dev, \"x\")) return -EINVAL; clk_disable_unprepare(c); return 0; }",
         "int FUNC(struct device *dev, struct clk *c) { int r = clk_prepare_enable(c); if (r) return r;"
         " r = @devm_add_action(dev, undo_clk, c); if (r) { clk_disable_unprepare(c); return r; }"
         " if (device_property_present(dev, \"x\")) return -EINVAL; return 0; }",
         decls=LINUX + "\nstatic void undo_clk(void *c) { clk_disable_unprepare((struct clk *)c); }\n"
               "static void undo_nothing(void *c) { (void)c; }"),
    Card("garbage", "python", "PyObject *_PyObject_New(PyTypeObject *t)", "python-*",
         "PyObject *FUNC(void) { Box *b = (Box *)@_PyObject_New(&Box_Type); if (!b) return NULL; b->a = PyList_New(0);"
         " if (!b->a) { Py_DECREF(b); return NULL; } b->b = NULL; return (PyObject *)b; }",
         "PyObject *FUNC(void) { Box *b = (Box *)@_PyObject_New(&Box_Type); if (!b) return NULL; b->a = b->b = NULL;"
         " b->a = PyList_New(0); if (!b->a) { Py_DECREF(b); return NULL; } return (PyObject *)b; }",
         decls="typedef struct { PyObject_HEAD PyObject *a, *b; } Box;\n"
               "static void Box_dealloc(PyObject *o) { Py_XDECREF(((Box *)o)->a); Py_XDECREF(((Box *)o)->b); PyObject_Free(o); }\n"
               "static PyTypeObject Box_Type = {PyVarObject_HEAD_INIT(NULL, 0) .tp_name = \"m.Box\","
               " .tp_basicsize = sizeof(Box), .tp_dealloc = Box_dealloc};"),
    Card("unstable", "python", "PyObject *PyList_GetItem(PyObject *l, Py_ssize_t i)", "python-borrow*",
         "int FUNC(PyObject *l, PyObject *x) { PyObject *o = @PyList_GetItem(l, 0); if (!o) return -1;"
         " if (PyObject_IsTrue(x) < 0) return -1; return PyObject_IsTrue(o); }",
         "int FUNC(PyObject *l, PyObject *x) { PyObject *o = @PyList_GetItem(l, 0); if (!o) return -1; Py_INCREF(o);"
         " if (PyObject_IsTrue(x) < 0) { Py_DECREF(o); return -1; } int n = PyObject_IsTrue(o); Py_DECREF(o); return n; }"),
    Card("bare-free", "python", "void PyObject_Free(void *p)", "python-leak",
         "int FUNC(void) { Bag *b = PyObject_New(Bag, &Bag_Type); if (!b) return -1; b->a = PyList_New(0); @PyObject_Free(b);"
         " return 0; }",
         "int FUNC(void) { Bag *b = PyObject_New(Bag, &Bag_Type); if (!b) return -1; b->a = PyList_New(0); Py_XDECREF(b->a);"
         " @PyObject_Free(b); return 0; }",
         decls="typedef struct { PyObject_HEAD PyObject *a; } Bag;\nextern PyTypeObject Bag_Type;"),
    Card("ready", "python", "PyObject *PyLong_FromLong(long v)", "python-leak",
         "int FUNC(PyObject *d, long n) { PyObject *o = @PyLong_FromLong(n); if (!o) return -1; return PyObject_IsTrue(d); }",
         "int FUNC(PyObject *d) { PyObject *o = @PyLong_FromLong(3); int n = PyObject_RichCompareBool(d, o, Py_EQ); Py_DECREF(o);"
         " return n; }"),
    Card("finds", "python", "PyObject *PyImport_ImportModule(const char *name)", "python-leak",
         'int FUNC(PyObject *x) { PyObject *m = @PyImport_ImportModule("a"); if (!m) return -1; return PyObject_IsTrue(x); }',
         'PyObject *FUNC(PyObject *x) { PyObject *m = @PyImport_ImportModule("a"); return m; }'),
    # ---- lock
    Card("drops-gil", "python", "PyThreadState *PyEval_SaveThread(void)", "python-*",
         "int FUNC(PyObject *x) { PyThreadState *t = @PyEval_SaveThread(); int n = PyObject_IsTrue(x); PyEval_RestoreThread(t);"
         " return n; }",
         "int FUNC(PyObject *x) { PyThreadState *t = @PyEval_SaveThread(); PyEval_RestoreThread(t); return PyObject_IsTrue(x); }"),
    Card("takes-gil", "python", "void PyEval_RestoreThread(PyThreadState *t)", "python-*",
         "int FUNC(PyObject *x, int m) { PyThreadState *t = PyEval_SaveThread(); if (m) @PyEval_RestoreThread(t);"
         " return PyObject_IsTrue(x); }",
         "int FUNC(PyObject *x) { PyThreadState *t = PyEval_SaveThread(); @PyEval_RestoreThread(t); return PyObject_IsTrue(x); }"),
    Card("needs-gil", "python", "PyObject *PyObject_Str(PyObject *o)", "python-*",
         "void FUNC(PyObject *x) { PyThreadState *t = PyEval_SaveThread(); PyObject *s = @PyObject_Str(x);"
         " PyEval_RestoreThread(t); Py_XDECREF(s); }",
         "void FUNC(PyObject *x) { PyThreadState *t = PyEval_SaveThread(); PyEval_RestoreThread(t); PyObject *s = @PyObject_Str(x);"
         " Py_XDECREF(s); if (!s) PyErr_Clear(); }"),
    # ---- protection
    Card("allocates", "r", "SEXP Rf_allocVector(SEXPTYPE t, R_xlen_t n)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { SEXP x = ScalarInteger(1); SEXP y = @Rf_allocVector(INTSXP, 1); INTEGER(y)[0] = INTEGER(x)[0]; return y; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(ScalarInteger(1)); SEXP y = @Rf_allocVector(INTSXP, 1); INTEGER(y)[0] = INTEGER(x)[0];"
         " UNPROTECT(1); return y; }"),
    Card("exposes P", "r", "SEXP Rf_lcons(SEXP a, SEXP b)", "r-arguments",
         "SEXP FUNC(SEXP n) { return @Rf_lcons(ScalarInteger(1), ScalarInteger(2)); }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(ScalarInteger(1)); SEXP y = @Rf_lcons(x, R_NilValue); UNPROTECT(1); return y; }"),
    Card("protect P", "r", "SEXP Rf_protect(SEXP x)", "r-imbalance",
         "SEXP FUNC(SEXP n) { SEXP x = @Rf_protect(allocVector(INTSXP, 1)); return x; }",
         "SEXP FUNC(SEXP n) { SEXP x = @Rf_protect(allocVector(INTSXP, 1)); UNPROTECT(1); return x; }"),
    Card("protect-P", "r", "void Rf_unprotect(int n)", "r-*",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(INTSXP, 1)); @Rf_unprotect(2); return x; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(INTSXP, 1)); @Rf_unprotect(1); return x; }"),
    Card("unprotect P", "r", "void Rf_unprotect_ptr(SEXP x)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(INTSXP, 1)); @Rf_unprotect_ptr(x); SEXP y = allocVector(INTSXP, 1);"
         " INTEGER(y)[0] = INTEGER(x)[0]; return y; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(INTSXP, 1)); SEXP y = allocVector(INTSXP, 1);"
         " INTEGER(y)[0] = INTEGER(x)[0]; @Rf_unprotect_ptr(x); return y; }"),
    Card("reprotect P at Q", "r", "void R_Reprotect(SEXP x, PROTECT_INDEX i)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { PROTECT_INDEX i; SEXP x, y = allocVector(INTSXP, 1); PROTECT_WITH_INDEX(x = y, &i);"
         " SEXP z = allocVector(INTSXP, 2); @R_Reprotect(z, i); SEXP w = allocVector(INTSXP, 1);"
         " INTEGER(z)[0] = INTEGER(y)[0] + INTEGER(w)[0]; UNPROTECT(1); return z; }",
         "SEXP FUNC(SEXP n) { PROTECT_INDEX i; SEXP x, y = allocVector(INTSXP, 1); PROTECT_WITH_INDEX(x = y, &i);"
         " SEXP z = allocVector(INTSXP, 2); INTEGER(z)[0] = INTEGER(y)[0]; @R_Reprotect(z, i); SEXP w = allocVector(INTSXP, 1);"
         " INTEGER(z)[0] += INTEGER(w)[0]; UNPROTECT(1); return z; }"),
    Card("stack-top", "r", "void R_ProtectWithIndex(SEXP x, PROTECT_INDEX *i)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { PROTECT_INDEX i; SEXP x = allocVector(INTSXP, 1); @R_ProtectWithIndex(x, &i);"
         " SEXP z = allocVector(INTSXP, 2); REPROTECT(z, i); SEXP w = allocVector(INTSXP, 1);"
         " INTEGER(z)[0] = INTEGER(x)[0] + INTEGER(w)[0]; UNPROTECT(1); return z; }",
         "SEXP FUNC(SEXP n) { PROTECT_INDEX i; SEXP x = allocVector(INTSXP, 1); @R_ProtectWithIndex(x, &i);"
         " SEXP z = allocVector(INTSXP, 2); INTEGER(z)[0] = INTEGER(x)[0]; REPROTECT(z, i); SEXP w = allocVector(INTSXP, 1);"
         " INTEGER(z)[0] += INTEGER(w)[0]; UNPROTECT(1); return z; }"),
    Card("read-only", "r", "SEXP *STRING_PTR(SEXP x)", "r-write-barrier",
         "SEXP FUNC(SEXP n) { SEXP y = PROTECT(mkChar(\"y\")); SEXP *p = @STRING_PTR(n); p[0] = y; UNPROTECT(1); return n; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(STRSXP, 1)); SEXP *p = @STRING_PTR(x); SEXP y = p[0]; UNPROTECT(1);"
         " return y; }"),
    Card("pure", "r", "int Rf_asLogical(SEXP x)", "r-imbalance",
         "SEXP FUNC(SEXP k, SEXP j) { SEXP x = PROTECT(allocVector(INTSXP, 1)); if (@Rf_asLogical(k)) PROTECT(x);"
         " INTEGER(x)[0] = 1; if (@Rf_asLogical(j)) UNPROTECT(1); UNPROTECT(1); return x; }",
         "SEXP FUNC(SEXP k, SEXP j) { SEXP x = PROTECT(allocVector(INTSXP, 1)); if (@Rf_asLogical(k)) PROTECT(x);"
         " INTEGER(x)[0] = 1; if (@Rf_asLogical(k)) UNPROTECT(1); UNPROTECT(1); return x; }",
         without=("out",), why="a number that is left in an argument is not asked for a second time by those who do so"),
    Card("leaves", "python", "void longjmp(struct __jmp_buf_tag *env, int value)", "python-leak",
         "int FUNC(struct __jmp_buf_tag *env, int n) { PyObject *o = PyList_New(0); if (!o) return -1; if (n) @longjmp(env, 1);"
         " Py_DECREF(o); return 0; }",
         "int FUNC(struct __jmp_buf_tag *env, int n) { PyObject *o = PyList_New(0); if (!o) return -1; Py_DECREF(o);"
         " if (n) @longjmp(env, 1); return 0; }", decls="#include <setjmp.h>"),
    Card("runs-code", "python", "int PyObject_IsTrue(PyObject *o)", "python-borrow*",
         "int FUNC(PyObject *l, PyObject *x) { PyObject *o = PyList_GetItem(l, 0); if (!o) return -1;"
         " if (@PyObject_IsTrue(x) < 0) return -1; return PyList_Check(o) + (int)Py_REFCNT(o); }",
         "int FUNC(PyObject *l, PyObject *x) { PyObject *o = PyList_GetItem(l, 0); if (!o) return -1; int n = PyList_Check(o);"
         " if (@PyObject_IsTrue(x) < 0) return -1; return n; }"),
    Card("if-misused", "python", "int PyList_SetItem(PyObject *l, Py_ssize_t i, PyObject *o)", "python-over-release",
         "int FUNC(PyObject *l) { PyObject *o = PyDict_New(); if (!o) return -1; if (@PyList_SetItem(l, 0, o) < 0)"
         " { Py_DECREF(o); return -1; } return 0; }",
         "int FUNC(PyObject *l) { PyObject *o = PyDict_New(); if (!o) return -1; return @PyList_SetItem(l, 0, o); }",
         without=("out",), why="FN_refused_as_an_argument_says in golden/python/overrelease.c"),
    Card("if-oom", "python", "PyObject *PyTuple_New(Py_ssize_t n)", "python-leak",
         "int FUNC(PyObject *x) { PyObject *o = PyNumber_Long(x); if (!o) return -1; PyObject *t = @PyTuple_New(1);"
         " if (!t) return -1; PyTuple_SET_ITEM(t, 0, o); Py_DECREF(t); return 0; }",
         "int FUNC(PyObject *x) { PyObject *o = PyNumber_Long(x); if (!o) return -1; PyObject *t = @PyTuple_New(1);"
         " if (!t) { Py_DECREF(o); return -1; } PyTuple_SET_ITEM(t, 0, o); Py_DECREF(t); return 0; }"),
    Card("when", "python", "int PyObject_SetAttrString(PyObject *o, const char *name, PyObject *v)", "python-leak",
         'int FUNC(PyObject *o) { PyObject *v = PyList_New(0); if (!v) return -1; return @PyObject_SetAttrString(o, "v", v); }',
         'int FUNC(PyObject *o) { PyObject *v = PyList_New(0); if (!v) return -1; int n = @PyObject_SetAttrString(o, "v", v);'
         " Py_DECREF(v); return n; }"),
    Card("p!", "python", "int PyList_Append(PyObject *l, PyObject *o)", "python-null-*",
         "int FUNC(PyObject *x) { PyObject *l = PyObject_Str(x); int n = @PyList_Append(l, x); Py_XDECREF(l); return n; }",
         "int FUNC(PyObject *x) { PyObject *l = PyList_New(0); if (!l) return -1; int n = @PyList_Append(l, x); Py_DECREF(l);"
         " return n; }", also=("python-exception-set",)),
    # ---- words with an API of their own
    Card("may-raise", "python", "void note_it(PyObject *o)", "python-missing-exception",
         "PyObject *FUNC(PyObject *self, PyObject *x) { @note_it(x); PyErr_Clear(); return NULL; }" + METHOD,
         "PyObject *FUNC(PyObject *self, PyObject *x) { @note_it(x); return NULL; }" + METHOD,
         decls="void note_it(PyObject *o);", spec="fn note_it(o) -> void may-raise"),
    Card("if-clear", "python", "PyObject *take_it(void)", "python-null-*",
         "int FUNC(void) { PyErr_Clear(); PyObject *o = @take_it(); int n = (int)Py_REFCNT(o); Py_DECREF(o); return n; }",
         'int FUNC(void) { PyErr_SetString(PyExc_ValueError, "x"); PyObject *o = @take_it(); int n = (int)Py_REFCNT(o);'
         " Py_DECREF(o); return n; }",
         decls="PyObject *take_it(void);", spec="fn take_it() -> new if-raised clears | NULL if-clear"),
    Card("clobbers P", "python", "void refill(struct cell *c)", "python-leak",
         "int FUNC(struct cell *c) { PyObject *o = PyList_New(0); if (!o) return -1; c->n = 0; @refill(c); if (c->n) return -1;"
         " Py_DECREF(o); return 0; }",
         "int FUNC(struct cell *c) { PyObject *o = PyList_New(0); if (!o) return -1; @refill(c); c->n = 0; if (c->n) return -1;"
         " Py_DECREF(o); return 0; }",
         decls=CELL + " void refill(struct cell *c);", spec="fn refill(c) -> void clobbers c"),
    Card("bare-frees P", "python", "void drop_memory(int n, void *p)", "python-leak",
         "int FUNC(void) { Sack *b = PyObject_New(Sack, &Sack_Type); if (!b) return -1; b->a = PyList_New(0); @drop_memory(1, b);"
         " return 0; }",
         "int FUNC(void) { Sack *b = PyObject_New(Sack, &Sack_Type); if (!b) return -1; b->a = PyList_New(0); Py_XDECREF(b->a);"
         " @drop_memory(1, b); return 0; }",
         decls="typedef struct { PyObject_HEAD PyObject *a; } Sack;\nextern PyTypeObject Sack_Type;\n"
               "void drop_memory(int n, void *p);", spec="fn drop_memory(n, p) -> void bare-frees p"),
    Card("makes VALUE", "python", "int make_in(PyObject **out)", "python-leak",
         "int FUNC(void) { PyObject *o; if (@make_in(&o) < 0) return -1; return 0; }",
         "int FUNC(void) { PyObject *o; if (@make_in(&o) < 0) return -1; Py_DECREF(o); return 0; }",
         decls="int make_in(PyObject **out);", spec="fn make_in(out) -> 0 makes new *out=$0 | -1 raises"),
    Card("steals P", "python", "void give_away(PyObject *o)", "python-over-release",
         "int FUNC(void) { PyObject *o = PyList_New(0); if (!o) return -1; @give_away(o); Py_DECREF(o); return 0; }",
         "int FUNC(void) { PyObject *o = PyList_New(0); if (!o) return -1; @give_away(o); return 0; }",
         decls="void give_away(PyObject *o);", spec="fn give_away(o) -> void steals o"),
    Card("supposed", "r", "SEXP spawn_it(SEXP x)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { SEXP x = @spawn_it(n); SEXP y = allocVector(INTSXP, 1); INTEGER(y)[0] = INTEGER(x)[0]; return y; }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(@spawn_it(n)); SEXP y = allocVector(INTSXP, 1); INTEGER(y)[0] = INTEGER(x)[0];"
         " UNPROTECT(1); return y; }",
         decls="SEXP spawn_it(SEXP x);", spec="fn spawn_it(x^) allocates -> new supposed", told=("confidence", "low")),
    Card("endangers P", "r", "SEXP wear_out(SEXP x)", "r-unprotected*",
         "SEXP FUNC(SEXP n) { return @wear_out(allocVector(INTSXP, 1)); }",
         "SEXP FUNC(SEXP n) { SEXP x = PROTECT(allocVector(INTSXP, 1)); SEXP y = @wear_out(x); UNPROTECT(1); return y; }",
         decls="SEXP wear_out(SEXP x);", spec="fn wear_out(x^) -> same x allocates exposes x endangers x"),
    Card("protect+N", "r", "void push_two(SEXP x)", "r-imbalance",
         "SEXP FUNC(SEXP n) { @push_two(n); UNPROTECT(1); return n; }",
         "SEXP FUNC(SEXP n) { @push_two(n); UNPROTECT(2); return n; }",
         decls="void push_two(SEXP x);", spec="fn push_two(x^) -> void protect+2"),
    Card("protect-N", "r", "void pop_two(SEXP x)", "r-*",
         "SEXP FUNC(SEXP n) { PROTECT(n); @pop_two(n); return n; }",
         "SEXP FUNC(SEXP n) { PROTECT(n); PROTECT(n); @pop_two(n); return n; }",
         decls="void pop_two(SEXP x);", spec="fn pop_two(x^) -> void protect-2",
         without=("out",), why="a helper that pops and does more is reported itself"),
    Card("fails", "python", "PyObject *from_device(PyObject *x)", "python-leak", MAKE % "from_device", MAKE_CLEAN % "from_device",
         decls="PyObject *from_device(PyObject *x);", spec="fn from_device(x!) fails-outside -> new | NULL fails may-raise",
         told=("trigger", "outside"),
         without=("out",), why="what a helper leaves in an argument does not say that it failed unless an exception is set"),
    Card("fails-outside", "python", "PyObject *from_file(PyObject *x)", "python-leak", MAKE % "from_file", MAKE_CLEAN % "from_file",
         decls="PyObject *from_file(PyObject *x);", spec="fn from_file(x!) fails-outside -> new | NULL raises",
         told=("trigger", "outside")),
    Card("fails-for-memory", "python", "PyObject *from_heap(PyObject *x)", "python-leak", MAKE % "from_heap",
         MAKE_CLEAN % "from_heap", decls="PyObject *from_heap(PyObject *x);",
         spec="fn from_heap(x!) fails-for-memory -> new | NULL raises", told=("trigger", "memory")),
    Card("fails-by-input", "python", "PyObject *from_text(PyObject *x)", "python-leak", MAKE % "from_text",
         MAKE_CLEAN % "from_text", decls="PyObject *from_text(PyObject *x);",
         spec="fn from_text(x!) fails-by-input -> new | NULL raises", told=("trigger", "input")),
    # ---- memory
    Card("gives-block P", "python", "void *PyMem_Malloc(size_t n)", "python-memory-leak",
         "int FUNC(void) { char *p = @PyMem_Malloc(10); if (!p) return -1; return p[0]; }",
         "int FUNC(void) { char *p = @PyMem_Malloc(10); if (!p) return -1; int c = p[0]; PyMem_Free(p); return c; }"),
    Card("frees-block P", "python", "void PyMem_Free(void *p)", "python-memory-double-free",
         "void FUNC(char *p) { @PyMem_Free(p); PyMem_Free(p); }",
         "void FUNC(char *p) { @PyMem_Free(p); }"),
    # ---- floating references
    Card("floats P", "glib", "GVariant *g_variant_new_string(const char *s)", "glib-over-release",
         'void FUNC(GVariantBuilder *b) { GVariant *v = @g_variant_new_string("a"); g_variant_builder_add_value(b, v);'
         " g_variant_unref(v); }",
         'void FUNC(GVariantBuilder *b) { GVariant *v = @g_variant_new_string("a"); g_variant_builder_add_value(b, v); }'),
    Card("sinks P", "glib", "void g_variant_builder_add_value(GVariantBuilder *b, GVariant *v)", "glib-over-release",
         'void FUNC(GVariantBuilder *b) { GVariant *v = g_variant_new_string("a"); @g_variant_builder_add_value(b, v);'
         " g_variant_unref(v); }",
         'void FUNC(GVariantBuilder *b) { GVariant *v = g_variant_new_string("a"); @g_variant_builder_add_value(b, v); }'),
    Card("unfloats P", "glib", "GVariant *g_variant_take_ref(GVariant *v)", "glib-leak",
         'void FUNC(GVariantBuilder *b) { GVariant *v = @g_variant_take_ref(g_variant_new_string("a"));'
         " g_variant_builder_add_value(b, v); }",
         'void FUNC(GVariantBuilder *b) { GVariant *v = @g_variant_take_ref(g_variant_new_string("a"));'
         " g_variant_builder_add_value(b, v); g_variant_unref(v); }"),
    Card("may-sink P", "glib", "void show_it(GVariant *v)", "glib-leak",
         'void FUNC(void) { GVariant *v = g_variant_ref_sink(g_variant_new_string("a")); @show_it(v); }',
         'void FUNC(void) { GVariant *v = g_variant_new_string("a"); @show_it(v); }',
         decls="void show_it(GVariant *v);", spec="fn show_it(v) -> void may-sink v"),
]
