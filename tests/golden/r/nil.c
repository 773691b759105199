// What a helper found to be nil is nothing new that could be lost.
#include "mock.h"

static void keep_unless_nil(SEXP x) {
  if (x == R_NilValue) return;
  R_PreserveObject(x);
}

static SEXP kept_or_nil(SEXP call) {
  SEXP x = Rf_eval(call, R_GlobalEnv);
  keep_unless_nil(x);
  return x;
}

int nil_from_a_helper(SEXP call) {
  SEXP x = kept_or_nil(call);
  SEXP y = Rf_allocVector(INTSXP, 1);
  return LENGTH(x) + LENGTH(y);
}

struct holder {
  SEXP data;
};

static void fill(struct holder *h, SEXP call) {
  h->data = Rf_eval(call, R_GlobalEnv);
  keep_unless_nil(h->data);
}

int nil_in_a_member(SEXP call) {
  struct holder h;
  fill(&h, call);
  SEXP y = Rf_allocVector(INTSXP, 1);
  return LENGTH(h.data) + LENGTH(y);
}

// Of no other helper does that follow.
static void keep_if(SEXP x, int wanted) {
  if (wanted) R_PreserveObject(x);
}

static SEXP kept_if(SEXP call, int wanted) {
  SEXP x = Rf_eval(call, R_GlobalEnv);
  keep_if(x, wanted);
  return x;
}

int nil_bad_kept_sometimes(SEXP call, int wanted) {  // expect-in-function: r-unprotected
  SEXP x = kept_if(call, wanted);
  SEXP y = Rf_allocVector(INTSXP, 1);
  return LENGTH(x) + LENGTH(y);
}

// What was not nil goes on to be judged where the ways meet again.
int nil_bad_asked_only(SEXP call) {  // expect-in-function: r-unprotected
  SEXP x = Rf_eval(call, R_GlobalEnv);
  int none = Rf_isNull(x);
  SEXP y = Rf_allocVector(INTSXP, 1);
  return none + LENGTH(x) + LENGTH(y);
}
