// Calls that do not return: E01 to E05, E07, E08 (E06 and E09 are C++). Preserving and releasing: M01 to M10.
#include "mock.h"

static SEXP e_sym_f, e_sym_merge, e_sym_tag;

void E_init_symbols(void) {
  e_sym_f = install("f");
  e_sym_merge = install("merge");
  e_sym_tag = install("tag");
}

// ---- E01: a wrapper that always fails and is not marked so ---------------------------------------------------------

static void stop_bad(SEXP x) {  // expect-in-function: r-noreturn
  errorcall(R_NilValue, "bad %s", type2char(TYPEOF(x)));
}

static void stop_later(SEXP x, int n) {  // expect-in-function: r-noreturn
  while (n-- > 0) INTEGER(x)[n] = 0;
  stop_bad(x);
}

SEXP E01_wrapper(int bad) {
  SEXP v = PROTECT(fresh());
  if (bad) stop_bad(v);
  UNPROTECT(1);
  return v;
}

SEXP E01_wrapper_of_wrapper(int bad) {
  SEXP v = PROTECT(fresh());
  if (bad) {
    stop_later(v, bad);
    return R_NilValue;
  }
  UNPROTECT(1);
  return v;
}

static void stop_sometimes(SEXP x) {
  if (LENGTH(x) > 1) error("too long");
}

SEXP E01_bad_may_return(int bad) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP v = PROTECT(fresh());
  if (bad) {
    stop_sometimes(v);
    return R_NilValue;
  }
  UNPROTECT(1);
  return v;
}

// ---- E02: pushes inside the arguments of a failing call ------------------------------------------------------------

static void fail2(SEXP a, SEXP b) {  // expect-in-function: r-noreturn
  error("%s %d", CHAR(STRING_ELT(a, 0)), LENGTH(b));
}

SEXP E02_pushed_arguments(int ok) {
  if (!ok) {
    fail2(PROTECT(mkString("a")), PROTECT(fresh()));
    abort();
  }
  return R_NilValue;
}

// ---- E03: an unprotected object while signalling -------------------------------------------------------------------

NORET static void signal_cond(SEXP cond, SEXP call) {
  SEXP e = PROTECT(lang3(e_sym_f, R_NilValue, call));
  SETCADR(e, cond);
  eval(e, R_GlobalEnv);
  UNPROTECT(1);
  error("not caught");
}

void E03_unprotected_condition(SEXP call) {  // expect-in-function: r-noreturn, r-unprotected|r-unprotected-arg
  SEXP cond = allocVector(VECSXP, 2);
  signal_cond(cond, call);
}

// ---- E04: cleanup through a pointer before the result is pushed ----------------------------------------------------

SEXP FN_E04_unknown_cleanup(SEXP (*fun)(void *), void (*cleanup)(void *), void *data) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- what an unknown function behind a pointer returns counts as safe
  SEXP res = fun(data);
  cleanup(data);
  return res;
}

// ---- E05: the token of an unwind is pushed -------------------------------------------------------------------------

static SEXP e05_body(void *data) { return allocVector(INTSXP, *(int *)data); }
static void e05_clean(void *data, Rboolean jump) {
  if (jump) longjmp(*(jmp_buf *)data, 1);
}

SEXP E05_token_pushed(int n) {
  jmp_buf jb;
  SEXP tok = PROTECT(R_MakeUnwindCont());
  if (setjmp(jb)) R_ContinueUnwind(tok);
  SEXP r = R_UnwindProtect(e05_body, &n, e05_clean, &jb, tok);
  UNPROTECT(1);
  return r;
}

SEXP E05_bad_token_not_pushed(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  jmp_buf jb;
  SEXP tok = R_MakeUnwindCont();
  if (setjmp(jb)) R_ContinueUnwind(tok);
  SEXP r = R_UnwindProtect(e05_body, &n, e05_clean, &jb, tok);
  return r;
}

// ---- E07: a jump over pushes ---------------------------------------------------------------------------------------

SEXP E07_jump_over_pushes(SEXP call, SEXP env) {
  SEXP a;
  PROTECT(a = fresh());
  eval(call, env);
  UNPROTECT(1);
  return a;
}

// ---- E08: preserved over code that may jump ------------------------------------------------------------------------

SEXP E08_preserved_over_eval(SEXP call, SEXP env) {  // expect-in-function: r-preserve-leak
  SEXP head = fresh();
  R_PreserveObject(head);
  SEXP val = eval(call, env);
  R_ReleaseObject(head);
  return val;
}

SEXP E08_ok_only_allocates(int n) {
  SEXP head = fresh();
  R_PreserveObject(head);
  SEXP val = allocVector(INTSXP, n);
  R_ReleaseObject(head);
  return val;
}

// ---- M01: preserve a fresh object at once --------------------------------------------------------------------------

static SEXP m01_table;

void M01_preserved_at_once(void) {
  R_PreserveObject(m01_table = allocVector(VECSXP, 8));
  SET_VECTOR_ELT(m01_table, 0, mkString("x"));
}

SEXP M01_bad_other_exposed(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP other = fresh();
  R_PreserveObject(m01_table = allocVector(VECSXP, 8));
  return other;
}

// ---- M02: a static that is built once and preserved ----------------------------------------------------------------

SEXP M02_built_once(void) {
  static SEXP nms = NULL;
  if (!nms) {
    nms = allocVector(STRSXP, 1);
    R_PreserveObject(nms);
    SET_STRING_ELT(nms, 0, mkChar("expr"));
  }
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  setAttrib(out, R_NamesSymbol, nms);
  UNPROTECT(1);
  return out;
}

// ---- M03: used after its release -----------------------------------------------------------------------------------

struct state {
  SEXP val;
};

SEXP M03_used_after_release(void) {  // expect-in-function: r-unprotected|r-unprotected-arg; maybe-in-function: r-preserve-leak
  SEXP val = fresh();
  R_PreserveObject(val);
  gcpoint();
  R_ReleaseObject(val);
  SEXP t = mkString("x");
  return lang3(e_sym_f, val, t);
}

SEXP M03_field_used_after_release(struct state *st) {  // expect-in-function: r-unprotected|r-unprotected-arg
  R_ReleaseObject(st->val);
  SEXP t = mkString("x");
  return lang3(e_sym_f, st->val, t);
}

SEXP M03_ok_nothing_between(struct state *st) {
  R_ReleaseObject(st->val);
  return lang2(e_sym_f, st->val);
}

// ---- M04: preserved state is swapped -------------------------------------------------------------------------------

void M04_swap(struct state *s, SEXP v) {
  R_ReleaseObject(s->val);
  R_PreserveObject(v);
  s->val = v;
}

// ---- M05: contained, then released ---------------------------------------------------------------------------------

SEXP M05_contained_then_released(SEXP env) {
  SEXP head = CONS(R_NilValue, R_NilValue);
  R_PreserveObject(head);
  SEXP e = PROTECT(LCONS(e_sym_merge, head));
  R_ReleaseObject(head);
  head = eval(e, env);
  UNPROTECT(1);
  return head;
}

// ---- M06: kept in a multi-set --------------------------------------------------------------------------------------

struct parser {
  SEXP mset;
};
#define HOLD(x) R_PreserveInMSet((x), ps->mset)

SEXP M06_in_multi_set(struct parser *ps) {
  SEXP ans;
  HOLD(ans = allocVector(VECSXP, 2));
  setAttrib(ans, e_sym_tag, mkString("BLOCK"));
  return ans;
}

SEXP M06_local_multi_set(void) {
  SEXP ans, mset = PROTECT(R_NewPreciousMSet(10));
  R_PreserveInMSet(ans = allocVector(VECSXP, 2), mset);
  setAttrib(ans, e_sym_tag, mkString("BLOCK"));
  UNPROTECT(1);
  return ans;
}

// ---- M07: linked, then dropped from the multi-set ------------------------------------------------------------------

SEXP M07_linked_then_dropped(struct parser *ps) {
  SEXP ans, item;
  HOLD(ans = allocVector(VECSXP, 2));
  HOLD(item = allocVector(VECSXP, 2));
  SET_VECTOR_ELT(ans, 0, item);
  R_ReleaseFromMSet(item, ps->mset);
  gcpoint();
  SET_VECTOR_ELT(item, 0, R_NilValue);
  return ans;
}

SEXP M07_bad_dropped_not_linked(struct parser *ps) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP item;
  HOLD(item = allocVector(VECSXP, 2));
  R_ReleaseFromMSet(item, ps->mset);
  gcpoint();
  SET_VECTOR_ELT(item, 0, R_NilValue);
  return item;
}

// ---- M08: the multi-set itself is not alive ------------------------------------------------------------------------

int M08_set_not_alive(void) {  // maybe-in-function: r-unprotected|r-unprotected-arg; expect-in-function: r-unprotected|r-unprotected-arg
  SEXP m = R_NewPreciousMSet(10);
  SEXP x = fresh();
  R_PreserveInMSet(x, m);
  SEXP t = fresh();
  return use(x) + use(t);
}

int M08_set_popped(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP m = PROTECT(R_NewPreciousMSet(10));
  SEXP x = fresh();
  R_PreserveInMSet(x, m);
  UNPROTECT(1);
  SEXP t = fresh();
  return use(x) + use(t);
}

// ---- M09: a home-made list of kept objects -------------------------------------------------------------------------

int M09_pool(void) {
  SEXP pool = PROTECT(allocVector(VECSXP, 64));
  int k = 0;
  SEXP a = fresh();
  SET_VECTOR_ELT(pool, k++, a);
  SEXP b = fresh();
  SET_VECTOR_ELT(pool, k++, b);
  gcpoint();
  int sum = use(a) + use(b);
  UNPROTECT(1);
  return sum;
}

int M09_pool_at_unknown_index(SEXP pool, int k) {
  SEXP a = fresh();
  SET_VECTOR_ELT(pool, k++, a);
  SEXP b = fresh();
  SET_VECTOR_ELT(pool, k++, b);
  gcpoint();
  return use(a) + use(b);
}

// ---- M10: preserved in a C structure, released by the finalizer ----------------------------------------------------

struct handle {
  SEXP keys;
  int *src;
};

static void handle_free(SEXP xp) {
  struct handle *h = R_ExternalPtrAddr(xp);
  R_ReleaseObject(h->keys);
  free(h);
}

SEXP M10_in_structure(int n) {
  struct handle *h = R_chk_calloc(1, sizeof *h);
  h->keys = allocVector(INTSXP, n);
  R_PreserveObject(h->keys);
  h->src = INTEGER(h->keys);
  SEXP xp = PROTECT(R_MakeExternalPtr(h, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(xp, handle_free, TRUE);
  UNPROTECT(1);
  return xp;
}
