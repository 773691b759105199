// Objects made in argument lists, whose order of evaluation is not specified: A01 to A16.
#include "mock.h"

static SEXP a_sym_f, a_sym_rm, a_sym_plus, a_sym_psi;

void A_init_symbols(void) {
  a_sym_f = install("f");
  a_sym_rm = install("rm");
  a_sym_plus = install("+");
  a_sym_psi = install("psigamma");
}

// ---- A01: a symbol and a fresh scalar in one call ------------------------------------------------------------------

SEXP A01_symbol_and_scalar(SEXP arg) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  return lang3(install("sub"), ScalarInteger(1), arg);
}

// ---- A02: two fresh arguments --------------------------------------------------------------------------------------

SEXP A02_two_fresh(void) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  return list2(mkString("a"), ScalarReal(2));
}

// ---- A03: one fresh argument to a callee that protects it ----------------------------------------------------------

SEXP A03_one_fresh(void) {
  SEXP s = install("sub");
  return lang2(s, mkString("a"));
}

// ---- A04: shared logical constants are not fresh -------------------------------------------------------------------

SEXP A04_logical_constant(const char *nm, SEXP env) {
  return lang4(a_sym_rm, mkString(nm), env, ScalarLogical(FALSE));
}

// ---- A05: an element setter with one fresh value -------------------------------------------------------------------

SEXP A05_element_setters(void) {
  SEXP v = PROTECT(allocVector(STRSXP, 1));
  SET_STRING_ELT(v, 0, mkChar("a"));
  SEXP l = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(l, 0, ScalarInteger(1));
  SET_VECTOR_ELT(l, 1, v);
  UNPROTECT(2);
  return l;
}

SEXP A05_bad_container_not_pushed(void) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP v = allocVector(STRSXP, 1);
  SET_STRING_ELT(v, 0, mkChar("a"));
  return v;
}

// ---- A06: an attribute with a run-time symbol and a fresh value ----------------------------------------------------

void A06_symbol_and_value(SEXP out) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  setAttrib(out, install("kind"), mkString("x"));
}

// ---- A07: an attribute with a known symbol and a fresh value -------------------------------------------------------

void A07_known_symbol(SEXP out) { setAttrib(out, R_ClassSymbol, mkString("x")); }

// ---- A08: nested pushes in the argument list -----------------------------------------------------------------------

SEXP A08_nested_pushes(void) {
  SEXP call = lang3(a_sym_f, PROTECT(mkString("a")), PROTECT(ScalarReal(2)));
  UNPROTECT(2);
  PROTECT(call);
  gcpoint();
  UNPROTECT(1);
  return call;
}

// ---- A09: only one of two is pushed --------------------------------------------------------------------------------

SEXP A09_one_of_two_pushed(void) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP call = lang3(a_sym_f, PROTECT(mkString("a")), ScalarReal(2));
  UNPROTECT(1);
  return call;
}

SEXP A09_other_of_two_pushed(void) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP call = lang3(a_sym_f, mkString("a"), PROTECT(ScalarReal(2)));
  UNPROTECT(1);
  return call;
}

// ---- A10: a fresh argument to a function that allocates before it reads it -----------------------------------------

static SEXP slice(SEXP levels, SEXP by) {
  SEXP out = PROTECT(allocVector(STRSXP, 1));
  SET_STRING_ELT(out, 0, STRING_ELT(levels, INTEGER(by)[0]));
  UNPROTECT(1);
  return out;
}

SEXP A10_allocates_before_reading(SEXP levels, int k) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  return slice(levels, ScalarInteger(-k));
}

SEXP A10_ok_pushed(SEXP levels, int k) {
  SEXP out = slice(levels, PROTECT(ScalarInteger(-k)));
  UNPROTECT(1);
  return out;
}

// ---- A11: a fresh argument to a function that reads it first -------------------------------------------------------

static SEXP slice_early(SEXP levels, SEXP by) {
  int k = INTEGER(by)[0];
  SEXP out = PROTECT(allocVector(STRSXP, 1));
  SET_STRING_ELT(out, 0, STRING_ELT(levels, k));
  UNPROTECT(1);
  return out;
}

double A11_readers(SEXP call, SEXP env) {
  int ok = asLogical(eval(call, env));
  double d = asReal(eval(call, env));
  return ok + d;
}

SEXP A11_helper_reads_first(SEXP levels, int k) { return slice_early(levels, ScalarInteger(-k)); }

// ---- A12: an unprotected call is evaluated -------------------------------------------------------------------------

void A12_unprotected_call(SEXP arg) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  eval(lang2(install("gc"), arg), R_GlobalEnv);
}

void A12_ok_call_pushed(SEXP arg) {
  eval(PROTECT(lang2(install("gc"), arg)), R_GlobalEnv);
  UNPROTECT(1);
}

// ---- A13: an external pointer with a fresh tag or payload ----------------------------------------------------------

SEXP A13_fresh_payload(void *ptr) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP tag = install("db");
  return R_MakeExternalPtr(ptr, tag, allocVector(VECSXP, 2));
}

SEXP A13_ok_payload_pushed(void *ptr) {
  SEXP tag = install("db");
  SEXP out = R_MakeExternalPtr(ptr, tag, PROTECT(allocVector(VECSXP, 2)));
  UNPROTECT(1);
  return out;
}

// ---- A14: a string made a vector -----------------------------------------------------------------------------------

SEXP A14_scalar_string(const char *buf) { return ScalarString(mkChar(buf)); }

// ---- A15: an allocating argument and a fresh container -------------------------------------------------------------

void A15_fresh_container(void) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SET_VECTOR_ELT(allocVector(VECSXP, 1), 0, ScalarInteger(1));
}

// ---- A16: the branch of a helper that is used protects -------------------------------------------------------------

static SEXP simp(SEXP op, SEXP a, SEXP b) {
  if (op == a_sym_plus) {
    SEXP swapped = PROTECT(lang3(op, R_NilValue, R_NilValue));
    SETCADR(swapped, b);
    SETCADDR(swapped, a);
    UNPROTECT(1);
    return swapped;
  }
  return lang3(op, a, b);
}

// The two variables hold different symbols: each is only ever assigned one.
SEXP A16_branch_protects(SEXP arg) {
  return simp(a_sym_psi, CADR(arg), lang2(a_sym_f, arg));
}

SEXP A16_bad_other_branch(SEXP arg) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  return simp(a_sym_plus, CADR(arg), lang2(a_sym_f, arg));
}
