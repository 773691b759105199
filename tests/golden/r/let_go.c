// Objects whose holder lets them go while somebody else holds them, and those that nothing holds then.
#include "mock.h"

static SEXP kept;

// The stack holds what the list of preserved objects lets go.
SEXP released_while_protected(void) {
  SEXP x = PROTECT(kept);
  R_ReleaseObject(kept);
  kept = R_NilValue;
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  UNPROTECT(1);
  return y;
}

SEXP released_and_popped(void) {
  SEXP x = PROTECT(kept);
  R_ReleaseObject(kept);
  kept = R_NilValue;
  UNPROTECT(1);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
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

SEXP element_deleted(SEXP list) {
  SEXP x = VECTOR_ELT(list, 0);
  SET_VECTOR_ELT(list, 0, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  return y;
}

SEXP attribute_deleted(SEXP a) {
  SEXP names = getAttrib(a, R_DimNamesSymbol);
  setAttrib(a, R_DimNamesSymbol, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = LENGTH(names);  // expect: r-unprotected
  return y;
}

SEXP another_element_deleted(SEXP list, int i) {
  SEXP x = VECTOR_ELT(list, 0), z = VECTOR_ELT(list, i);
  SET_VECTOR_ELT(list, 1, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0] + INTEGER(z)[0];
  return y;
}

SEXP another_attribute_deleted(SEXP a) {
  SEXP names = getAttrib(a, R_DimNamesSymbol);
  setAttrib(a, R_LevelsSymbol, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = LENGTH(names);
  return y;
}

static void take(SEXP list, SEXP *out) {
  *out = VECTOR_ELT(list, 0);
  SET_VECTOR_ELT(list, 0, R_NilValue);
}

SEXP taken_out(SEXP list) {
  SEXP x;
  take(list, &x);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  return y;
}

SEXP taken_out_and_pushed(SEXP list) {
  SEXP x;
  take(list, &x);
  PROTECT(x);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  UNPROTECT(1);
  return y;
}

// A helper lends an element of a list that nothing protects.
static SEXP element(SEXP list, int i) { return VECTOR_ELT(list, i); }

SEXP element_of_unprotected(int i) {
  SEXP list = allocVector(VECSXP, 2);
  SEXP x = element(list, i);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  return y;
}

// A helper makes a list, and gives an element of it as well.
static SEXP made_with_first(SEXP *first) {
  SEXP list = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(list, 0, allocVector(INTSXP, 1));
  *first = VECTOR_ELT(list, 0);
  UNPROTECT(1);
  return list;
}

SEXP held_by_the_result(void) {
  SEXP x, list = PROTECT(made_with_first(&x));
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  UNPROTECT(1);
  return y;
}

SEXP held_by_nothing(void) {
  SEXP x;
  made_with_first(&x);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  return y;
}

SEXP swapped(SEXP list, int i, int j) {
  SEXP a = VECTOR_ELT(list, i), b = VECTOR_ELT(list, j);
  SET_VECTOR_ELT(list, i, b);
  SET_VECTOR_ELT(list, j, a);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(a)[0] + INTEGER(b)[0];
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

// ---- a helper that empties one place puts nothing there, and says which
static void empties(SEXP list, int i) { SET_VECTOR_ELT(list, i, R_NilValue); }

int emptied_used(SEXP list) {
  SEXP x = VECTOR_ELT(list, 0);
  empties(list, 0);
  gcpoint();
  return use(x);  // expect: r-unprotected
}

int emptied_ok_pushed(SEXP list) {
  SEXP x = PROTECT(VECTOR_ELT(list, 0));
  empties(list, 0);
  gcpoint();
  const int n = use(x);
  UNPROTECT(1);
  return n;
}

int emptied_ok_other(SEXP list) {
  SEXP x = VECTOR_ELT(list, 0);
  empties(list, 1);
  gcpoint();
  return use(x);
}

static void takes_off(SEXP x, SEXP name) { setAttrib(x, name, R_NilValue); }

int taken_off_used(SEXP x) {
  SEXP at = getAttrib(x, R_LevelsSymbol);
  takes_off(x, R_LevelsSymbol);
  gcpoint();
  return use(at);  // expect: r-unprotected
}

int taken_off_ok_other(SEXP x) {
  SEXP at = getAttrib(x, R_LevelsSymbol);
  takes_off(x, R_DimSymbol);
  gcpoint();
  return use(at);
}

// Nobody gives the helper anything but nil to put there, so that it only takes off.
static SEXP sets_to(SEXP x, SEXP name, SEXP value) { return setAttrib(x, name, value); }

int set_to_nil_used(SEXP x) {
  SEXP at = getAttrib(x, R_LevelsSymbol);
  sets_to(x, R_LevelsSymbol, R_NilValue);
  gcpoint();
  return use(at);  // expect: r-unprotected
}

int set_to_nil_ok_other(SEXP x) {
  SEXP at = getAttrib(x, R_LevelsSymbol);
  sets_to(x, R_DimSymbol, R_NilValue);
  gcpoint();
  return use(at);
}

// Which place it is stands in the helper.
static void set_first(SEXP list, SEXP x) { SET_VECTOR_ELT(list, 0, x); }
static void set_third(SEXP list, SEXP x) { SET_VECTOR_ELT(list, 2, x); }
static void sets_first_for_others(SEXP list, SEXP x) { set_first(list, x); }

SEXP first_replaced_by_helper(void) {
  SEXP list = PROTECT(allocVector(VECSXP, 3));
  SEXP x = allocVector(INTSXP, 1);
  SET_VECTOR_ELT(list, 0, x);
  set_first(list, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  UNPROTECT(1);
  return y;
}

SEXP third_replaced_by_helper(void) {
  SEXP list = PROTECT(allocVector(VECSXP, 3));
  SEXP x = allocVector(INTSXP, 1);
  set_third(list, x);
  set_third(list, allocVector(INTSXP, 1));
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  UNPROTECT(1);
  return y;
}

SEXP first_replaced_by_two(void) {
  SEXP list = PROTECT(allocVector(VECSXP, 3));
  SEXP x = allocVector(INTSXP, 1);
  sets_first_for_others(list, x);
  sets_first_for_others(list, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  UNPROTECT(1);
  return y;
}

SEXP another_replaced_by_helper(void) {
  SEXP list = PROTECT(allocVector(VECSXP, 3));
  SEXP x = allocVector(INTSXP, 1);
  set_third(list, x);
  set_first(list, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  UNPROTECT(1);
  return y;
}
