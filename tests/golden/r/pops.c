// Protection given up too early: P01 to P12.
#include "mock.h"

// ---- P01: pop, then an allocating call that reads the object -------------------------------------------------------

SEXP P01_pop_then_lengthgets(SEXP arg, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(coerceVector(arg, INTSXP));
  INTEGER(v)[0] = 0;
  UNPROTECT(1);
  return lengthgets(v, n);
}

SEXP P01_pop_then_match(SEXP tab) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(allocVector(INTSXP, 3));
  INTEGER(v)[0] = 0;
  UNPROTECT(1);
  return match(tab, v, 0);
}

static SEXP first_half(SEXP v) {
  int n = LENGTH(v) / 2;
  SEXP out = allocVector(INTSXP, n);
  for (int i = 0; i < n; i++) INTEGER(out)[i] = INTEGER(v)[i];
  return out;
}

SEXP P01_pop_then_helper(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(allocVector(INTSXP, 3));
  INTEGER(v)[0] = 0;
  UNPROTECT(1);
  return first_half(v);
}

SEXP P01_ok_pop_after(void) {
  SEXP v = PROTECT(allocVector(INTSXP, 3));
  INTEGER(v)[0] = 0;
  SEXP out = first_half(v);
  UNPROTECT(1);
  return out;
}

// ---- P02: pop, return ----------------------------------------------------------------------------------------------

SEXP P02_pop_return(void) {
  SEXP w = PROTECT(fresh());
  SEXP v = PROTECT(fresh());
  INTEGER(v)[0] = INTEGER(w)[0];
  UNPROTECT(2);
  return v;
}

// ---- P03: pop, return a scalar computed from it --------------------------------------------------------------------

SEXP P03_pop_return_scalar(SEXP arg) {
  SEXP v = PROTECT(coerceVector(arg, REALSXP));
  gcpoint();
  UNPROTECT(1);
  return ScalarReal(REAL(v)[0] / LENGTH(v));
}

// ---- P04: pop, restore some global state, return -------------------------------------------------------------------

static int zone;
static void restore_zone(int old) {
  if (zone != old && old < 0) warning("cannot restore the zone");
  zone = old;
}

SEXP P04_restore_may_warn(int changed) {  // expect-in-function: r-unprotected|r-unprotected-arg
  int old = zone;
  SEXP out = PROTECT(fresh());
  gcpoint();
  UNPROTECT(1);
  if (changed) restore_zone(old);
  return out;
}

// ---- P05: pop, select a part, return -------------------------------------------------------------------------------

SEXP P05_select_part(void) {
  int np = 0;
  SEXP out = PROTECT(fresh_list());
  np++;
  SET_VECTOR_ELT(out, 0, fresh());
  UNPROTECT(np);
  return LENGTH(out) == 1 ? VECTOR_ELT(out, 0) : out;
}

// ---- P06: the wrong item is popped ---------------------------------------------------------------------------------

static SEXP convert(SEXP v, SEXP by) {
  SEXP out = allocVector(REALSXP, 1);
  REAL(out)[0] = REAL(v)[0] * REAL(by)[0];
  return out;
}

SEXP P06_wrong_item(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  int np = 0;
  SEXP v = PROTECT(convert(arg, PROTECT(ScalarReal(1))));
  np++;
  UNPROTECT(1); /* meant for the scalar */
  gcpoint();
  REAL(v)[0] += 1;
  UNPROTECT(np);
  return v;
}

// ---- P07: an alias is taken, the owner popped ----------------------------------------------------------------------

SEXP P07_alias_of_popped(SEXP arg, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP full = PROTECT(allocVector(INTSXP, n));
  INTEGER(full)[0] = LENGTH(arg);
  arg = full;
  UNPROTECT(1);
  SEXP out = PROTECT(fresh());
  INTEGER(out)[0] = INTEGER(arg)[0];
  UNPROTECT(1);
  return out;
}

// ---- P08: pop two, push one back -----------------------------------------------------------------------------------

static SEXP sorted(SEXP x, SEXP key) {
  SEXP out = allocVector(INTSXP, 1);
  INTEGER(out)[0] = INTEGER(x)[0] + INTEGER(key)[0];
  return out;
}

SEXP P08_push_back_one(SEXP arg) {
  SEXP key = PROTECT(ScalarInteger(1)), o = PROTECT(sorted(arg, key));
  UNPROTECT(2);
  PROTECT(o);
  gcpoint();
  UNPROTECT(1);
  return o;
}

SEXP P08_bad_collection_between(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP key = PROTECT(ScalarInteger(1)), o = PROTECT(sorted(arg, key));
  UNPROTECT(2);
  gcpoint();
  PROTECT(o);
  UNPROTECT(1);
  return o;
}

// ---- P09: compute, pop the old, push the new -----------------------------------------------------------------------

SEXP P09_new_before_pop(void) {
  SEXP v = PROTECT(fresh());
  SEXP t = coerceVector(v, REALSXP);
  UNPROTECT(1);
  PROTECT(v = t);
  gcpoint();
  UNPROTECT(1);
  return v;
}

SEXP P09_accumulate(SEXP f, SEXP list, SEXP env) {
  SEXP acc = PROTECT(CAR(list));
  for (list = CDR(list); list != R_NilValue; list = CDR(list)) {
    SEXP e = PROTECT(duplicate(CAR(list)));
    acc = eval(PROTECT(lang3(f, acc, e)), env);
    UNPROTECT(3);
    PROTECT(acc);
  }
  UNPROTECT(1);
  return acc;
}

// ---- P10: pop the old, then compute from it ------------------------------------------------------------------------

SEXP P10_pop_then_compute(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(fresh());
  gcpoint();
  UNPROTECT(1);
  PROTECT(v = lengthgets(v, n));
  gcpoint();
  UNPROTECT(1);
  return v;
}

SEXP P10_ok_duplicate_protects(void) {
  SEXP v = PROTECT(fresh());
  gcpoint();
  UNPROTECT(1);
  PROTECT(v = duplicate(v));
  gcpoint();
  UNPROTECT(1);
  return v;
}

// ---- P11: a variable is used again after its value was popped ------------------------------------------------------

int P11_variable_used_again(void) {
  SEXP t;
  int n = 0;
  PROTECT(t = fresh());
  n += use(t);
  UNPROTECT(1);
  PROTECT(t = fresh());
  gcpoint();
  n += use(t);
  UNPROTECT(1);
  return n;
}

// ---- P12: pop before a tail call on another object -----------------------------------------------------------------

SEXP P12_tail_call_on_other(SEXP arg) {
  SEXP lev = PROTECT(getAttrib(arg, R_LevelsSymbol));
  if (TYPEOF(lev) != STRSXP) error("levels");
  UNPROTECT(1);
  return asCharacterFactor(arg);
}
