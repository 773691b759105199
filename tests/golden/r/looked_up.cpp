// Functions that a package gets from another one by name, through R_GetCCallable(): what specs say of them holds.
#include "mock.h"

extern "C" DL_FUNC R_GetCCallable(const char *, const char *);

typedef SEXP (*Keep)(SEXP);
typedef void (*Drop)(SEXP);

// A variable that is set when the function runs for the first time.
inline SEXP keep(SEXP object) {
  static Keep fun = (Keep)R_GetCCallable("Rcpp", "Rcpp_precious_preserve");
  return fun(object);
}
inline void drop(SEXP token) {
  static Drop fun = (Drop)R_GetCCallable("Rcpp", "Rcpp_precious_remove");
  fun(token);
}

// One that is set when it is NULL.
static SEXP keep_too(SEXP object) {
  static Keep fun = NULL;
  if (fun == NULL) fun = (Keep)R_GetCCallable("Rcpp", "Rcpp_precious_preserve");
  return fun(object);
}

SEXP kept_while_another_is_made() {
  SEXP x = Rf_allocVector(INTSXP, 1);
  SEXP token = keep(x);
  SEXP y = Rf_allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  drop(token);
  return y;
}

SEXP kept_too() {
  SEXP x = Rf_allocVector(INTSXP, 1);
  SEXP token = keep_too(x);
  SEXP y = Rf_allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  drop(token);
  return y;
}

SEXP kept_directly() {
  SEXP x = Rf_allocVector(INTSXP, 1);
  SEXP token = ((Keep)R_GetCCallable("Rcpp", "Rcpp_precious_preserve"))(x);
  SEXP y = Rf_allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  drop(token);
  return y;
}

// Letting go allocates nothing.
SEXP dropped_and_returned() {
  SEXP x = Rf_allocVector(INTSXP, 1);
  SEXP token = keep(x);
  drop(token);
  return x;
}

SEXP FN_dropped_too_early() {
  SEXP x = Rf_allocVector(INTSXP, 1);
  SEXP token = keep(x);
  drop(token);
  SEXP y = Rf_allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect-not-yet: r-unprotected -- a helper's result that holds is held for good
  return y;
}

// The first use of another package's function collects nothing: its name was registered before.
SEXP looked_up_only() {
  SEXP x = Rf_allocVector(INTSXP, 1);
  static Keep fun = (Keep)R_GetCCallable("other", "function");
  INTEGER(x)[0] = fun != NULL;
  return x;
}

// What Rcpp's classes do: the object and its token are members.
class Storage {
 public:
  Storage() : data(R_NilValue), token(R_NilValue) {}
  ~Storage() {
    drop(token);
    data = R_NilValue;
    token = R_NilValue;
  }
  void set(SEXP x) {
    if (data != x) {
      data = x;
      drop(token);
      token = keep(data);
    }
  }
  SEXP get() const { return data; }

 private:
  SEXP data;
  SEXP token;
};

class Vector : public Storage {
 public:
  explicit Vector(int n) { set(Rf_allocVector(INTSXP, n)); }
  explicit Vector(SEXP x) { set(Rf_coerceVector(x, INTSXP)); }
  int *begin() { return INTEGER(get()); }
};

SEXP a_vector(SEXP given) {
  Vector x(3), y(given);
  x.begin()[0] = y.begin()[0];
  Vector z(3);
  z.begin()[0] = x.begin()[0];
  return z.get();
}

SEXP assigned_again() {
  Vector x(3);
  x.set(Rf_allocVector(INTSXP, 4));
  SEXP other = PROTECT(Rf_allocVector(INTSXP, 4));
  INTEGER(other)[0] = x.begin()[0];
  UNPROTECT(1);
  return other;
}
