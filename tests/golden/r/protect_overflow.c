// protect-overflow: the protection stack grows with the length of an object.
#include "mock.h"

void overflow_in_loop(SEXP list) {  // expect-in-function: r-protect-overflow
  int n = 0;
  for (int i = 0; i < LENGTH(list); i++) {
    SEXP x = PROTECT(coerceVector(VECTOR_ELT(list, i), REALSXP));
    n++;
    REAL(x)[0] = 0;
  }
  UNPROTECT(n);
}

void overflow_ok_popped(SEXP list) {
  for (int i = 0; i < LENGTH(list); i++) {
    SEXP x = PROTECT(coerceVector(VECTOR_ELT(list, i), REALSXP));
    REAL(x)[0] = 0;
    UNPROTECT(1);
  }
}
