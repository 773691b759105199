// Objects in struct fields, behind pointers and in arrays: S01 to S12.
#include "mock.h"

static SEXP s_sym_nm;

void S_init_symbols(void) { s_sym_nm = install("nm"); }

// ---- S01: a field is pushed ----------------------------------------------------------------------------------------

struct cb {
  SEXP fun, env;
};

static SEXP run_cb(struct cb *c) { return eval(c->fun, c->env); }

SEXP S01_field_pushed(SEXP arg, SEXP env) {
  struct cb c;
  c.env = env;
  PROTECT(c.fun = allocVector(LANGSXP, 2));
  SETCAR(c.fun, arg);
  SEXP out = run_cb(&c);
  SETCAR(c.fun, R_NilValue);
  UNPROTECT(1);
  return out;
}

SEXP S01_bad_field_not_pushed(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  struct cb c;
  c.fun = allocVector(LANGSXP, 2);
  gcpoint();
  SETCAR(c.fun, arg);
  return c.fun;
}

// ---- S02: a function returns a struct with a fresh field -----------------------------------------------------------

struct info {
  SEXP proxy;
  int kind, depth;
};

static struct info make_info(SEXP x) {
  struct info i = {duplicate(x), TYPEOF(x), 0};
  return i;
}

SEXP FN_S02_fresh_field_returned(SEXP arg) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- fresh fields of a struct returned by value are not followed
  struct info i = make_info(arg);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, i.proxy);
  UNPROTECT(1);
  return out;
}

SEXP S02_ok_field_pushed(SEXP arg) {
  struct info i = make_info(arg);
  PROTECT(i.proxy);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, i.proxy);
  UNPROTECT(2);
  return out;
}

// ---- S03: a callee assigns the field anew after it was pushed ------------------------------------------------------

struct dict {
  SEXP keep;
  int n;
};

static void init_dict(struct dict *d) { d->keep = fresh(); }

SEXP S03_field_assigned_by_callee(struct dict *d) {  // expect-in-function: r-unprotected|r-unprotected-arg
  PROTECT(d->keep);
  init_dict(d);
  SEXP t = fresh();
  INTEGER(t)[0] = INTEGER(d->keep)[0];
  UNPROTECT(1);
  return t;
}

SEXP S03_ok_pushed_after(struct dict *d) {
  init_dict(d);
  PROTECT(d->keep);
  SEXP t = fresh();
  INTEGER(t)[0] = INTEGER(d->keep)[0];
  UNPROTECT(1);
  return t;
}

// ---- S04: the index of the slot is kept in the struct --------------------------------------------------------------

struct growing {
  SEXP x;
  PROTECT_INDEX pi;
  int n;
};

static void grow(struct growing *g) {
  g->n *= 2;
  g->x = lengthgets(g->x, g->n);
  REPROTECT(g->x, g->pi);
}

SEXP S04_index_in_struct(int n) {
  struct growing g = {fresh(), 0, 3};
  PROTECT_WITH_INDEX(g.x, &g.pi);
  for (int i = 0; i < n; i++) {
    if (i >= g.n) {
      g.n *= 2;
      g.x = lengthgets(g.x, g.n);
      REPROTECT(g.x, g.pi);
    }
    gcpoint();
    INTEGER(g.x)[i] = i;
  }
  UNPROTECT(1);
  return g.x;
}

SEXP S04_index_used_by_helper(int n) {
  struct growing g = {fresh(), 0, 3};
  PROTECT_WITH_INDEX(g.x, &g.pi);
  for (int i = 0; i < n; i++) {
    if (i >= g.n) grow(&g);
    gcpoint();
    INTEGER(g.x)[i] = i;
  }
  UNPROTECT(1);
  return g.x;
}

// ---- S05: an out-parameter is returned at once ---------------------------------------------------------------------

static void make_conn(int fd, SEXP *res) { *res = ScalarInteger(fd); }

SEXP S05_out_parameter(int fd) {
  SEXP res = R_NilValue;
  make_conn(fd, &res);
  return res;
}

// ---- S06: an out-parameter is kept over an allocation --------------------------------------------------------------

static int try_dispatch(SEXP call, SEXP env, SEXP *res) {
  if (CAR(call) == R_NilValue) return 0;
  *res = eval(call, env);
  return 1;
}

SEXP S06_kept_over_allocation(SEXP call, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP res;
  if (!try_dispatch(call, env, &res)) res = R_NilValue;
  SEXP nm = mkString("x");
  setAttrib(res, s_sym_nm, nm);
  return res;
}

// ---- S07: an address is used only to read bytes --------------------------------------------------------------------

static uint64_t hash_bytes(const void *p, size_t n) {
  const unsigned char *b = p;
  uint64_t h = 0;
  while (n-- > 0) h = h * 31 + *b++;
  return h;
}

SEXP S07_bytes_of_pointer(SEXP key) {
  SEXP k = PROTECT(duplicate(key));
  uint64_t h = hash_bytes(&k, sizeof k);
  SEXP out = allocVector(INTSXP, 1);
  INTEGER(out)[0] = (int)h + LENGTH(k);
  UNPROTECT(1);
  return out;
}

SEXP S07_bad_still_tracked(SEXP key) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP k = duplicate(key);
  uint64_t h = hash_bytes(&k, sizeof k);
  SEXP out = allocVector(INTSXP, 1);
  INTEGER(out)[0] = (int)h + LENGTH(k);
  return out;
}

// ---- S08: fresh objects in a C array -------------------------------------------------------------------------------

void S08_array(SEXP args, SEXP out, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a[8] = {NULL};
  for (int i = 0; i < n; i++) a[i] = coerceVector(CAR(args), REALSXP), args = CDR(args);
  SET_VECTOR_ELT(out, 0, a[0]);
}

void S08_ok_each_pushed(SEXP args, SEXP out, int n) {
  SEXP a[8] = {NULL};
  int np = 0;
  for (int i = 0; i < n && i < 8; i++) {
    PROTECT(a[i] = coerceVector(CAR(args), REALSXP));
    np++;
    args = CDR(args);
  }
  SET_VECTOR_ELT(out, 0, a[0]);
  UNPROTECT(np);
}

void S08_ok_parts_of_parameter(SEXP args, SEXP out, int n) {
  SEXP a[8] = {NULL};
  for (int i = 0; i < n; i++) a[i] = CAR(args), args = CDR(args);
  gcpoint();
  SET_VECTOR_ELT(out, 0, a[0]);
}

void S08_bad_constant_index(SEXP out) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a[2];
  a[0] = fresh();
  a[1] = fresh();
  SET_VECTOR_ELT(out, 0, a[0]);
  SET_VECTOR_ELT(out, 1, a[1]);
}

// ---- S09: a parameter is stored for a later call -------------------------------------------------------------------

static struct {
  SEXP fun;
} s09;

SEXP S09_set_callback(SEXP fun) {  // expect-in-function: r-global
  s09.fun = fun;
  return R_NilValue;
}

SEXP S09_run_callback(void) {
  SEXP r = eval(PROTECT(lang1(s09.fun)), R_GlobalEnv);
  UNPROTECT(1);
  return r;
}

static SEXP s09_kept;

SEXP S09_ok_preserved(SEXP fun) {
  if (s09_kept) R_ReleaseObject(s09_kept);
  R_PreserveObject(s09_kept = fun);
  return R_NilValue;
}

// ---- S10: a struct's bytes do not keep its objects -----------------------------------------------------------------

struct sheltered {
  SEXP shelter;
  int *data;
};

static struct sheltered new_sheltered(int n) {
  struct sheltered d;
  d.shelter = allocVector(INTSXP, n);
  d.data = INTEGER(d.shelter);
  return d;
}

static SEXP copy_raw(const void *p, size_t n) {
  SEXP out = allocVector(RAWSXP, n);
  memcpy(RAW(out), p, n);
  return out;
}

SEXP FN_S10_bytes_keep_nothing(int n) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- fresh fields of a struct returned by value are not followed
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  struct sheltered d = new_sheltered(n);
  SET_VECTOR_ELT(out, 0, copy_raw(&d, sizeof d));
  SET_VECTOR_ELT(out, 1, d.shelter);
  UNPROTECT(1);
  return out;
}

// ---- S11: a data pointer whose owner is protected ------------------------------------------------------------------

SEXP S11_owner_protected(SEXP call, SEXP env, int n) {
  SEXP sh = PROTECT(allocVector(INTSXP, n));
  int *v = INTEGER(sh);
  for (int i = 0; i < n; i++) {
    SEXP t = eval(call, env);
    v[i] = asInteger(t);
  }
  UNPROTECT(1);
  return sh;
}

// ---- S12: the cell of a binding kept by C code ---------------------------------------------------------------------

static void set_loc(R_varloc_t loc, SEXP v) { SETCAR(loc.cell, v); }

void S12_binding_cell(SEXP env, SEXP sym, SEXP call, SEXP v, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  R_varloc_t loc = R_findVarLocInFrame(env, sym);
  for (int i = 0; i < n; i++) {
    eval(call, env);
    set_loc(loc, v);
  }
}
