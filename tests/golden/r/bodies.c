// Functions that have a spec and a body: what the spec promises about protection, the body has to do.
// flags: --specs bodies.spec
// alone
#include "mock.h"

// ---- `^`: the callee protects what it is given ---------------------------------------------------------------------

SEXP pair_up(SEXP a, SEXP b) {
  PROTECT(a);
  PROTECT(b);
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, a);
  SET_VECTOR_ELT(out, 1, b);
  UNPROTECT(3);
  return out;
}

SEXP pair_up_bad(SEXP a, SEXP b) {
  PROTECT(a);
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, a);
  SET_VECTOR_ELT(out, 1, b);
  UNPROTECT(2);
  return out;  // expect: r-annotation -- `b` may be gone
}

// ---- without `allocates` no collection is expected -----------------------------------------------------------------

int first_of(SEXP x) { return LENGTH(x) > 0 ? INTEGER(x)[0] : 0; }

int first_of_bad(SEXP x) {
  SEXP v = coerceVector(x, INTSXP);
  return LENGTH(v) > 0 ? INTEGER(v)[0] : 0;  // expect: r-annotation
}

// ---- the depth of the stack ----------------------------------------------------------------------------------------

// Pushes one for its caller, as it says.
SEXP made_safe(int n) {
  return PROTECT(allocVector(INTSXP, n));
}

SEXP made_safe_bad(int n) {
  if (n < 0) return R_NilValue;  // expect: r-annotation -- the caller will pop
  return PROTECT(allocVector(INTSXP, n));
}

// ---- and mistakes as anywhere --------------------------------------------------------------------------------------

SEXP two_of(int n) {  // expect-in-function: r-unprotected
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SEXP one = allocVector(INTSXP, n), two = allocVector(INTSXP, n);
  SET_VECTOR_ELT(out, 0, one);
  SET_VECTOR_ELT(out, 1, two);
  UNPROTECT(1);
  return out;
}

// ---- a primitive: it keeps the stack itself ------------------------------------------------------------------------

static SEXP stack[100];

SEXP Rf_protect(SEXP x) {
  stack[R_PPStackTop++] = x;
  return x;
}
