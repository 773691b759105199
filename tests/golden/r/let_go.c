// Objects whose holder lets them go while somebody else holds them, and those that nothing holds then.
#include "mock.h"

static SEXP kept;

// The stack holds what the list of preserved objects lets go.
SEXP FP_released_while_protected(void) {
  SEXP x = PROTECT(kept);
  R_ReleaseObject(kept);
  kept = R_NilValue;
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // false-alarm: r-unprotected -- a push of what was read from memory is not remembered
  UNPROTECT(1);
  return y;
}

SEXP made_and_released_while_protected(void) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  R_PreserveObject(x);
  R_ReleaseObject(x);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  UNPROTECT(1);
  return y;
}

SEXP grown_in_a_loop(int n) {
  PROTECT_INDEX at;
  SEXP x;
  PROTECT_WITH_INDEX(x = allocVector(INTSXP, 1), &at);
  for (int i = 0; i < n; i++) {
    REPROTECT(x = Rf_lengthgets(x, i), at);
    INTEGER(x)[0] = i;
  }
  UNPROTECT(1);
  return x;
}

SEXP used_before_the_slot_has_it(int n) {
  PROTECT_INDEX at;
  SEXP x;
  PROTECT_WITH_INDEX(x = allocVector(INTSXP, 1), &at);
  for (int i = 0; i < n; i++) {
    x = Rf_lengthgets(x, i);
    SEXP y = allocVector(INTSXP, 1);
    INTEGER(x)[0] = INTEGER(y)[0];  // expect: r-unprotected
    REPROTECT(x, at);
  }
  UNPROTECT(1);
  return x;
}

static void put(SEXP list, int i, SEXP value) { SET_VECTOR_ELT(list, i, value); }

SEXP own_element_deleted_by_a_helper(void) {
  SEXP list = PROTECT(allocVector(VECSXP, 1));
  SEXP x = allocVector(INTSXP, 1);
  SET_VECTOR_ELT(list, 0, x);
  put(list, 0, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  UNPROTECT(1);
  return y;
}

SEXP FN_element_deleted(SEXP list) {
  SEXP x = VECTOR_ELT(list, 0);
  SET_VECTOR_ELT(list, 0, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect-not-yet: r-unprotected -- what is read belongs to the list, not to its place
  return y;
}

SEXP FN_attribute_deleted(SEXP a) {
  SEXP names = getAttrib(a, R_DimNamesSymbol);
  setAttrib(a, R_DimNamesSymbol, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = LENGTH(names);  // expect-not-yet: r-unprotected -- the same of attributes
  return y;
}

SEXP Rf_findVarInFrame(SEXP, SEXP);
SEXP R_FindNamespace(SEXP);

SEXP found_in_an_environment(SEXP env, SEXP symbol) {
  SEXP v = Rf_findVarInFrame(env, symbol);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = LENGTH(v);
  return y;
}

SEXP a_namespace(SEXP name) {
  SEXP space = R_FindNamespace(name);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = LENGTH(space);
  return y;
}
