// The same question asked twice: of functions that have no effect, and of helpers around them.
#include "mock.h"

Rboolean Rf_isInteger(SEXP x);

SEXP logical_asked_twice(SEXP k) {
  SEXP x = allocVector(INTSXP, 1);
  if (asLogical(k)) PROTECT(x);
  SEXP y = R_NilValue;
  INTEGER(x)[0] = 1;
  if (asLogical(k)) UNPROTECT(1);
  return y;
}

SEXP integer_asked_twice(SEXP k) {
  SEXP x = k;
  if (!Rf_isInteger(k)) {
    PROTECT(x = allocVector(INTSXP, 1));
  }
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  if (!Rf_isInteger(k)) UNPROTECT(1);
  return y;
}

SEXP content_asked_twice(SEXP k) {
  SEXP x = allocVector(INTSXP, 1);
  if (LOGICAL(k)[0]) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (LOGICAL(k)[0]) UNPROTECT(1);
  return R_NilValue;
}

static int large(SEXP k) { return asInteger(k) > 5; }

SEXP helper_asked_twice(SEXP k) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (large(k)) PROTECT(k);
  INTEGER(x)[0] = 1;
  if (large(k)) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP asked_of_another(SEXP k, SEXP j) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (asLogical(k)) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (asLogical(j)) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

// Numbers that are computed, and comparisons of fractions.
int abs(int);

SEXP distance_asked_twice(int n) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (abs(n) > 3) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (abs(n) > 3) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP distance_of_another(int n, int m) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (abs(n) > 3) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (abs(m) > 3) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP fraction_asked_twice(double a, double b) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (a > b * 2) PROTECT(x);
  if (a > 0.5) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (a > b * 2) UNPROTECT(1);
  if (a > 0.5) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP another_fraction(double a) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (a > 0.5) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (a > 0.75) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP element_compared_twice(SEXP k) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (REAL(k)[0] > 0.5) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (REAL(k)[0] > 0.5) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP real_asked_twice(SEXP k) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (asReal(k) > 0) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (asReal(k) > 0) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

// Parts of an object are the same until another one is put there.
SEXP part_asked_twice(SEXP list) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (VECTOR_ELT(list, 1) != R_NilValue) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (VECTOR_ELT(list, 1) != R_NilValue) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP text_asked_twice(SEXP k) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (!strcmp(CHAR(STRING_ELT(k, 0)), "a")) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (!strcmp(CHAR(STRING_ELT(k, 0)), "a")) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP another_part(SEXP list) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (VECTOR_ELT(list, 1) != R_NilValue) PROTECT(x);
  INTEGER(x)[0] = 1;
  if (VECTOR_ELT(list, 2) != R_NilValue) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

SEXP part_replaced_in_between(SEXP list, SEXP other) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (VECTOR_ELT(list, 1) != R_NilValue) PROTECT(x);
  SET_VECTOR_ELT(list, 1, other);
  INTEGER(x)[0] = 1;
  if (VECTOR_ELT(list, 1) != R_NilValue) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

// What was asked about has changed in between.
SEXP changed_in_between(SEXP k) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  if (asLogical(k)) PROTECT(x);
  LOGICAL(k)[0] = INTEGER(x)[0];
  if (asLogical(k)) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}

// In each round another one is asked.
SEXP asked_in_a_loop(SEXP list, int n) {  // expect-in-function: r-imbalance
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  for (int i = 0; i < n; i++) {
    SEXP e = VECTOR_ELT(list, i);
    if (asLogical(e)) PROTECT(x);
  }
  if (asLogical(list)) UNPROTECT(1);
  UNPROTECT(1);
  return x;
}
