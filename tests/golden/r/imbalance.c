// imbalance: the protection stack is not as deep at the end as at the start.
#include "mock.h"

int imbalance_early_return(SEXP x) {  // expect-in-function: r-imbalance
  SEXP v = PROTECT(coerceVector(x, INTSXP));
  if (LENGTH(v) == 0) return 0;
  const int first = INTEGER(v)[0];
  UNPROTECT(1);
  return first;
}

int imbalance_ok(SEXP x) {
  SEXP v = PROTECT(coerceVector(x, INTSXP));
  const int first = LENGTH(v) == 0 ? 0 : INTEGER(v)[0];
  UNPROTECT(1);
  return first;
}
