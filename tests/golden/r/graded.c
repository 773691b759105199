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

SEXP R_NewEnv(SEXP, int, int);
// What R code gives as an environment mostly is the frame of a call that has not ended.
static SEXP graded_frame(SEXP call) { return Rf_eval(call, R_BaseEnv); }
static SEXP graded_in(SEXP frame, SEXP x) {
  R_gc();
  return Rf_eval(x, frame);
}
SEXP graded_in_frame(SEXP call, SEXP x) { return graded_in(graded_frame(call), x); }
SEXP graded_in_made(SEXP x) { return graded_in(R_NewEnv(R_EmptyEnv, 0, 0), x); }  // expect: r-unprotected-arg

void R_init_graded(DllInfo *dll) { R_registerRoutines(dll, NULL, graded_calls, NULL, NULL); }
