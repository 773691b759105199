// routine: a registered routine and its function or the calls in R code disagree.
#include "mock.h"

SEXP routine_two(SEXP x, SEXP y) { return lang2(x, y); }

static const R_CallMethodDef routine_calls[] = {
    {"one", (DL_FUNC)&routine_two, 1},  // expect: r-routine
    {"ok", (DL_FUNC)&routine_two, 2},
    {NULL, NULL, 0},
};

void R_init_routine(DllInfo *dll) { R_registerRoutines(dll, NULL, routine_calls, NULL, NULL); }
