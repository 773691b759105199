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

// A number that was read from an argument is no object: what it came from is not needed any more.
SEXP arg_ok_read_first(SEXP n) { return allocVector(INTSXP, INTEGER(n)[0]); }
SEXP arg_ok_length_first(SEXP x) { return allocVector(INTSXP, LENGTH(x)); }
SEXP arg_read_behind(SEXP n) {
  SEXP out = allocVector(INTSXP, 1);
  INTEGER(out)[0] = INTEGER(n)[0];
  return out;
}
SEXP arg_ok_given_to_who_reads_first(int n) { return arg_ok_read_first(ScalarInteger(n)); }
SEXP arg_ok_given_to_who_asks_length(void) { return arg_ok_length_first(ScalarInteger(1)); }
SEXP arg_given_to_who_reads_behind(int n) {
  return arg_read_behind(ScalarInteger(n));  // expect: r-unprotected-arg
}

// The stop of an R function, called by way of eval(), is no end that comes back (Rcpp's END_RCPP): what was protected
// until there is R's to let go.
SEXP arg_ok_stops_by_eval(SEXP x, SEXP condition) {
  SEXP out = PROTECT(duplicate(x));
  if (INTEGER(x)[0] < 0) {
    SEXP stop_sym = install("stop");
    SEXP call = PROTECT(lang2(stop_sym, condition));
    eval(call, R_GlobalEnv);
    UNPROTECT(1);
    return R_NilValue;
  }
  UNPROTECT(1);
  return out;
}
static SEXP arg_stop_symbol;
void arg_init(void) { arg_stop_symbol = install("stop"); }
SEXP arg_ok_stops_by_variable(SEXP x, SEXP condition) {
  SEXP out = PROTECT(duplicate(x));
  if (INTEGER(x)[0] < 0) {
    SEXP call = PROTECT(lang2(arg_stop_symbol, condition));
    eval(call, R_GlobalEnv);
    return R_NilValue;
  }
  UNPROTECT(1);
  return out;
}
// Which text a helper is given is no condition that its summary can tell.
static SEXP arg_call_of(const char *name, SEXP x) { return lang2(install(name), x); }
SEXP FP_arg_stops_by_helper(SEXP x, SEXP condition) {
  SEXP out = PROTECT(duplicate(x));
  if (INTEGER(x)[0] < 0) {
    SEXP call = PROTECT(arg_call_of("stop", condition));
    eval(call, R_GlobalEnv);
    return R_NilValue;  // false-alarm: r-imbalance
  }
  UNPROTECT(1);
  return out;
}
SEXP arg_warns_by_eval(SEXP x, SEXP condition) {
  SEXP out = PROTECT(duplicate(x));
  if (INTEGER(x)[0] < 0) {
    SEXP call = PROTECT(lang2(install("warning"), condition));
    eval(call, R_GlobalEnv);
    UNPROTECT(1);
    return R_NilValue;  // expect: r-imbalance
  }
  UNPROTECT(1);
  return out;
}

// A slot that is filled anew in each round, and one that is pushed in the first only.
SEXP FP_arg_slot_and_first_round(SEXP rho, SEXP args, int n, int levels) {
  int pushed = 0;
  SEXP a = R_NilValue, class_of = R_NilValue;
  PROTECT_INDEX at;
  PROTECT_WITH_INDEX(a, &at);
  pushed++;
  for (int i = 0; i < n; ++i) {
    REPROTECT(a = eval(args, rho), at);
    if (i == 0) {
      class_of = PROTECT(getAttrib(a, R_ClassSymbol));
      pushed++;
      if (levels) {
        PROTECT(getAttrib(a, R_LevelsSymbol));
        pushed++;
      }
    } else {
      SEXP other = PROTECT(getAttrib(a, R_ClassSymbol));
      if (!R_compute_identical(class_of, other, 0)) error("classes differ");  // false-alarm: r-unprotected-arg
      UNPROTECT(1);
    }
  }
  UNPROTECT(pushed);
  return R_NilValue;
}
