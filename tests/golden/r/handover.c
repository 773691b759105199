// Helpers that leave objects on the stack for their caller: C16 to C20.
#include "mock.h"

// ---- C16: made, pushed and handed over by pointer ------------------------------------------------------------------

static void C16_make(SEXP *out) { *out = PROTECT(fresh()); }

SEXP C16_one(void) {
  SEXP a;
  C16_make(&a);
  UNPROTECT(1);
  return a;
}

SEXP C16_two(void) {
  SEXP a, b;
  C16_make(&a);
  C16_make(&b);
  use(a);
  UNPROTECT(2);
  return b;
}

SEXP C16_bad_pops_one(void) {  // expect-in-function: r-imbalance
  SEXP a, b;
  C16_make(&a);
  C16_make(&b);
  UNPROTECT(1);
  return a;
}

SEXP C16_bad_used_after_pop(void) {  // expect-in-function: r-unprotected
  SEXP a;
  C16_make(&a);
  UNPROTECT(1);
  fresh();
  use(a);
  return R_NilValue;
}

static SEXP C16_pair(SEXP *second) {
  SEXP first = PROTECT(fresh());
  *second = PROTECT(fresh());
  return first;
}

SEXP C16_one_returned(void) {
  SEXP b, a = C16_pair(&b);
  use(b);
  UNPROTECT(2);
  return a;
}

// A push for the helper's own use beside the one for its caller.
static void C16_scratch(SEXP *out) {
  SEXP t = PROTECT(fresh());
  use(t);
  UNPROTECT(1);
  *out = PROTECT(fresh());
}

SEXP C16_after_scratch(void) {
  SEXP a;
  C16_scratch(&a);
  UNPROTECT(1);
  return a;
}

// The wrong one stays: nobody finds it.
static void C16_bad_left_behind(SEXP *out) {  // expect-in-function: r-imbalance
  SEXP t = PROTECT(fresh());
  use(t);
  *out = R_NilValue;
}

SEXP C16_calls_bad(void) {
  SEXP a;
  C16_bad_left_behind(&a);
  return a;
}

// ---- C17: the caller's counter goes along --------------------------------------------------------------------------

static void C17_make(SEXP *out, int *n) {
  *out = PROTECT(fresh());
  ++*n;
}

SEXP C17_counted(int more) {
  int n = 0;
  SEXP a, b;
  C17_make(&a, &n);
  if (more) C17_make(&b, &n);
  UNPROTECT(n);
  return a;
}

SEXP C17_bad_pops_one(void) {  // expect-in-function: r-imbalance
  int n = 0;
  SEXP a, b;
  C17_make(&a, &n);
  C17_make(&b, &n);
  UNPROTECT(1);
  return a;
}

void C17_extern(SEXP *a, SEXP *b, int *n) {
  *a = PROTECT(fresh());
  *b = PROTECT(fresh());
  *n += 2;
}

SEXP C17_uses_extern(void) {
  int n = 0;
  SEXP a, b;
  C17_extern(&a, &b, &n);
  use(b);
  UNPROTECT(n);
  return a;
}

static SEXP C17_more_than_returned(int *n) {
  SEXP key = PROTECT(fresh()), all = PROTECT(fresh_list());
  SET_VECTOR_ELT(all, 0, key);
  *n += 2;
  return all;
}

SEXP C17_temporary_too(void) {
  int n = 0;
  SEXP a = C17_more_than_returned(&n);
  UNPROTECT(n);
  return a;
}

static int C17_number(SEXP *a, SEXP *b) {
  int n = 0;
  *a = PROTECT(fresh());
  n++;
  *b = PROTECT(fresh());
  n++;
  return n;
}

SEXP C17_number_returned(void) {
  SEXP a, b;
  int n = C17_number(&a, &b);
  use(b);
  UNPROTECT(n);
  return a;
}

// ---- C18: objects and counter in a struct, with functions that open and close it -----------------------------------

struct session {
  SEXP keys, values;
  int pushed;
};

static void C18_open(struct session *s) {
  s->pushed = 0;
  s->keys = PROTECT(fresh());
  s->pushed++;
  s->values = PROTECT(fresh_list());
  s->pushed++;
}

static void C18_close(struct session *s) {
  UNPROTECT(s->pushed);
  s->pushed = 0;
}

SEXP C18_session(void) {
  struct session s;
  C18_open(&s);
  use(s.keys);
  SEXP r = s.values;
  C18_close(&s);
  return r;
}

SEXP C18_bad_never_closed(void) {  // expect-in-function: r-imbalance
  struct session s;
  C18_open(&s);
  use(s.keys);
  return s.values;
}

SEXP C18_bad_closed_too_early(void) {  // expect-in-function: r-unprotected
  struct session s;
  C18_open(&s);
  C18_close(&s);
  fresh();
  use(s.keys);
  return R_NilValue;
}

// ---- C19: a helper pops what the caller counted, and sets the counter back -----------------------------------------

static void C19_pop(int *n) {
  UNPROTECT(*n);
  *n = 0;
}

SEXP C19_popped(void) {
  int n = 0;
  SEXP a = PROTECT(fresh());
  n++;
  C19_pop(&n);
  return a;
}

SEXP C19_bad_counted_once(void) {  // expect-in-function: r-imbalance
  int n = 0;
  SEXP a = PROTECT(fresh());
  n++;
  PROTECT(fresh());
  C19_pop(&n);
  return a;
}

// ---- C20: the counter is a variable of the file --------------------------------------------------------------------

static int pushed_so_far;

static SEXP C20_keep(SEXP x) {
  PROTECT(x);
  pushed_so_far++;
  return x;
}

SEXP C20_static_counter(void) {
  pushed_so_far = 0;
  SEXP a = C20_keep(fresh()), b = C20_keep(fresh());
  use(b);
  UNPROTECT(pushed_so_far);
  return a;
}
