// Entry points in registration tables, and what the initialiser of a package does: T01 to T07.
#include "mock.h"

static double total(const double *x, int na) { return na ? 0 : x[0]; }

// ---- T01: the parameters of an entry point -------------------------------------------------------------------------

SEXP T01_sum(SEXP x, SEXP na) {
  SEXP out = PROTECT(allocVector(REALSXP, 1));
  REAL(out)[0] = total(REAL(x), asLogical(na));
  UNPROTECT(1);
  return out;
}

// ---- T02: the argument list of .External ---------------------------------------------------------------------------

SEXP T02_external(SEXP args) {
  args = CDR(args);
  SEXP x = CAR(args);
  args = CDR(args);
  SEXP y = CAR(args);
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, x);
  SET_VECTOR_ELT(out, 1, y);
  UNPROTECT(1);
  return out;
}

// ---- T03: a needless push of a parameter ---------------------------------------------------------------------------

SEXP T03_needless_push(SEXP x, SEXP env) {
  PROTECT(x);
  PROTECT(env);
  SEXP v = eval(x, env);
  UNPROTECT(2);
  return v;
}

// ---- T04: the cast in a table hides the prototype ------------------------------------------------------------------

static SEXP T04_static_entry(SEXP x) {
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, x);
  UNPROTECT(1);
  return out;
}

static SEXP T04_bad_static_entry(SEXP x) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, x);
  return out;
}

#define ENTRY(n, k) {#n, (DL_FUNC)&n, k}

static const R_CallMethodDef call_entries[] = {
    ENTRY(T01_sum, 2),
    ENTRY(T03_needless_push, 2),
    ENTRY(T04_static_entry, 1),
    ENTRY(T04_bad_static_entry, 1),
    {NULL, NULL, 0},
};

static const R_ExternalMethodDef external_entries[] = {
    {"T02_external", (DL_FUNC)&T02_external, 2},
    {NULL, NULL, 0},
};

// ---- T05: methods of compact vectors and finalizers ----------------------------------------------------------------

static const char *buf(SEXP x, R_xlen_t i) { return (const char *)RAW(x) + i; }

static SEXP T05_elt(SEXP x, R_xlen_t i) { return mkChar(buf(x, i)); }

static void T05_fin(SEXP xp) { free(R_ExternalPtrAddr(xp)); }

void T05_register(R_altrep_class_t cls, SEXP xp) {
  R_set_altstring_Elt_method(cls, T05_elt);
  R_RegisterCFinalizer(xp, T05_fin);
}

// ---- T06: the initialiser fills globals with symbols ---------------------------------------------------------------

static SEXP t_sym_x;

void T06_R_init_symbols(DllInfo *d) {
  t_sym_x = install("x");
  R_registerRoutines(d, NULL, call_entries, NULL, external_entries);
}

SEXP T06_uses_symbol(SEXP out, SEXP v) { return setAttrib(out, t_sym_x, v); }

// ---- T07: the initialiser fills globals with objects nobody preserves ----------------------------------------------

static SEXP empty_chr, base_ns, kept_chr;

void T07_R_init_objects(DllInfo *d) {  // expect-in-function: r-global
  empty_chr = allocVector(STRSXP, 0);
}

SEXP T07_uses_empty(void) { return empty_chr; }

void T07_ok_R_init_held_elsewhere(DllInfo *d) {
  base_ns = R_FindNamespace(PROTECT(mkString("base")));
  UNPROTECT(1);
  kept_chr = allocVector(STRSXP, 0);
  R_PreserveObject(kept_chr);
}

SEXP T07_ok_uses_held(void) { return lang2(kept_chr, base_ns); }

// ---- a global that is set for as long as a call runs ---------------------------------------------------------------

static SEXP handlers;

static void with_old(SEXP old) { handlers = old; }

SEXP handlers_of_this_frame(SEXP call, SEXP env) {
  SEXP mine = PROTECT(cons(R_NilValue, R_NilValue));
  SEXP old = handlers;
  handlers = mine;
  SEXP out = eval(call, env);
  with_old(old);
  UNPROTECT(1);
  return out;
}

SEXP handlers_first(void) { return handlers == NULL ? R_NilValue : CAR(handlers); }

// ---- a global that is given an environment: reported, with low confidence (tests/cli) ---------------------------------

static SEXP own_env;

SEXP remembers_environment(SEXP env) {  // expect-in-function: r-global
  own_env = env;
  return R_NilValue;
}

SEXP uses_environment(SEXP call) { return eval(call, own_env); }

// ---- a table of objects is no root either ------------------------------------------------------------------------------

static SEXP remembered[4];

void remembers_in_table(int i) { remembered[i] = mkString("a"); }  // expect: r-global

SEXP finds_in_table(int i) { return remembered[i]; }

static SEXP preserved[4];

void preserves_in_table(int i) {
  preserved[i] = mkString("a");
  R_PreserveObject(preserved[i]);
}

SEXP finds_preserved(int i) { return preserved[i]; }
