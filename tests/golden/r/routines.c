// Registered routines against the functions behind them, and functions that never return without saying so.
#include "mock.h"

SEXP rt_two(SEXP x, SEXP y) { return lang2(x, y); }
SEXP rt_none(void) { return R_NilValue; }
static SEXP rt_static(SEXP x) { return x; }
void rt_void(SEXP x) { SETCAR(x, R_NilValue); }
SEXP rt_number(SEXP x, int n) { return CAR(n ? CDR(x) : x); }
void rt_c(double *x, int *n) { x[0] = *n; }
int rt_c_number(double *x, int n) { return x[0] > n; }
SEXP rt_external(SEXP args) { return CADR(args); }
SEXP rt_external2(SEXP call, SEXP op, SEXP args, SEXP env) { return CAR(args); }
SEXP rt_context(SEXP call, SEXP op, SEXP args, int depth) { return depth > 0 ? CAR(args) : op; }
SEXP rt_elsewhere();
SEXP rt_undeclared(SEXP, SEXP);

static const R_CallMethodDef good_calls[] = {
    {"rt_two", (DL_FUNC)&rt_two, 2},
    {"rt_none", (DL_FUNC)&rt_none, 0},
    {"rt_static", (DL_FUNC)&rt_static, 1},
    {"rt_any", (DL_FUNC)&rt_two, -1},
    {"rt_elsewhere", (DL_FUNC)&rt_elsewhere, 3},
    {"rt_undeclared", (DL_FUNC)&rt_undeclared, 2},
    {NULL, NULL, 0},
};

static const R_CallMethodDef too_many[] = {
    {"rt_two", (DL_FUNC)&rt_two, 3},  // expect: r-routine
    {NULL, NULL, 0},
};

static const R_CallMethodDef too_few[] = {
    {"rt_static", (DL_FUNC)&rt_static, 0},  // expect: r-routine
    {NULL, NULL, 0},
};

static const R_CallMethodDef by_declaration[] = {
    {"rt_undeclared", (DL_FUNC)&rt_undeclared, 1},  // expect: r-routine
    {NULL, NULL, 0},
};

static const R_CallMethodDef no_result[] = {
    {"rt_void", (DL_FUNC)&rt_void, 1},  // expect: r-routine
    {NULL, NULL, 0},
};

static const R_CallMethodDef no_object[] = {
    {"rt_number", (DL_FUNC)&rt_number, 2},  // expect: r-routine
    {NULL, NULL, 0},
};

static const R_CMethodDef good_c[] = {
    {"rt_c", (DL_FUNC)&rt_c, 2, NULL},
    {NULL, NULL, 0, NULL},
};

static const R_CMethodDef no_pointer[] = {
    {"rt_c_number", (DL_FUNC)&rt_c_number, 2, NULL},  // expect: r-routine
    {NULL, NULL, 0, NULL},
};

static const R_ExternalMethodDef good_external[] = {
    {"rt_external", (DL_FUNC)&rt_external, 3},
    {"rt_external2", (DL_FUNC)&rt_external2, 1},
    {NULL, NULL, 0},
};

static const R_ExternalMethodDef not_one_list[] = {
    {"rt_two", (DL_FUNC)&rt_two, 2},  // expect: r-routine
    {NULL, NULL, 0},
};

static const R_ExternalMethodDef no_object_in_context[] = {
    {"rt_context", (DL_FUNC)&rt_context, 1},  // expect: r-routine
    {NULL, NULL, 0},
};

// A table that nobody registers says nothing.
const R_CallMethodDef unused_table[] = {
    {"rt_two", (DL_FUNC)&rt_two, 7},
    {NULL, NULL, 0},
};

void rt_register(DllInfo *d) {
  R_registerRoutines(d, good_c, good_calls, NULL, good_external);
  R_registerRoutines(d, no_pointer, too_many, NULL, not_one_list);
  R_registerRoutines(d, NULL, too_few, NULL, no_object_in_context);
  R_registerRoutines(d, NULL, by_declaration, NULL, NULL);
  R_registerRoutines(d, NULL, no_result, NULL, NULL);
  R_registerRoutines(d, NULL, no_object, NULL, NULL);
}

// ---- functions that never return -----------------------------------------------------------------------------------

void nr_wrapper(const char *what) {  // expect-in-function: r-noreturn
  error("no %s", what);
}

void nr_wrapper_of_wrapper(int n) {  // expect-in-function: r-noreturn
  if (n > 2)
    nr_wrapper("more");
  else
    nr_wrapper("less");
}

NORET void nr_marked(const char *what) { error("no %s", what); }

void nr_sometimes(int n) {
  if (n > 2) nr_wrapper("more");
}

int nr_by_pointer(int (*f)(int)) { return f(1); }
