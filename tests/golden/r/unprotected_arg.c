// unprotected-arg: an unprotected object is passed to a function that may collect it.
#include "mock.h"

SEXP arg_popped_before(SEXP x, int n) {  // expect-in-function: r-unprotected-arg
  SEXP copy = PROTECT(duplicate(x));
  INTEGER(copy)[0] = 0;
  UNPROTECT(1);
  return lengthgets(copy, n);
}

SEXP arg_ok_popped_after(SEXP x, int n) {
  SEXP copy = PROTECT(duplicate(x));
  INTEGER(copy)[0] = 0;
  SEXP out = lengthgets(copy, n);
  UNPROTECT(1);
  return out;
}
