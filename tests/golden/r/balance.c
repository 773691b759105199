// Balance of the protection stack: B01 to B12.
#include "mock.h"

static void fill(SEXP x) { INTEGER(x)[0] = 1; }
static int bad(SEXP x) { return LENGTH(x) > 3; }
static void run(SEXP call) { eval(call, R_GlobalEnv); }

// ---- B01: an early return skips the pop ----------------------------------------------------------------------------

SEXP B01_return_in_loop(SEXP arg, int hi) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP k = PROTECT(coerceVector(arg, INTSXP));
  int lo;
  for (lo = 1; lo <= hi; lo++) {
    int mid = INTEGER(k)[lo];
    if (mid == 0) return ScalarInteger(NA_INTEGER);
  }
  UNPROTECT(1);
  return ScalarInteger(lo);
}

SEXP B01_ok_return_in_loop(SEXP arg, int hi) {
  SEXP k = PROTECT(coerceVector(arg, INTSXP));
  int lo;
  for (lo = 1; lo <= hi; lo++) {
    int mid = INTEGER(k)[lo];
    if (mid == 0) {
      UNPROTECT(1);
      return ScalarInteger(NA_INTEGER);
    }
  }
  UNPROTECT(1);
  return ScalarInteger(lo);
}

// ---- B02: fewer pops than pushes on every path ---------------------------------------------------------------------

SEXP B02_pops_too_few(SEXP env) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP a, c;
  PROTECT(a = fresh());
  PROTECT(fresh());
  PROTECT(c = eval(a, env));
  UNPROTECT(2);
  return c;
}

SEXP B02_ok_pops_all(SEXP env) {
  SEXP a, c;
  PROTECT(a = fresh());
  PROTECT(fresh());
  PROTECT(c = eval(a, env));
  UNPROTECT(3);
  return c;
}

// ---- B03: more pops than pushes ------------------------------------------------------------------------------------

SEXP B03_pops_too_many(void) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP a, b;
  PROTECT(a = fresh_list());
  PROTECT(b = fresh());
  SET_VECTOR_ELT(a, 0, b);
  UNPROTECT(3);
  return a;
}

SEXP B03_below_entry_in_between(void) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP a = PROTECT(fresh());
  UNPROTECT(2);
  PROTECT(a);
  return a;
}

// ---- B04: no pop before error --------------------------------------------------------------------------------------

SEXP B04_error_needs_no_pop(void) {
  SEXP v = PROTECT(fresh());
  if (LENGTH(v) == 0) error("empty");
  UNPROTECT(1);
  return v;
}

SEXP B04_pop_before_error(void) {
  SEXP v = PROTECT(fresh());
  if (LENGTH(v) == 0) {
    UNPROTECT(1);
    error("empty");
  }
  UNPROTECT(1);
  return v;
}

SEXP B04_bad_warning_returns(void) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP v = PROTECT(fresh());
  if (LENGTH(v) == 0) {
    warning("empty");
    return R_NilValue;
  }
  UNPROTECT(1);
  return v;
}

// ---- B05: every case of a switch pops, there is no default ---------------------------------------------------------

SEXP B05_switch_without_default(SEXP arg, int t) {
  if (t != INTSXP && t != REALSXP) error("type");
  SEXP v = PROTECT(coerceVector(arg, t));
  int k;
  double d;
  switch (t) {
    case INTSXP:
      k = INTEGER(v)[0];
      UNPROTECT(1);
      return ScalarInteger(k);
    case REALSXP:
      d = REAL(v)[0];
      UNPROTECT(1);
      return ScalarReal(d);
  }
  return R_NilValue; /* not reached */
}

SEXP B05_bad_third_type(SEXP arg, int t) {  // expect-in-function: r-imbalance|r-negative-depth
  if (t != INTSXP && t != REALSXP && t != LGLSXP) error("type");
  SEXP v = PROTECT(coerceVector(arg, t));
  int k;
  double d;
  switch (t) {
    case INTSXP:
      k = INTEGER(v)[0];
      UNPROTECT(1);
      return ScalarInteger(k);
    case REALSXP:
      d = REAL(v)[0];
      UNPROTECT(1);
      return ScalarReal(d);
  }
  return R_NilValue;
}

// ---- B06: one exit label -------------------------------------------------------------------------------------------

SEXP B06_exit_label(SEXP arg) {
  SEXP out = R_NilValue;
  PROTECT(out = fresh());
  if (bad(arg)) goto done;
  fill(out);
done:
  UNPROTECT(1);
  return out;
}

SEXP B06_bad_label_before_push(SEXP arg) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP out = R_NilValue;
  if (bad(arg)) goto done;
  PROTECT(out = fresh());
  fill(out);
done:
  UNPROTECT(1);
  return out;
}

// ---- B07: `continue` jumps over the loop's pop ---------------------------------------------------------------------

void B07_continue_skips_pop(SEXP arg, int n) {  // expect-in-function: r-imbalance|r-negative-depth
  for (int i = 0; i < n; i++) {
    SEXP e = PROTECT(duplicate(arg));
    if (isNull(e)) continue;
    use(e);
    UNPROTECT(1);
  }
}

void B07_ok_continue_pops(SEXP arg, int n) {
  for (int i = 0; i < n; i++) {
    SEXP e = PROTECT(duplicate(arg));
    if (isNull(e)) {
      UNPROTECT(1);
      continue;
    }
    use(e);
    UNPROTECT(1);
  }
}

// ---- B08: the other arm pushes R_NilValue --------------------------------------------------------------------------

void B08_padding_push(SEXP arg) {
  SEXP call;
  if (isFunction(arg))
    PROTECT(call = lang1(arg));
  else
    PROTECT(call = R_NilValue);
  run(call);
  UNPROTECT(1);
}

void B08_bad_no_padding(SEXP arg) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP call = R_NilValue;
  if (isFunction(arg)) PROTECT(call = lang1(arg));
  run(call);
  UNPROTECT(1);
}

// ---- B09: the same unchanged test guards push and pop --------------------------------------------------------------

void B09_greater_than_zero(SEXP arg, SEXP p) {
  SEXP h = R_NilValue;
  int n = length(arg);
  if (n > 0) {
    PROTECT(h = allocVector(LANGSXP, 2));
    SETCAR(h, p);
  }
  run(h);
  if (n > 0) UNPROTECT(1);
}

void B09_negated(int keep) {
  SEXP h = R_NilValue;
  if (!keep) PROTECT(h = fresh());
  run(h);
  if (!keep) UNPROTECT(1);
}

void B09_two_variables(int x, int y) {
  SEXP h = R_NilValue;
  if (x == y) PROTECT(h = fresh());
  run(h);
  if (x == y) UNPROTECT(1);
}

void B09_type_test(SEXP arg) {
  SEXP h = arg;
  if (TYPEOF(arg) != REALSXP) PROTECT(h = coerceVector(arg, REALSXP));
  run(h);
  if (TYPEOF(arg) != REALSXP) UNPROTECT(1);
}

void B09_bad_other_bound(SEXP arg) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP h = R_NilValue;
  int n = length(arg);
  if (n > 0) PROTECT(h = fresh());
  run(h);
  if (n > 1) UNPROTECT(1);
}

// ---- B10: the guard changes between push and pop -------------------------------------------------------------------

void B10_guard_changes(SEXP p, int big) {  // expect-in-function: r-imbalance|r-negative-depth
  if (!big) PROTECT(fresh());
  big = LENGTH(p) > 1000;
  if (!big) UNPROTECT(1);
}

void B10_ok_guard_kept(SEXP p, int big) {
  int pushed = !big;
  if (!big) PROTECT(fresh());
  big = LENGTH(p) > 1000;
  if (pushed) UNPROTECT(1);
}

// ---- B11: a push was added, the pop at the tail forgotten ----------------------------------------------------------

SEXP B11_no_pop_at_all(SEXP cur) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP gp = PROTECT(duplicate(cur));
  fill(gp);
  return R_NilValue;
}

SEXP B11_result_stays_pushed(int n) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP v = PROTECT(allocVector(INTSXP, n));
  INTEGER(v)[0] = n;
  return v;
}

// ---- B12: a macro that returns early after a full pop --------------------------------------------------------------

#define STOPNOW(m)        \
  if (soft) {             \
    warning(m);           \
    return mkString(m);   \
  } else                  \
    error(m)

SEXP B12_macro_returns_after_full_pop(SEXP c, SEXP p, int soft) {
  PROTECT(c);
  PROTECT(p);
  if (asLogical(eval(c, p))) {
    UNPROTECT(2);
    STOPNOW("bad");
  }
  UNPROTECT(2);
  return R_NilValue;
}

SEXP B12_bad_macro_after_half_pop(SEXP c, SEXP p, int soft) {  // expect-in-function: r-imbalance|r-negative-depth
  PROTECT(c);
  PROTECT(p);
  if (asLogical(eval(c, p))) {
    UNPROTECT(1);
    STOPNOW("bad");
  }
  UNPROTECT(2);
  return R_NilValue;
}

// ---- no case of either switch: reported, with low confidence ---------------------------------------------------------

int by_kind(int kind, SEXP x) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP a = R_NilValue;
  PROTECT(x);
  switch (kind) {
    case 0:
    case 1: PROTECT(a = fresh()); break;
    case 2: PROTECT(a = allocVector(REALSXP, 1)); break;
  }
  int n = LENGTH(a);
  switch (kind) {
    case 0:
    case 1:
    case 2: UNPROTECT(2); break;
  }
  return n;
}

// ---- a copy is nil only if its original is --------------------------------------------------------------------------

SEXP copy_of_something(SEXP x) {
  SEXP y = R_NilValue;
  if (x != R_NilValue) PROTECT(y = duplicate(x));
  SEXP r = fresh();
  if (!isNull(y)) UNPROTECT(1);
  return r;
}

SEXP bad_copy_of_anything(SEXP x) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP y = PROTECT(duplicate(x));
  SEXP r = fresh();
  if (!isNull(y)) UNPROTECT(1);
  return r;
}
