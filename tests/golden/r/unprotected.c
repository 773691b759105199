// Objects that nothing protects while memory may be collected: U01 to U20.
#include "mock.h"

static SEXP sym_f, sym_g;

void U_init_symbols(void) {
  sym_f = install("f");
  sym_g = install("g");
}

// ---- U01: two allocations in a row ---------------------------------------------------------------------------------

SEXP U01_two_allocations(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a = allocVector(INTSXP, 1);
  SEXP b = allocVector(INTSXP, 1);
  INTEGER(a)[0] = INTEGER(b)[0];
  return b;
}

SEXP U01_ok_protected(void) {
  SEXP a = PROTECT(allocVector(INTSXP, 1));
  SEXP b = allocVector(INTSXP, 1);
  INTEGER(b)[0] = INTEGER(a)[0];
  UNPROTECT(1);
  return b;
}

// ---- U02: a fresh value, then `install` in the setter's argument list ----------------------------------------------

void U02_install_in_setter(SEXP out, int pid) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP id = ScalarInteger(pid);
  setAttrib(out, install("pid"), id);
}

void U02_ok_installed_before(SEXP out, int pid) {
  SEXP sym = install("pid");
  SEXP id = ScalarInteger(pid);
  setAttrib(out, sym, id);
}

// ---- U03: names of what may be a pairlist --------------------------------------------------------------------------

SEXP U03_names_of_anything(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(STRSXP, 3));
  SET_STRING_ELT(out, 0, STRING_ELT(nm, 0));
  UNPROTECT(1);
  return out;
}

SEXP U03_ok_names_pushed(SEXP arg) {
  SEXP nm = PROTECT(getAttrib(arg, R_NamesSymbol));
  SEXP out = PROTECT(allocVector(STRSXP, 3));
  SET_STRING_ELT(out, 0, STRING_ELT(nm, 0));
  UNPROTECT(2);
  return out;
}

// ---- U04: row names ------------------------------------------------------------------------------------------------

SEXP U04_row_names(SEXP df) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP rn = getAttrib(df, R_RowNamesSymbol);
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, rn);
  UNPROTECT(1);
  return out;
}

// ---- U05: the result of an evaluation kept over the next one -------------------------------------------------------

SEXP U05_eval_twice(SEXP call_a, SEXP call_b, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP u = eval(call_a, env);
  SEXP v = eval(call_b, env);
  return lang3(sym_f, u, v);
}

SEXP U05_ok_first_pushed(SEXP call_a, SEXP call_b, SEXP env) {
  SEXP u = PROTECT(eval(call_a, env));
  SEXP v = eval(call_b, env);
  SEXP out = lang3(sym_f, u, v);
  UNPROTECT(1);
  return out;
}

// ---- U06: a protected variable is assigned anew --------------------------------------------------------------------

SEXP U06_variable_assigned_anew(SEXP names, int n, int m) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(allocVector(VECSXP, n));
  v = lengthgets(v, m);
  SEXP w = lengthgets(names, m);
  setAttrib(v, R_NamesSymbol, w);
  UNPROTECT(1);
  return v;
}

#define SET_LENGTH(x, n) ((x) = lengthgets(x, n))

SEXP U06_hidden_in_macro(int n, int m) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(allocVector(VECSXP, n));
  SET_LENGTH(v, m);
  SEXP w = mkString("x");
  SET_VECTOR_ELT(v, 0, w);
  UNPROTECT(1);
  return v;
}

SEXP U06_parameter_assigned_anew(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  arg = duplicate(arg);
  SEXP w = mkString("x");
  SET_VECTOR_ELT(arg, 0, w);
  return arg;
}

SEXP U06_ok_pushed_again(int n, int m) {
  SEXP v = PROTECT(allocVector(VECSXP, n));
  v = PROTECT(lengthgets(v, m));
  SET_VECTOR_ELT(v, 0, mkString("x"));
  UNPROTECT(2);
  return v;
}

// ---- U07: an accumulator in a loop, only its first value is pushed -------------------------------------------------

static SEXP merge2(SEXP a, SEXP b) {
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, a);
  SET_VECTOR_ELT(out, 1, b);
  UNPROTECT(1);
  return out;
}

SEXP U07_accumulator(SEXP p, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP acc = PROTECT(duplicate(p));
  for (int i = 1; i < n; i++) acc = merge2(acc, VECTOR_ELT(p, i));
  UNPROTECT(1);
  return acc;
}

SEXP U07_ok_reprotect(SEXP p, int n) {
  PROTECT_INDEX ipx;
  SEXP acc = duplicate(p);
  PROTECT_WITH_INDEX(acc, &ipx);
  for (int i = 1; i < n; i++) REPROTECT(acc = merge2(acc, VECTOR_ELT(p, i)), ipx);
  UNPROTECT(1);
  return acc;
}

// ---- U08: one update without REPROTECT -----------------------------------------------------------------------------

static SEXP step(SEXP x) {
  SEXP y = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(y, 0, x);
  UNPROTECT(1);
  return y;
}

SEXP U08_one_reprotect_missing(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  PROTECT_INDEX i;
  SEXP out;
  PROTECT_WITH_INDEX(out = fresh(), &i);
  out = step(out);
  REPROTECT(out, i);
  out = step(out);
  out = step(out);
  REPROTECT(out, i);
  UNPROTECT(1);
  return out;
}

SEXP U08_ok_all_reprotected(void) {
  PROTECT_INDEX i;
  SEXP out;
  PROTECT_WITH_INDEX(out = fresh(), &i);
  out = step(out);
  REPROTECT(out, i);
  out = step(out);
  REPROTECT(out, i);
  out = step(out);
  UNPROTECT(1);
  return out;
}

// ---- U09: a warning between ----------------------------------------------------------------------------------------

void U09_warning_between(SEXP arg, SEXP out, int n, int ny) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP y = coerceVector(arg, REALSXP);
  if (n % ny) warning("recycled");
  REAL(out)[0] = REAL(y)[0];
}

// ---- U10: a numeric reader between ---------------------------------------------------------------------------------

SEXP U10_as_integer_between(SEXP arg, int *gap) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP old = ScalarInteger(*gap);
  *gap = asInteger(arg);
  return old;
}

SEXP U10_ok_read_first(SEXP arg, int *gap) {
  int next = asInteger(arg);
  SEXP old = ScalarInteger(*gap);
  *gap = next;
  return old;
}

// ---- U11: scratch memory between -----------------------------------------------------------------------------------

SEXP U11_scratch_memory(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = allocVector(REALSXP, n);
  double *w = (double *)R_alloc(n, sizeof(double));
  REAL(v)[0] = w[0];
  return v;
}

SEXP U11_translate(SEXP s) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = allocVector(REALSXP, 1);
  const char *c = translateChar(s);
  REAL(v)[0] = c[0];
  return v;
}

// ---- U12: two strings ----------------------------------------------------------------------------------------------

void U12_two_strings(SEXP v, const char *s1, const char *s2) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a = mkChar(s1), b = mkChar(s2);
  SET_STRING_ELT(v, 0, a);
  SET_STRING_ELT(v, 1, b);
}

void U12_ok_stored_at_once(SEXP v, const char *s1, const char *s2) {
  SET_STRING_ELT(v, 0, mkChar(s1));
  SET_STRING_ELT(v, 1, mkChar(s2));
}

// ---- U13: the C string of an unprotected string --------------------------------------------------------------------

SEXP U13_c_string(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  const char *nm = CHAR(asChar(arg));
  SEXP out = PROTECT(mkString("x"));
  if (!strcmp(nm, "a")) INTEGER(out)[0] = 1;
  UNPROTECT(1);
  return out;
}

// ---- U14: the data pointer of an unprotected vector ----------------------------------------------------------------

SEXP U14_data_pointer(SEXP arg, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  double *x = REAL(coerceVector(arg, REALSXP));
  SEXP out = PROTECT(allocVector(REALSXP, n));
  REAL(out)[0] = x[0];
  UNPROTECT(1);
  return out;
}

SEXP U14_ok_owner_pushed(SEXP arg, int n) {
  double *x = REAL(PROTECT(coerceVector(arg, REALSXP)));
  SEXP out = PROTECT(allocVector(REALSXP, n));
  REAL(out)[0] = x[0];
  UNPROTECT(2);
  return out;
}

// ---- U15: pushed too late ------------------------------------------------------------------------------------------

// A looked-up function is held by its binding; only an active binding makes a new one.
SEXP FN_U15_pushed_too_late(const char *gen, SEXP args, SEXP env, int keep) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- what was looked up counts as bound
  SEXP m = findFun(install(gen), env);
  if (keep) SET_TAG(args, install("level"));
  PROTECT(m);
  SEXP ans = LCONS(m, args);
  UNPROTECT(1);
  return ans;
}

SEXP U15_vector_pushed_too_late(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = allocVector(REALSXP, n);
  SEXP w = allocVector(REALSXP, n);
  PROTECT(v);
  PROTECT(w);
  REAL(v)[0] = REAL(w)[0];
  UNPROTECT(2);
  return v;
}

// ---- U16: dead before the next collection --------------------------------------------------------------------------

SEXP U16_dead_before(SEXP arg) {
  SEXP t = coerceVector(arg, INTSXP);
  int k = INTEGER(t)[0];
  SEXP out = PROTECT(allocVector(INTSXP, k));
  INTEGER(out)[0] = 0;
  UNPROTECT(1);
  return out;
}

// ---- U17: attributes taken off, put back later ---------------------------------------------------------------------

SEXP U17_attributes_off(SEXP x) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP at = ATTRIB(x);
  SET_ATTRIB(x, R_NilValue);
  SEXP y = shallow_duplicate(x);
  SET_ATTRIB(x, at);
  SET_ATTRIB(y, at);
  return y;
}

SEXP U17_ok_attributes_pushed(SEXP x) {
  SEXP at = PROTECT(ATTRIB(x));
  SET_ATTRIB(x, R_NilValue);
  SEXP y = shallow_duplicate(x);
  SET_ATTRIB(x, at);
  SET_ATTRIB(y, at);
  UNPROTECT(1);
  return y;
}

SEXP U17_ok_put_back(SEXP x) {
  SEXP first = CAR(x), same = CAR(x);
  SETCAR(x, first);
  gcpoint();
  return CAR(same);
}

// ---- U18: a callee unlinks what the caller still uses --------------------------------------------------------------

static int split_args(SEXP args, SEXP *x, SEXP *val) {
  *x = CAR(args);
  SEXP prev = args;
  SEXP cell = CDR(args);
  int n = 0;
  while (CDR(cell) != R_NilValue) {
    prev = cell;
    cell = CDR(cell);
    n++;
  }
  *val = CAR(cell);
  SETCDR(prev, R_NilValue);
  return n;
}

SEXP U18_callee_unlinks(SEXP args) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP x, val;
  split_args(args, &x, &val);
  x = PROTECT(coerceVector(x, VECSXP));
  SET_VECTOR_ELT(x, 0, val);
  UNPROTECT(1);
  return x;
}

// ---- U19: a looked-up value across an evaluation -------------------------------------------------------------------

SEXP U19_lookup_over_eval(SEXP env, SEXP sym, SEXP code) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = findVarInFrame(env, sym);
  eval(code, env);
  return lang2(sym_f, v);
}

// ---- U20: the value of a promise -----------------------------------------------------------------------------------

SEXP U20_promise_value(SEXP env, SEXP sym) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = findVarInFrame3(env, sym, TRUE);
  if (TYPEOF(v) == PROMSXP) return eval(v, env);
  return v;
}

SEXP U20_ok_promise_pushed(SEXP env, SEXP sym) {
  SEXP v = PROTECT(findVarInFrame3(env, sym, TRUE));
  if (TYPEOF(v) == PROMSXP) v = eval(v, env);
  UNPROTECT(1);
  return v;
}

// ---- made only for a kind of argument that nothing speaks of: reported, with low confidence (tests/cli) ---------------

SEXP names_of_what_may_be_a_pairlist(SEXP x) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP names = getAttrib(x, R_NamesSymbol);
  gcpoint();
  return lang2(names, x);
}

// Elements are set by name only where the list is a vector, and names of that are a part of it.
static void put_named(SEXP list, const char *name, SEXP value) {
  SEXP names = getAttrib(list, R_NamesSymbol);
  for (int i = 0; i < LENGTH(list); i++)
    if (!strcmp(R_CHAR(STRING_ELT(names, i)), name)) {
      SET_VECTOR_ELT(list, i, value);
      break;
    }
}

void puts_named(SEXP list) { put_named(list, "fill", mkString("black")); }

// ---- what every alternative asks for is no supposition (of medium confidence: tests/cli) -------------------------------

SEXP evaluated_in_an_environment(SEXP call, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = eval(call, env);
  gcpoint();
  return lang2(v, call);
}
