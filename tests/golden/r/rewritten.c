// One function in two halves, one call behind a helper: what tests/metamorphic finds to be judged in another way, each in
// the smallest input.
#include "mock.h"

// ---- wrong in a helper that is given what the caller knows ----------------------------------------------------------

// R's nil at the only call.
static SEXP popped_unless_nil(SEXP arg, SEXP x) {
  if (LENGTH(arg) > 2) PROTECT(x = fresh());
  gcpoint();
  if (x != R_NilValue) UNPROTECT(1);
  return R_NilValue;
}
SEXP nil_at_the_only_call(SEXP arg) { return popped_unless_nil(arg, R_NilValue); }

static SEXP popped_by_counter_from_nothing(int n) {
  SEXP a = PROTECT(fresh());
  n++;
  PROTECT(fresh());
  UNPROTECT(n);
  return a;  // expect: r-imbalance
}
SEXP nothing_at_the_only_call(void) { return popped_by_counter_from_nothing(0); }

// What the first half has excluded is excluded in the rest.
static SEXP two_kinds(SEXP arg, int t) {
  SEXP v = PROTECT(coerceVector(arg, t));
  switch (t) {
    case INTSXP:
    case REALSXP:
      UNPROTECT(1);
      return v;
  }
  return R_NilValue;
}
SEXP two_kinds_at_the_only_call(SEXP arg, int t) {
  if (t != INTSXP && t != REALSXP) error("type");
  return two_kinds(arg, t);
}

// Two names of one object: the helper pushes it by one and uses it by the other.
static SEXP used_beside(SEXP x, SEXP y) {
  PROTECT(y);
  gcpoint();
  INTEGER(x)[0] = 1;
  UNPROTECT(1);
  return x;
}
SEXP pushed_by_another_name(void) {
  SEXP x = fresh();
  return used_beside(x, x);
}

// ---- lost between caller and helper ---------------------------------------------------------------------------------

SEXP made_of_text(const char *text) {
  gcpoint();
  return mkString(text);
}
SEXP FN_text_of_unprotected(void) {
  SEXP s = mkString("x");
  return made_of_text(CHAR(STRING_ELT(s, 0)));  // expect-not-yet: r-unprotected -- a pointer into the object goes to the helper
}

struct pair_of {
  SEXP a, b;
};
static int first_of_pair(struct pair_of p) {
  gcpoint();
  return INTEGER(p.a)[0];
}
int FN_unprotected_by_value(void) {
  struct pair_of p;
  p.a = fresh();
  p.b = R_NilValue;
  return first_of_pair(p);  // expect-not-yet: r-unprotected -- members of a struct by value are not followed
}

SEXP top_restored(int top) {
  R_PPStackTop = top;
  return R_NilValue;
}
SEXP FN_top_restored(SEXP call, SEXP env) {
  PROTECT(fresh());
  int top = R_PPStackTop;
  PROTECT(eval(call, env));
  return top_restored(top);  // expect-not-yet: r-imbalance -- the saved top goes to the helper
}

// ---- calls behind a helper ------------------------------------------------------------------------------------------

static SEXP pushed(SEXP x) { return PROTECT(x); }
void FN_pushed_in_loop(int n) {
  for (int i = 0; i < n; i++) pushed(fresh());  // expect-not-yet: r-protect-overflow -- the helper pushes once
  UNPROTECT(n);
}

static SEXP found(SEXP env, SEXP sym) { return findVarInFrame(env, sym); }
SEXP FN_found_over_eval(SEXP env, SEXP sym, SEXP code) {
  SEXP v = found(env, sym);
  eval(code, env);
  return lang2(sym, v);  // expect-not-yet: r-unprotected -- what a binding lends, by a helper
}

static SEXP copied(SEXP x) { return duplicate(x); }
SEXP FP_copied_unless_nil(SEXP x) {
  SEXP y = R_NilValue;
  if (x != R_NilValue) PROTECT(y = copied(x));
  SEXP r = fresh();
  if (!isNull(y)) UNPROTECT(1);
  return r;  // false-alarm: r-imbalance
}

static SEXP made(int n) { return allocVector(VECSXP, n); }
int ok_type_of_made(int n) {
  SEXP x = made(n);
  if (TYPEOF(x) == ENVSXP) {
    gcpoint();
    return length(x);
  }
  return 0;
}

static SEXP call_of(SEXP f, SEXP x) { return lang2(f, x); }
SEXP swapped(SEXP op, SEXP a, SEXP b) {
  if (op == R_NamesSymbol) {
    SEXP s = PROTECT(lang3(op, R_NilValue, R_NilValue));
    SETCADR(s, b);
    SETCADDR(s, a);
    UNPROTECT(1);
    return s;
  }
  return lang3(op, a, b);
}
SEXP FP_other_branch(SEXP arg) {
  return swapped(R_DimSymbol, CADR(arg), call_of(R_ClassSymbol, arg));  // false-alarm: r-unprotected-arg
}

static SEXP attribute(SEXP x, SEXP name) { return getAttrib(x, name); }
void put_named(SEXP list, SEXP value) {
  SEXP names = attribute(list, R_NamesSymbol);
  for (int i = 0; i < LENGTH(list); i++)
    if (!strcmp(R_CHAR(STRING_ELT(names, i)), "fill")) {
      SET_VECTOR_ELT(list, i, value);
      break;
    }
}
void FP_put_named(SEXP list) {
  put_named(list, mkString("black"));  // false-alarm: r-unprotected-arg
}

// ---- what an API makes of the kind of its argument, of a symbol or of a text, a helper does not know ------------------

SEXP FP_names_by_helper(SEXP arg) {
  SEXP v = PROTECT(coerceVector(arg, REALSXP));
  SEXP nm = attribute(v, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, nm);  // false-alarm: r-unprotected
  UNPROTECT(2);
  return out;
}

static SEXP symbol_of(const char *text) { return install(text); }
SEXP FP_symbol_by_helper(SEXP n) {
  SEXP x = allocVector(INTSXP, 1);
  SEXP symbol = symbol_of("width");
  INTEGER(x)[0] = symbol == n;  // false-alarm: r-unprotected
  return x;
}

static int flag_of(SEXP x) { return asInteger(x); }
SEXP FP_flag_by_helper(SEXP copy) {
  SEXP x = PROTECT(allocVector(INTSXP, 1));
  UNPROTECT(1);
  if (flag_of(copy)) return x;  // false-alarm: r-unprotected
  return R_NilValue;
}

SEXP FP_dimensions_by_helper(SEXP x) {
  int *d = INTEGER(coerceVector(attribute(x, R_DimSymbol), INTSXP));
  SEXP y = allocVector(INTSXP, d[0]);
  INTEGER(y)[0] = d[1];  // false-alarm: r-unprotected
  return y;
}

static void set_attribute(SEXP x, SEXP name, SEXP value) { setAttrib(x, name, value); }
SEXP FN_dimensions_set_by_helper(SEXP m) {
  SEXP d = allocVector(REALSXP, 2);
  REAL(d)[0] = REAL(d)[1] = 2;
  set_attribute(m, R_DimSymbol, d);
  SEXP t = fresh();
  INTEGER(t)[0] = REAL(d)[0];  // expect-not-yet: r-unprotected -- R keeps a copy of this attribute
  return t;
}

static void run_code(SEXP code, SEXP env) { eval(code, env); }
void FN_rebound_by_helper(SEXP sym, SEXP env, SEXP code, int n) {
  SEXP t = allocVector(INTSXP, n);
  defineVar(sym, t, env);
  run_code(code, env);
  INTEGER(t)[0] = 1;  // expect-not-yet: r-unprotected -- code may bind the variable anew
}

void *bytes_copied(void *to, const void *from, unsigned long n) { return memcpy(to, from, n); }
void FN_elements_by_helper(SEXP dst, SEXP src, int n) {
  bytes_copied(STRING_PTR(dst), STRING_PTR_RO(src), n * sizeof(SEXP));  // expect-not-yet: r-write-barrier
}

// ---- more that is lost between caller and helper ----------------------------------------------------------------------

SEXP used_after_release(SEXP x) {
  R_ReleaseObject(x);
  SEXP t = mkString("x");
  return lang3(R_NamesSymbol, x, t);
}
SEXP FN_released_in_helper(void) {
  SEXP x = fresh();
  R_PreserveObject(x);
  return used_after_release(x);  // expect-not-yet: r-unprotected-arg -- the helper gives up what keeps its argument
}

int is_nil(SEXP x) { return x == R_NilValue; }
int FP_compared_in_helper(SEXP arg) {
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  gcpoint();
  return is_nil(nm);  // false-alarm: r-unprotected -- a pointer that is only compared
}

void put_symbol(SEXP out, SEXP value) { setAttrib(out, install("pid"), value); }
void FN_symbol_made_in_helper(SEXP out, int pid) {
  put_symbol(out, ScalarInteger(pid));  // expect-not-yet: r-unprotected-arg -- install() comes first, or the value is used first
}

static SEXP names_of(SEXP a) { return getAttrib(a, R_DimNamesSymbol); }
static SEXP set_names(SEXP a, SEXP names) { return setAttrib(a, R_DimNamesSymbol, names); }
SEXP FN_attribute_deleted_by_helper(SEXP a) {
  SEXP names = names_of(a);
  set_names(a, R_NilValue);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = LENGTH(names);  // expect-not-yet: r-unprotected -- what is replaced is no longer kept
  return y;
}

// A helper that asks whether there is anything to keep, by a flag for its early return.
static void kept_unless_nil(SEXP x) {
  int done = 0;
  if (x == R_NilValue) done = 1;
  if (!done) R_PreserveObject(x);
}
int FP_nil_by_flag(SEXP call) {
  SEXP x = Rf_eval(call, R_GlobalEnv);
  kept_unless_nil(x);
  SEXP y = Rf_allocVector(INTSXP, 1);
  return LENGTH(x) + LENGTH(y);  // false-alarm: r-unprotected -- nil is nothing that could be lost
}

// eval() does not come back from a call of stop(); of what a helper evaluates its summary cannot tell that.
static SEXP evaluated(SEXP call, SEXP rho) { return eval(call, rho); }
SEXP FP_stops_by_helper(SEXP x, SEXP condition) {
  SEXP out = PROTECT(duplicate(x));
  if (INTEGER(x)[0] < 0) {
    evaluated(PROTECT(lang2(install("stop"), condition)), R_GlobalEnv);
    return R_NilValue;  // false-alarm: r-imbalance
  }
  UNPROTECT(1);
  return out;
}

// Which of two objects a member of a local struct holds, and under which condition, is not known behind a loop.
SEXP FP_member_behind_a_loop(SEXP x, SEXP other, int n) {
  struct {
    SEXP x;
  } at;
  at.x = x;
  if (Rf_isNull(at.x)) at.x = other;
  for (int i = 0; i < n; i++) gcpoint();
  if (!Rf_isNull(x) && at.x != x) UNPROTECT(1);  // false-alarm: r-negative-depth
  return R_NilValue;
}
SEXP variable_behind_a_loop(SEXP x, SEXP other, int n) {
  SEXP y = x;
  if (Rf_isNull(y)) y = other;
  for (int i = 0; i < n; i++) gcpoint();
  if (!Rf_isNull(x) && y != x) UNPROTECT(1);
  return R_NilValue;
}
