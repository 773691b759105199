// preserve-leak: an object is preserved over code that may not come back.
#include "mock.h"

SEXP preserve_over_eval(SEXP head, SEXP call, SEXP env) {  // expect-in-function: r-preserve-leak
  SEXP copy = duplicate(head);
  R_PreserveObject(copy);
  SEXP value = eval(call, env);
  R_ReleaseObject(copy);
  return value;
}

SEXP preserve_ok_pushed(SEXP head, SEXP call, SEXP env) {
  SEXP copy = PROTECT(duplicate(head));
  SEXP value = eval(call, env);
  SETCAR(copy, R_NilValue);
  UNPROTECT(1);
  return value;
}
