// What is left out by default: true, but without effect. It stands beside neighbours that are told.
// flags: --confidence medium
// alone
#include "mock.h"

SEXP graded_two(SEXP x, SEXP y) { return lang2(x, y); }

static const R_CallMethodDef graded_calls[] = {
    {"fewer", (DL_FUNC)&graded_two, 1},  // expect: r-routine -- a parameter holds whatever its register does
    {"right", (DL_FUNC)&graded_two, 2},
    {"more", (DL_FUNC)&graded_two, 3},  // the third argument is ignored
    {NULL, NULL, 0},
};

// A promise of the dots: the code that runs hardly takes it from the environment where it was found.
SEXP graded_dots(SEXP env, SEXP at) {
  SEXP dots = Rf_findVar(R_DotsSymbol, env);
  if (dots == R_UnboundValue) Rf_error("none");
  return Rf_eval(CAR(Rf_nthcdr(dots, INTEGER(at)[0] - 1)), env);
}

void R_init_graded(DllInfo *dll) { R_registerRoutines(dll, NULL, graded_calls, NULL, NULL); }
