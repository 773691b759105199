// What loops do to the depth of the stack, and what is still known behind them: shapes from packages drawn at random.
#include "mock.h"

typedef double (*distance)(const double *, const double *, int);

// The depth differs before the loops, and nothing in them pushes or pops. That y is x only where R_y is nil or R_x is
// forgotten after some rounds of the inner loop.
SEXP FP_rounds_distances(SEXP R_x, SEXP R_y, SEXP R_d, distance f) {
  int m = 0, n = 0, nx = LENGTH(R_x), ny = LENGTH(R_x);
  SEXP x = R_x, y = R_y, r;
  if (Rf_isNull(y))
    y = x;
  else if (LOGICAL(R_d)[0] == 1)
    m = 2;
  else
    m = 1;
  if (TYPEOF(x) != REALSXP) {
    PROTECT(x = Rf_coerceVector(R_x, REALSXP));
    if (Rf_isNull(R_y) || R_x == R_y) y = x;
  }
  if (TYPEOF(y) != REALSXP) PROTECT(y = Rf_coerceVector(R_y, REALSXP));
  if (m == 0)
    PROTECT(r = Rf_allocVector(REALSXP, nx * (nx - 1) / 2));
  else if (m == 1)
    PROTECT(r = Rf_allocMatrix(REALSXP, nx, ny));
  else
    PROTECT(r = Rf_allocVector(REALSXP, nx));
  for (int j = 0; j < ny; j++) {
    if (m == 2)
      REAL(r)[n++] = f(REAL(x) + j, REAL(y) + j, nx);
    else
      for (int i = (m == 0) ? j + 1 : 0; i < nx; i++) REAL(r)[n++] = f(REAL(x) + i, REAL(y) + j, nx);
  }
  UNPROTECT(1);
  if (x != R_x) UNPROTECT(1);
  if (!Rf_isNull(R_y) && R_y != R_x && y != R_y) UNPROTECT(1);  // false-alarm: r-negative-depth
  return r;
}

// Pushed and popped in each round: what x and y were decides the pops behind the loop.
SEXP rounds_applied(SEXP R_x, SEXP R_y, SEXP f, SEXP p) {
  int n = LENGTH(R_x), l = 0;
  SEXP x = R_x, y = R_y, r, c;
  if (Rf_isNull(y)) y = x;
  if (TYPEOF(x) != REALSXP) {
    PROTECT(x = Rf_coerceVector(R_x, REALSXP));
    if (Rf_isNull(R_y) || R_x == R_y) y = x;
  }
  if (TYPEOF(y) != REALSXP) PROTECT(y = Rf_coerceVector(R_y, REALSXP));
  PROTECT(r = Rf_allocVector(REALSXP, n));
  PROTECT(c = LCONS(f, CONS(x, CONS(y, p))));
  for (int j = 0; j < n; j++) {
    SEXP s = Rf_eval(c, R_GlobalEnv);
    if (TYPEOF(s) != REALSXP) {
      REAL(r)[l++] = REAL(Rf_coerceVector(PROTECT(s), REALSXP))[0];
      UNPROTECT(1);
    } else {
      REAL(r)[l++] = REAL(s)[0];
    }
  }
  UNPROTECT(2);
  if (x != R_x) UNPROTECT(1);
  if (!Rf_isNull(R_y) && R_y != R_x && y != R_y) UNPROTECT(1);
  return r;
}

// The same without the second pop.
SEXP rounds_bad_applied(SEXP R_x, SEXP R_y, SEXP f, SEXP p) {  // expect-in-function: r-imbalance
  int n = LENGTH(R_x);
  SEXP x = R_x, y = R_y, r, c;
  if (TYPEOF(x) != REALSXP) PROTECT(x = Rf_coerceVector(R_x, REALSXP));
  if (TYPEOF(y) != REALSXP) PROTECT(y = Rf_coerceVector(R_y, REALSXP));
  PROTECT(r = Rf_allocVector(REALSXP, n));
  PROTECT(c = LCONS(f, CONS(x, CONS(y, p))));
  for (int j = 0; j < n; j++) REAL(r)[j] = Rf_asReal(Rf_eval(c, R_GlobalEnv));
  UNPROTECT(2);
  if (x != R_x) UNPROTECT(1);
  return r;
}

// nil is no list: SET_VECTOR_ELT() leaves by an error where nothing was pushed.
SEXP rounds_nil_is_refused(int kind) {
  SEXP one = R_NilValue;
  if (kind == 1)
    PROTECT(one = Rf_allocVector(VECSXP, 2));
  else if (kind == 2)
    PROTECT(one = Rf_allocVector(VECSXP, 3));
  SET_VECTOR_ELT(one, 0, Rf_ScalarInteger(kind));
  UNPROTECT(1);
  return one;
}

// Without the element nothing refuses it.
SEXP rounds_bad_nil(int kind) {  // expect-in-function: r-negative-depth
  SEXP one = R_NilValue;
  if (kind == 1)
    PROTECT(one = Rf_allocVector(VECSXP, 2));
  else if (kind == 2)
    PROTECT(one = Rf_allocVector(VECSXP, 3));
  UNPROTECT(1);
  return one;
}
