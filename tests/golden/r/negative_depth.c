// negative-depth: more is unprotected than was protected.
#include "mock.h"

SEXP negative_one_too_many(SEXP x) {  // expect-in-function: r-negative-depth
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, x);
  UNPROTECT(2);
  return out;
}

SEXP negative_ok(SEXP x) {
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, x);
  UNPROTECT(1);
  return out;
}

// An interrupt that was noticed earlier leaves by a jump, so only one pop runs.
SEXP negative_ok_interrupted(SEXP call) {
  SEXP out = PROTECT(eval(call, R_GlobalEnv));
  if (Rf_inherits(out, "interrupted")) {
    UNPROTECT(1);
    Rf_onintr();
  }
  UNPROTECT(1);
  return out;
}
