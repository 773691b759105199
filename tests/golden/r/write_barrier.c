// write-barrier: elements of an object are written without the collector being told.
#include "mock.h"

void barrier_element_written(SEXP to, SEXP from) {  // expect-in-function: r-write-barrier
  STRING_PTR(to)[0] = STRING_ELT(from, 0);
}

void barrier_ok_told(SEXP to, SEXP from) { SET_STRING_ELT(to, 0, STRING_ELT(from, 0)); }

void barrier_ok_numbers(SEXP to, SEXP from) { INTEGER(to)[0] = INTEGER(from)[0]; }

// What is made here is newer than anything it is given out of an object that was there before.
SEXP barrier_ok_newer(SEXP from, int n) {
  SEXP to = PROTECT(allocVector(STRSXP, n));
  SEXP *out = STRING_PTR(to);
  const SEXP *in = STRING_PTR_RO(from);
  for (int i = 0; i < n; i++) out[i] = in[n - i - 1];
  UNPROTECT(1);
  return to;
}

SEXP barrier_ok_newer_collected(SEXP from, int n) {
  SEXP to = PROTECT(allocVector(STRSXP, n));
  char *seen = R_alloc(n, 1);
  for (int i = 0; i < n; i++) {
    seen[i] = 1;
    STRING_PTR(to)[i] = STRING_PTR(from)[n - i - 1];
  }
  UNPROTECT(1);
  return to;
}

SEXP barrier_ok_newer_copied(SEXP from, int n) {
  SEXP to = PROTECT(allocVector(STRSXP, n));
  memcpy(STRING_PTR(to), STRING_PTR_RO(from), sizeof(SEXP) * n);
  UNPROTECT(1);
  return to;
}

void barrier_copied(SEXP to, SEXP from, int n) {  // expect-in-function: r-write-barrier
  memcpy(STRING_PTR(to), STRING_PTR_RO(from), sizeof(SEXP) * n);
}

SEXP barrier_made_later(const char *text, int n) {  // expect-in-function: r-write-barrier
  SEXP to = PROTECT(allocVector(STRSXP, n));
  for (int i = 0; i < n; i++) STRING_PTR(to)[i] = mkChar(text);
  UNPROTECT(1);
  return to;
}
