// flags: --confidence medium
// Collections that need a kind of argument nobody has shown, or the first call of all: not worth a finding by default.
#include "mock.h"

// Only a text that is no number gives a warning, and with it an allocation.
SEXP flag_asked_last(SEXP copy) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  UNPROTECT(1);
  if (asInteger(copy)) return x;
  return R_NilValue;
}

// Here it is known to be a text.
SEXP text_asked_last(SEXP copy) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  SEXP text = PROTECT(mkString("twelve"));
  UNPROTECT(1);
  UNPROTECT(1);
  int n = asInteger(text);
  INTEGER(x)[0] = n;  // expect: r-unprotected
  return x;
}

// A collection that is certain counts, whatever came before it.
SEXP certain_later(SEXP copy) {
  SEXP x = allocVector(INTSXP, 1);
  int n = asInteger(copy);
  SEXP y = allocVector(INTSXP, n);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  return y;
}

// The symbol of a constant text is made once, if it was not there already.
SEXP constant_symbol(SEXP n) {
  SEXP x = allocVector(INTSXP, 1);
  SEXP symbol = install("width");
  INTEGER(x)[0] = symbol == n;
  return x;
}

static SEXP width(void) { return install("width"); }

SEXP constant_symbol_in_a_helper(SEXP n) {
  SEXP x = allocVector(INTSXP, 1);
  INTEGER(x)[0] = width() == n;
  return x;
}

SEXP symbol_of_any_text(const char *name, SEXP n) {
  SEXP x = allocVector(INTSXP, 1);
  SEXP symbol = install(name);
  INTEGER(x)[0] = symbol == n;  // expect: r-unprotected
  return x;
}

// What a function makes a call of before it fails is held by the call.
static NORET void failing(SEXP message) {
  SEXP call = PROTECT(lang2(install("stop"), message));
  eval(call, R_GlobalEnv);
  error("not reached");
}

SEXP fails_with_a_message(SEXP n) {
  SEXP message = mkString("negative");
  if (asLogical(n)) failing(message);
  return message;
}

// Dimensions are integers: no coercion makes anything of them.
SEXP dimensions_coerced(SEXP x) {
  int *d = INTEGER(coerceVector(getAttrib(x, R_DimSymbol), INTSXP));
  SEXP y = allocVector(INTSXP, d[0]);
  INTEGER(y)[0] = d[1];
  return y;
}

SEXP names_coerced(SEXP x) {
  int *d = INTEGER(coerceVector(getAttrib(x, R_LevelsSymbol), INTSXP));
  SEXP y = allocVector(INTSXP, 2);
  INTEGER(y)[0] = d[1];  // expect: r-unprotected
  return y;
}
