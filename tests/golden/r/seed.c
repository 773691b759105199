// The snippets of the paper on the checker for R's own sources, with its verdicts, and one test for each weakness that
// the paper confesses: what its tool cannot do is asked for here.
#include "mock.h"

static SEXP seed_sym;

void seed_init(void) { seed_sym = install("seed"); }

// ---- error functions: found by reachability over the call graph ----------------------------------------------------

static void deep_error(int n) {  // expect-in-function: r-noreturn
  if (n > 3) deep_error(n - 1);
  error("depth %d", n);
}

SEXP seed_error_function(int n) {
  SEXP x = PROTECT(fresh());
  if (n) {
    deep_error(n);
    return x;
  }
  UNPROTECT(1);
  return x;
}

// ---- the symbol decides whether an attribute is made --------------------------------------------------------------

SEXP seed_class_does_not_allocate(SEXP x) {
  SEXP fresh_one = fresh();
  SEXP klass = getAttrib(x, R_ClassSymbol);
  INTEGER(fresh_one)[0] = klass == R_NilValue;
  return fresh_one;
}

SEXP seed_names_may_allocate(SEXP x) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP fresh_one = fresh();
  SEXP names = getAttrib(x, R_NamesSymbol);
  INTEGER(fresh_one)[0] = names == R_NilValue;
  return fresh_one;
}

static SEXP attribute_of(SEXP x, SEXP name) { return getAttrib(x, name); }

SEXP seed_symbol_through_helper(SEXP x) {
  SEXP fresh_one = fresh();
  SEXP klass = attribute_of(x, R_ClassSymbol);
  INTEGER(fresh_one)[0] = klass == R_NilValue;
  return fresh_one;
}

// ---- integer guards ------------------------------------------------------------------------------------------------

SEXP seed_integer_guard(int flag) {
  SEXP x = R_NilValue;
  if (flag) PROTECT(x = fresh());
  gcpoint();
  if (flag) UNPROTECT(1);
  return x;
}

SEXP seed_guard_copied(int flag) {
  SEXP x = R_NilValue;
  int pushed = 0;
  if (flag) {
    PROTECT(x = fresh());
    pushed = 1;
  }
  int copy = pushed;
  gcpoint();
  if (copy) UNPROTECT(1);
  return x;
}

// ---- what only an error way does is nobody's concern ---------------------------------------------------------------

static void complain_if(int wrong) {
  if (!wrong) return;
  SEXP text = mkString("wrong");
  error("%s", CHAR(STRING_ELT(text, 0)));
}

SEXP seed_collects_only_to_fail(int wrong) {
  SEXP x = fresh();
  complain_if(wrong);
  INTEGER(x)[0] = 1;
  return x;
}

// ---- symbols -------------------------------------------------------------------------------------------------------

static SEXP twice_the_same, now_and_then;

void seed_symbols(int n) {
  twice_the_same = install("class");
  if (n > 1) twice_the_same = install("class");
  now_and_then = install("class");
  if (n > 1) now_and_then = install("names");
}

SEXP seed_assigned_twice(SEXP x) {
  SEXP v = fresh();
  SEXP klass = getAttrib(x, twice_the_same);
  INTEGER(v)[0] = LENGTH(klass);
  return v;
}

SEXP FN_seed_not_always_the_same(SEXP x) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- which symbol it is nothing on the way shows, so what it may do counts as doubtful
  SEXP v = fresh();
  SEXP some = getAttrib(x, now_and_then);
  INTEGER(v)[0] = LENGTH(some);
  return v;
}

// install() may make a symbol, and keeps it.
SEXP seed_installed_is_kept(void) {
  SEXP s = install("made");
  gcpoint();
  return lang2(s, R_NilValue);
}

// ---- guards on objects ---------------------------------------------------------------------------------------------

SEXP seed_nil_guard(SEXP arg) {
  SEXP x = R_NilValue;
  if (LENGTH(arg) > 2) PROTECT(x = fresh());
  gcpoint();
  if (x != R_NilValue) UNPROTECT(1);
  return R_NilValue;
}

SEXP seed_isnull_guard(SEXP arg) {
  SEXP x = R_NilValue;
  if (!isNull(arg)) PROTECT(x = fresh());
  gcpoint();
  if (!isNull(arg)) UNPROTECT(1);
  return R_NilValue;
}

SEXP seed_symbol_guard(SEXP arg) {
  SEXP x = R_NilValue;
  if (arg == R_ClassSymbol) PROTECT(x = fresh());
  gcpoint();
  if (arg == R_ClassSymbol) UNPROTECT(1);
  return R_NilValue;
}

SEXP seed_type_guard(SEXP arg) {
  SEXP x = R_NilValue;
  if (isSymbol(arg)) PROTECT(x = fresh());
  gcpoint();
  if (isSymbol(arg)) UNPROTECT(1);
  return R_NilValue;
}

SEXP seed_type_guard_mixed(SEXP arg) {
  SEXP x = R_NilValue;
  if (isReal(arg)) PROTECT(x = fresh());
  gcpoint();
  if (TYPEOF(arg) == REALSXP) UNPROTECT(1);
  return R_NilValue;
}

SEXP seed_nil_guard_copied(SEXP arg) {
  SEXP other = arg;
  if (arg != R_NilValue) PROTECT(fresh());
  gcpoint();
  if (other != R_NilValue) UNPROTECT(1);
  return R_NilValue;
}

SEXP seed_nil_assigned(int n) {
  SEXP x = R_NilValue;
  if (n > 2) x = PROTECT(allocVector(INTSXP, n));
  gcpoint();
  if (x != R_NilValue) UNPROTECT(1);
  return x;
}

SEXP FP_seed_symbol_assigned(int n) {
  SEXP which = n > 2 ? R_ClassSymbol : R_NamesSymbol;
  if (which == R_ClassSymbol) PROTECT(fresh());
  gcpoint();
  if (n > 2) UNPROTECT(1);
  return R_NilValue;  // false-alarm: r-imbalance -- two symbols of R are not known to differ where only their declarations are in sight
}

// ---- forms of balance ----------------------------------------------------------------------------------------------

SEXP seed_pop_by_pointer(void) {
  SEXP a = PROTECT(fresh());
  SEXP b = PROTECT(fresh());
  UNPROTECT_PTR(a);
  gcpoint();
  UNPROTECT(1);
  return b;
}

SEXP seed_bad_pop_by_pointer(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a = PROTECT(fresh());
  SEXP b = PROTECT(fresh());
  UNPROTECT_PTR(a);
  gcpoint();
  INTEGER(b)[0] = INTEGER(a)[0];
  UNPROTECT(1);
  return b;
}

SEXP seed_counter_plus_three(void) {
  int nprotect = 1;
  SEXP a = PROTECT(fresh());
  PROTECT(fresh());
  PROTECT(fresh());
  PROTECT(fresh());
  nprotect += 3;
  if (nprotect) UNPROTECT(nprotect);
  return a;
}

SEXP seed_three_or_four(int guard) {
  SEXP a = PROTECT(fresh());
  PROTECT(fresh());
  PROTECT(fresh());
  if (!guard) PROTECT(fresh());
  UNPROTECT(guard ? 3 : 4);
  return a;
}

SEXP seed_saved_top(SEXP call, SEXP env) {
  int savestack = R_PPStackTop;
  SEXP a = PROTECT(fresh());
  PROTECT(eval(call, env));
  R_PPStackTop = savestack;
  return a;
}

SEXP seed_saved_top_in_loop(SEXP call, SEXP env, int n) {
  SEXP a = PROTECT(fresh());
  int savestack = R_PPStackTop;
  for (int i = 0; i < n; i++) PROTECT(eval(call, env));
  R_PPStackTop = savestack;
  UNPROTECT(1);
  return a;
}

SEXP seed_bad_saved_top(SEXP call, SEXP env) {  // expect-in-function: r-imbalance|r-negative-depth
  PROTECT(fresh());
  int savestack = R_PPStackTop;
  PROTECT(eval(call, env));
  R_PPStackTop = savestack;
  return R_NilValue;
}

SEXP seed_differential(SEXP arg, int n) {
  int nprotect = 0;
  for (int i = 0; i < n; i++) {
    SEXP x = coerceVector(VECTOR_ELT(arg, i), STRSXP);
    PROTECT(x);
    nprotect++;
  }
  UNPROTECT(nprotect);
  return R_NilValue;
}

// ---- unprotected objects -------------------------------------------------------------------------------------------

static void sort_it(SEXP v, int decreasing) {
  SEXP tmp = allocVector(INTSXP, LENGTH(v));
  for (int i = 0; i < LENGTH(v); i++) INTEGER(tmp)[i] = INTEGER(v)[i] * (decreasing ? -1 : 1);
  for (int i = 0; i < LENGTH(v); i++) INTEGER(v)[i] = INTEGER(tmp)[i];
}

SEXP seed_premature(int sorted) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP ans = PROTECT(allocVector(INTSXP, 4));
  UNPROTECT(1); /* ans */
  if (sorted) sort_it(ans, FALSE);
  return ans;
}

SEXP seed_three_spellings(void) {
  SEXP x, y, z;
  PROTECT(x = allocVector(VECSXP, 2));
  y = PROTECT(allocVector(VECSXP, 2));
  z = allocVector(VECSXP, 2);
  PROTECT(z);
  gcpoint();
  SET_VECTOR_ELT(x, 0, y);
  SET_VECTOR_ELT(x, 1, z);
  UNPROTECT(3);
  return x;
}

SEXP seed_overwritten(SEXP x) {
  PROTECT(x);
  x = allocVector(VECSXP, 2);
  UNPROTECT(1);
  PROTECT(x);
  gcpoint();
  UNPROTECT(1);
  return x;
}

// Only what is used afterwards matters.
SEXP seed_not_used_again(void) {
  SEXP x = fresh();
  INTEGER(x)[0] = 1;
  gcpoint();
  x = fresh();
  return x;
}

SEXP seed_used_on_one_way(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP x = fresh();
  gcpoint();
  if (n > 2) x = fresh();
  INTEGER(x)[0] = n;
  return x;
}

SEXP seed_setter_links(void) {
  SEXP ans = PROTECT(allocVector(VECSXP, 2));
  SEXP nm = allocVector(STRSXP, 2);
  setAttrib(ans, R_NamesSymbol, nm);
  SET_STRING_ELT(nm, 0, mkChar("x"));
  UNPROTECT(1);
  return ans;
}

SEXP seed_allocator_into_allocating(SEXP env) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  return eval(lang1(seed_sym), env);
}

SEXP seed_allocator_into_protecting(void) { return lang2(seed_sym, mkString("x")); }

// ---- several allocating arguments ----------------------------------------------------------------------------------

SEXP seed_two_allocating_arguments(SEXP env) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  return CONS(mkString("a"), allocVector(INTSXP, 1));
}

SEXP seed_variable_beside_allocating(SEXP env) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP x = mkString("a");
  return CONS(x, allocVector(INTSXP, 1));
}

SEXP seed_ok_variable_pushed(SEXP env) {
  SEXP x = PROTECT(mkString("a"));
  SEXP out = CONS(x, allocVector(INTSXP, 1));
  UNPROTECT(1);
  return out;
}

SEXP seed_ok_pushed_on_both_ways(int n) {
  SEXP x;
  if (n)
    PROTECT(x = mkString("a"));
  else
    x = PROTECT(fresh());
  SEXP out = CONS(x, allocVector(INTSXP, 1));
  UNPROTECT(1);
  return out;
}

// ---- confessed weaknesses ------------------------------------------------------------------------------------------

// The allocator search does not look through joins of values.
static SEXP either(int n, SEXP x) { return n > 2 ? x : allocVector(INTSXP, n); }

SEXP weak_phi_allocator(SEXP x, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a = either(n, x);
  gcpoint();
  INTEGER(a)[0] = 1;
  return a;
}

// A variable may be returned, but not with the value of the allocator.
static SEXP reused_variable(SEXP x) {
  SEXP t = allocVector(INTSXP, 1);
  INTEGER(t)[0] = 1;
  t = CAR(x);
  return t;
}

SEXP weak_other_value_returned(SEXP x) {
  SEXP e = reused_variable(x);
  gcpoint();
  SETCAR(e, R_NilValue);
  return e;
}

// A function that returns its argument, which its caller allocated.
static SEXP decorated(SEXP x) {
  INTEGER(x)[0] = 1;
  return x;
}

SEXP weak_returns_argument(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP y = decorated(allocVector(INTSXP, 1));
  gcpoint();
  INTEGER(y)[0] = 2;
  return y;
}

// `install` is not the only function that stores what it makes: this one needs no list of names.
static SEXP interned(SEXP table, int i) {
  SEXP x = VECTOR_ELT(table, i);
  if (x == R_NilValue) {
    x = allocVector(INTSXP, 1);
    SET_VECTOR_ELT(table, i, x);
  }
  return x;
}

SEXP weak_stored_before_return(SEXP table) {
  SEXP x = interned(table, 3);
  gcpoint();
  INTEGER(x)[0] = 1;
  return x;
}

// Copies of variables: the object counts, not its name.
SEXP weak_copy_used(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP x = fresh();
  SEXP y = x;
  x = R_NilValue;
  gcpoint();
  INTEGER(y)[0] = 1;
  return y;
}

SEXP weak_copy_pushed(void) {
  SEXP x = fresh();
  SEXP y = x;
  PROTECT(y);
  gcpoint();
  INTEGER(x)[0] = 1;
  UNPROTECT(1);
  return x;
}

// Containment ends when the container goes.
SEXP weak_container_popped(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP ans = PROTECT(allocVector(VECSXP, 2));
  SEXP nm = allocVector(STRSXP, 2);
  setAttrib(ans, R_NamesSymbol, nm);
  UNPROTECT(1);
  gcpoint();
  return nm;
}

// Two counters, one of them across a loop.
SEXP weak_two_counters(SEXP arg, int n) {
  int np = 0, nq = 0;
  SEXP out = PROTECT(fresh_list());
  np++;
  for (int i = 0; i < n; i++) {
    if (INTEGER(arg)[i] > 0) {
      PROTECT(fresh());
      nq++;
    }
  }
  UNPROTECT(nq);
  UNPROTECT(np);
  return out;
}

SEXP weak_sum_of_counters(int n) {
  int np = 0, nq = 0;
  SEXP out = PROTECT(fresh_list());
  np++;
  if (n) {
    PROTECT(fresh());
    nq++;
  }
  UNPROTECT(np + nq);
  return out;
}

// Two saved tops.
SEXP weak_two_saved_tops(void) {
  int outer = R_PPStackTop;
  SEXP a = PROTECT(fresh());
  int inner = R_PPStackTop;
  PROTECT(fresh());
  R_PPStackTop = inner;
  gcpoint();
  R_PPStackTop = outer;
  return a;
}

// Protecting callees and setters of a package, found without a list.
static SEXP own_pair(SEXP a, SEXP b) {
  PROTECT(a);
  PROTECT(b);
  SEXP out = allocVector(VECSXP, 2);
  SET_VECTOR_ELT(out, 0, a);
  SET_VECTOR_ELT(out, 1, b);
  UNPROTECT(2);
  return out;
}

SEXP weak_own_callee_protects(SEXP arg) { return own_pair(arg, fresh()); }

static void own_setter(SEXP list, SEXP value) { SET_VECTOR_ELT(list, 0, value); }

SEXP weak_own_setter(void) {
  SEXP out = PROTECT(fresh_list());
  SEXP v = fresh();
  own_setter(out, v);
  gcpoint();
  INTEGER(v)[0] = 1;
  UNPROTECT(1);
  return out;
}

// Released again, it is as bare as before.
SEXP weak_released_again(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP x = fresh();
  R_PreserveObject(x);
  R_ReleaseObject(x);
  gcpoint();
  INTEGER(x)[0] = 1;
  return x;
}

// A push by a counter protects, too: objects and counters are one analysis.
SEXP weak_object_under_counter(SEXP arg, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  int np = 0;
  SEXP x = PROTECT(fresh());
  np++;
  UNPROTECT(np);
  gcpoint();
  INTEGER(x)[0] = n;
  return x;
}

SEXP weak_ok_object_under_counter(SEXP arg, int n) {
  int np = 0;
  SEXP x = PROTECT(fresh());
  np++;
  for (int i = 0; i < n; i++) {
    PROTECT(fresh());
    np++;
  }
  INTEGER(x)[0] = n;
  UNPROTECT(np);
  return x;
}

// A slot of the stack that is filled anew keeps the new object, not the old one.
SEXP weak_old_content_of_a_slot(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  PROTECT_INDEX at;
  SEXP x = fresh(), first = x;
  PROTECT_WITH_INDEX(x, &at);
  REPROTECT(x = fresh(), at);
  gcpoint();
  INTEGER(x)[0] = INTEGER(first)[0];
  UNPROTECT(1);
  return x;
}

// An array of objects on the C stack protects nothing.
SEXP weak_local_array(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP both[2];
  both[0] = fresh();
  both[1] = fresh();
  INTEGER(both[0])[0] = 1;
  return both[0];
}

// The address of a variable may be taken.
static void fill(SEXP *where) { *where = fresh(); }

SEXP weak_address_taken(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP x = R_NilValue;
  fill(&x);
  gcpoint();
  INTEGER(x)[0] = 1;
  return x;
}

SEXP weak_ok_address_taken(void) {
  SEXP x = R_NilValue;
  fill(&x);
  PROTECT(x);
  gcpoint();
  INTEGER(x)[0] = 1;
  UNPROTECT(1);
  return x;
}

// Pushed on every way, by different calls.
SEXP weak_no_single_push(int n) {
  SEXP x = fresh();
  if (n > 2)
    PROTECT(x);
  else
    x = PROTECT(fresh());
  SEXP y = lang2(x, fresh());
  UNPROTECT(1);
  return y;
}
