// Counters of pushes: C01 to C15.
#include "mock.h"

// ---- C01: each push is counted, the count is popped ----------------------------------------------------------------

SEXP C01_counter(SEXP arg) {
  int np = 0;
  SEXP a = PROTECT(fresh());
  np++;
  if (isNull(arg)) {
    SEXP b = PROTECT(fresh());
    np++;
    use(b);
  }
  UNPROTECT(np);
  return a;
}

SEXP C01_counter_in_loop(SEXP arg, int n) {
  int np = 0;
  SEXP a = PROTECT(fresh_list());
  np++;
  for (int i = 0; i < n; i++) {
    SEXP b = PROTECT(fresh());
    np++;
    use(b);
  }
  UNPROTECT(np);
  return a;
}

SEXP C01_two_counters(SEXP arg, int n) {
  int outer = 0;
  SEXP a = PROTECT(fresh_list());
  outer++;
  for (int i = 0; i < n; i++) {
    int inner = 0;
    SEXP b = PROTECT(fresh());
    inner++;
    if (use(b)) {
      PROTECT(fresh());
      inner++;
    }
    UNPROTECT(inner);
  }
  UNPROTECT(outer);
  return a;
}

// ---- C02: an increment is forgotten --------------------------------------------------------------------------------

SEXP C02_increment_forgotten(void) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  SEXP a = PROTECT(fresh());
  np++;
  SEXP b = PROTECT(fresh());
  use(b);
  UNPROTECT(np);
  return a;
}

SEXP C02_forgotten_in_loop(int n) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  SEXP a = PROTECT(fresh());
  np++;
  for (int i = 0; i < n; i++) {
    SEXP b = PROTECT(fresh());
    use(b);
  }
  UNPROTECT(np);
  return a;
}

// ---- C03: an increment stayed when its push was removed ------------------------------------------------------------

SEXP C03_increment_without_push(SEXP p) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  SEXP a = PROTECT(fresh());
  np++;
  SEXP d = getAttrib(p, R_DimSymbol);
  np++;
  INTEGER(a)[0] = LENGTH(d);
  UNPROTECT(np);
  return a;
}

// ---- C04: the counter starts at the number of pushes to come -------------------------------------------------------

SEXP C04_counter_ahead(SEXP arg) {
  int np = 2;
  if (TYPEOF(arg) != REALSXP) {
    arg = PROTECT(coerceVector(arg, REALSXP));
    np++;
  }
  SEXP u = PROTECT(fresh()), v = PROTECT(fresh());
  INTEGER(u)[0] = INTEGER(v)[0] + (REAL(arg)[0] > 0);
  UNPROTECT(np);
  return u;
}

SEXP C04_bad_counter_ahead_by_one(SEXP arg) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 3;
  SEXP u = PROTECT(fresh()), v = PROTECT(fresh());
  INTEGER(u)[0] = INTEGER(v)[0];
  UNPROTECT(np);
  return u;
}

// ---- C05: a constant plus the number of trips ----------------------------------------------------------------------

SEXP C05_pop_one_plus_trips(SEXP p, int m, int **q) {
  SEXP h = PROTECT(fresh());
  if (m < 0) error("negative");
  for (int l = 0; l < m; l++) q[l] = INTEGER(PROTECT(coerceVector(VECTOR_ELT(p, l), INTSXP)));
  UNPROTECT(1 + m);
  return h;
}

SEXP C05_bad_forgets_one(SEXP p, int m, int **q) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP h = PROTECT(fresh());
  if (m < 0) error("negative");
  for (int l = 0; l < m; l++) q[l] = INTEGER(PROTECT(coerceVector(VECTOR_ELT(p, l), INTSXP)));
  UNPROTECT(m);
  return h;
}

// ---- C06: a conditional expression is popped -----------------------------------------------------------------------

SEXP C06_conditional_pop(SEXP p, SEXP pool, int safe) {
  SEXP v = safe ? PROTECT(fresh()) : SET_VECTOR_ELT(pool, 0, fresh());
  SEXP r = eval(PROTECT(lang2(p, v)), R_GlobalEnv);
  UNPROTECT(safe ? 2 : 1);
  return r;
}

SEXP C06_bad_swapped(SEXP p, SEXP pool, int safe) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP v = safe ? PROTECT(fresh()) : SET_VECTOR_ELT(pool, 0, fresh());
  SEXP r = eval(PROTECT(lang2(p, v)), R_GlobalEnv);
  UNPROTECT(safe ? 1 : 2);
  return r;
}

// ---- C07: a sum of flags is popped ---------------------------------------------------------------------------------

struct optimum {
  SEXP call, env;
  int grad;
};

double C07_sum_of_flags(struct optimum *st, SEXP sym_g) {
  SEXP s = PROTECT(eval(st->call, st->env));
  double *g = NULL;
  if (st->grad) g = REAL(PROTECT(coerceVector(getAttrib(s, sym_g), REALSXP)));
  double out = g ? g[0] : REAL(s)[0];
  UNPROTECT(1 + st->grad);
  return out;
}

// ---- C08: a macro bumps a counter by its address -------------------------------------------------------------------

#define KEEPN(x, n) (++*(n), PROTECT(x))

SEXP C08_counter_by_address(void) {
  int np = 0;
  SEXP a = KEEPN(fresh(), &np), b = KEEPN(fresh(), &np);
  INTEGER(a)[0] = INTEGER(b)[0];
  UNPROTECT(np);
  return a;
}

static inline SEXP keep_n(SEXP x, int *n) {
  ++*n;
  return PROTECT(x);
}

SEXP C08_counter_in_helper(void) {
  int np = 0;
  SEXP a = keep_n(fresh(), &np), b = keep_n(fresh(), &np);
  INTEGER(a)[0] = INTEGER(b)[0];
  UNPROTECT(np);
  return a;
}

SEXP C08_bad_one_not_counted(void) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  SEXP a = keep_n(fresh(), &np), b = PROTECT(fresh());
  INTEGER(a)[0] = INTEGER(b)[0];
  UNPROTECT(np);
  return a;
}

// ---- C09: the pop of the counter is guarded ------------------------------------------------------------------------

SEXP C09_guard_greater(SEXP arg, int n) {
  int np = 0;
  for (int i = 0; i < n; i++)
    if (INTEGER(arg)[i]) {
      PROTECT(fresh());
      np++;
    }
  if (np > 0) UNPROTECT(np);
  return R_NilValue;
}

SEXP C09_guard_nonzero(SEXP arg, int n) {
  int np = 0;
  if (TYPEOF(arg) != INTSXP) {
    arg = PROTECT(coerceVector(arg, INTSXP));
    np++;
  }
  gcpoint();
  n += INTEGER(arg)[0];
  if (np) UNPROTECT(np);
  return ScalarInteger(n);
}

SEXP C09_bad_guard_leaves_one(SEXP arg, int n) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  if (TYPEOF(arg) != INTSXP) {
    arg = PROTECT(coerceVector(arg, INTSXP));
    np++;
  }
  if (n) {
    PROTECT(fresh());
    np++;
  }
  if (np > 1) UNPROTECT(np);
  return R_NilValue;
}

// ---- C10: the counter grows with the data --------------------------------------------------------------------------

static void put(SEXP c) { SET_VECTOR_ELT(c, 0, R_NilValue); }

void C10_grows_with_data(SEXP p, int ncol) {  // expect-in-function: r-protect-overflow
  int np = 0;
  for (int i = 0; i < LENGTH(p); i++)
    for (int j = 0; j < ncol; j++) {
      SEXP c = PROTECT(coerceVector(VECTOR_ELT(p, i), VECSXP));
      np++;
      put(c);
    }
  UNPROTECT(np);
}

void C10_ok_popped_in_the_loop(SEXP p) {
  for (int i = 0; i < LENGTH(p); i++) {
    SEXP c = PROTECT(coerceVector(VECTOR_ELT(p, i), VECSXP));
    put(c);
    UNPROTECT(1);
  }
}

void C10_ok_bounded(SEXP p) {
  int np = 0;
  for (int i = 0; i < 4; i++) {
    SEXP c = PROTECT(coerceVector(VECTOR_ELT(p, i), VECSXP));
    np++;
    put(c);
  }
  UNPROTECT(np);
}

// ---- C11: popped inside the loop, never reset ----------------------------------------------------------------------

void C11_never_reset(int n) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  for (int i = 0; i < n; i++) {
    SEXP e = PROTECT(fresh());
    np++;
    use(e);
    UNPROTECT(np);
  }
}

// ---- C12: the same with the counter declared inside ----------------------------------------------------------------

void C12_counter_inside(int n) {
  for (int i = 0; i < n; i++) {
    int np = 0;
    SEXP e = PROTECT(fresh());
    np++;
    use(e);
    UNPROTECT(np);
  }
}

// ---- C13: an early exit pops a constant while a counter is in use --------------------------------------------------

SEXP C13_constant_at_early_exit(void) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  SEXP a = PROTECT(fresh());
  np++;
  SEXP b = PROTECT(fresh());
  np++;
  if (LENGTH(b) == 0) {
    UNPROTECT(1);
    return a;
  }
  UNPROTECT(np);
  return a;
}

// ---- C14: pop, reset, count again ----------------------------------------------------------------------------------

SEXP C14_reset(int again) {
  int np = 0;
  SEXP v = PROTECT(fresh());
  np++;
  UNPROTECT(np);
  np = 0;
  if (again) {
    v = PROTECT(fresh());
    np++;
  }
  UNPROTECT(np);
  return v;
}

SEXP C14_bad_not_reset(int again) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  SEXP v = PROTECT(fresh());
  np++;
  UNPROTECT(np);
  if (again) {
    v = PROTECT(fresh());
    np++;
  }
  UNPROTECT(np);
  return v;
}

// ---- C15: a callee pushes for its caller and bumps the caller's counter --------------------------------------------

struct tab {
  SEXP keys, vals;
};

static void C15_hold(struct tab *t, int *n) {
  PROTECT(t->keys);
  PROTECT(t->vals);
  *n += 2;
}

SEXP C15_callee_pushes(SEXP x) {
  int np = 0;
  struct tab t = {x, CDR(x)};
  C15_hold(&t, &np);
  SEXP a = fresh();
  UNPROTECT(np);
  return a;
}

SEXP C15_bad_caller_pops_one(SEXP x) {  // expect-in-function: r-imbalance|r-negative-depth
  int np = 0;
  struct tab t = {x, CDR(x)};
  C15_hold(&t, &np);
  UNPROTECT(1);
  return R_NilValue;
}
