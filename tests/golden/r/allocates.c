// What allocates and what does not: W01 to W21.
#include "mock.h"

static SEXP w_sym_f, w_sym_units;

void W_init_symbols(void) {
  w_sym_f = install("f");
  w_sym_units = install("units");
}

// ---- W01: attributes by a symbol other than names and row.names ----------------------------------------------------

SEXP W01_stored_attributes(SEXP arg) {
  SEXP d = getAttrib(arg, R_DimSymbol), lv = getAttrib(arg, R_LevelsSymbol);
  SEXP out = PROTECT(allocVector(INTSXP, INTEGER(d)[0]));
  INTEGER(out)[0] = LENGTH(lv) + INTEGER(d)[1];
  UNPROTECT(1);
  return out;
}

SEXP W01_no_collection(SEXP arg) {
  SEXP out = fresh();
  SEXP cl = getAttrib(arg, R_ClassSymbol), u = getAttrib(arg, w_sym_units);
  INTEGER(out)[0] = cl == u;
  return out;
}

SEXP W01_bad_of_fresh(SEXP call, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP d = getAttrib(eval(call, env), R_DimSymbol);
  SEXP out = PROTECT(allocVector(INTSXP, 3));
  INTEGER(out)[0] = INTEGER(d)[0];
  UNPROTECT(1);
  return out;
}

// ---- W02: an attribute named by a string ---------------------------------------------------------------------------

SEXP W02_named_by_string(SEXP arg) {
  SEXP key = PROTECT(mkString("units"));
  SEXP u = getAttrib(arg, key);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, u);
  UNPROTECT(2);
  return out;
}

// ---- W03: names after a test of the type ---------------------------------------------------------------------------

int W03_type_tested(SEXP arg) {
  int x = 0;
  if (TYPEOF(arg) != VECSXP) error("list expected");
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  for (int i = 0; i < LENGTH(nm); i++) x += asInteger(VECTOR_ELT(arg, i));
  return x;
}

int W03_tested_by_function(SEXP arg) {
  int x = 0;
  if (!isString(arg)) error("strings expected");
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  for (int i = 0; i < LENGTH(nm); i++) {
    gcpoint();
    x += strlen(CHAR(STRING_ELT(nm, i)));
  }
  return x;
}

SEXP W03_switch(SEXP arg) {
  SEXP nm = R_NilValue;
  switch (TYPEOF(arg)) {
    case INTSXP:
    case REALSXP:
      nm = getAttrib(arg, R_NamesSymbol);
      break;
    default:
      error("numbers expected");
  }
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, nm);
  UNPROTECT(1);
  return out;
}

SEXP W03_list_or_null(SEXP arg) {
  if (!isNewList(arg)) error("list expected");
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, nm);
  UNPROTECT(1);
  return out;
}

SEXP W03_made_here(SEXP arg) {
  SEXP v = PROTECT(coerceVector(arg, REALSXP));
  SEXP nm = getAttrib(v, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, nm);
  UNPROTECT(2);
  return out;
}

SEXP W03_later_access_would_fail(SEXP arg) {
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  SEXP first = VECTOR_ELT(arg, 0);
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, nm);
  SET_VECTOR_ELT(out, 1, first);
  UNPROTECT(1);
  return out;
}

SEXP W03_bad_wrong_type_tested(SEXP arg) {  // expect-in-function: r-unprotected|r-unprotected-arg
  if (TYPEOF(arg) == VECSXP) error("no lists");
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, nm);
  UNPROTECT(1);
  return out;
}

// ---- W04: a symbol needs no protection -----------------------------------------------------------------------------

SEXP W04_symbol(SEXP arg, int n) {
  SEXP s = install("weights");
  SEXP out = PROTECT(allocVector(REALSXP, n));
  setAttrib(out, s, arg);
  UNPROTECT(1);
  return out;
}

// ---- W05: a string does --------------------------------------------------------------------------------------------

SEXP W05_string(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP na = mkChar("NA");
  SEXP v = PROTECT(allocVector(STRSXP, n));
  SET_STRING_ELT(v, 0, na);
  UNPROTECT(1);
  return v;
}

// ---- W06: a string that a symbol owns ------------------------------------------------------------------------------

static SEXP ch_date;

void W06_init(void) { ch_date = PRINTNAME(install("Date")); }

SEXP W06_string_of_symbol(void) {
  SEXP s = PRINTNAME(install("POSIXct"));
  SEXP v = PROTECT(allocVector(STRSXP, 3));
  SET_STRING_ELT(v, 0, s);
  SET_STRING_ELT(v, 1, ch_date);
  SET_STRING_ELT(v, 2, NA_STRING);
  UNPROTECT(1);
  return v;
}

// ---- W07: coercion may return its argument -------------------------------------------------------------------------

SEXP W07_fresh_on_one_path(SEXP arg, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  if (TYPEOF(arg) != REALSXP) arg = coerceVector(arg, REALSXP);
  SEXP out = PROTECT(allocVector(REALSXP, n));
  REAL(out)[0] = REAL(arg)[0];
  UNPROTECT(1);
  return out;
}

SEXP W07_ok_same_type(SEXP arg, int n) {
  if (TYPEOF(arg) != REALSXP) error("numbers expected");
  SEXP v = coerceVector(arg, REALSXP);
  SEXP out = PROTECT(allocVector(REALSXP, n));
  REAL(out)[0] = REAL(v)[0];
  UNPROTECT(1);
  return out;
}

// ---- W08: access to the data of a compact vector cannot collect ----------------------------------------------------

SEXP W08_data_access(SEXP arg, int n) {
  SEXP a = allocVector(INTSXP, n);
  int *s = INTEGER(arg);
  INTEGER(a)[0] = s[0];
  return a;
}

SEXP W08_string_element(SEXP arg, int n) {
  SEXP a = allocVector(STRSXP, n);
  SET_STRING_ELT(a, 0, STRING_ELT(arg, 0));
  return a;
}

// ---- W09: element and length methods count as plain, too -----------------------------------------------------------

SEXP W09_element_and_length(SEXP arg, int n) {
  SEXP a = allocVector(INTSXP, n);
  int k = INTEGER_ELT(arg, 0) + LENGTH(arg);
  INTEGER(a)[0] = k;
  return a;
}

// ---- W10: a string element belongs to its vector -------------------------------------------------------------------

SEXP W10_string_element(SEXP arg, int i) {
  SEXP s = STRING_ELT(arg, i);
  SEXP out = PROTECT(mkString("a"));
  SET_STRING_ELT(out, 0, s);
  UNPROTECT(1);
  return out;
}

// ---- W11: allocation on an error path only -------------------------------------------------------------------------

static void check_length(SEXP x, int n) {
  if (LENGTH(x) != n) {
    SEXP msg = mkString("length");
    error("bad %s", CHAR(STRING_ELT(msg, 0)));
  }
}

SEXP W11_error_path(SEXP arg, int n) {
  SEXP a = allocVector(INTSXP, 3);
  if (n < 0) error("bad %s", CHAR(asChar(arg)));
  INTEGER(a)[0] = 1;
  return a;
}

SEXP W11_error_path_of_callee(SEXP arg, int n) {
  SEXP a = allocVector(INTSXP, 3);
  check_length(arg, n);
  INTEGER(a)[0] = 1;
  return a;
}

// ---- W12: a test of the class of a fresh object --------------------------------------------------------------------

SEXP W12_class_test(SEXP call, SEXP env) {
  SEXP v = eval(call, env);
  if (inherits(v, "try-error")) return R_NilValue;
  return v;
}

SEXP W12_size(SEXP call, SEXP env) {
  SEXP v = eval(call, env);
  if (nrows(v) != ncols(v)) error("not square");
  return v;
}

// ---- W13: the reader of logicals -----------------------------------------------------------------------------------

SEXP W13_as_logical(SEXP arg) {
  SEXP a = fresh();
  if (asLogical(arg)) return a;
  return R_NilValue;
}

// ---- W14: printing -------------------------------------------------------------------------------------------------

SEXP W14_rprintf(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = fresh();
  Rprintf("n=%d\n", n);
  return lang1(v);
}

SEXP W14_print_value(SEXP x) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = fresh();
  PrintValue(x);
  return lang1(v);
}

// ---- W15: a check for interrupts -----------------------------------------------------------------------------------

SEXP W15_interrupts(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = allocVector(INTSXP, n);
  for (int i = 0; i < n; i++) {
    R_CheckUserInterrupt();
    INTEGER(v)[i] = i;
  }
  return v;
}

// ---- W16: random numbers -------------------------------------------------------------------------------------------

SEXP W16_generator_state(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = allocVector(REALSXP, 1);
  GetRNGstate();
  REAL(v)[0] = unif_rand();
  PutRNGstate();
  return v;
}

SEXP W16_ok_numbers_alone(void) {
  SEXP v = allocVector(REALSXP, 1);
  REAL(v)[0] = unif_rand();
  return v;
}

// ---- W17: the heap of C --------------------------------------------------------------------------------------------

SEXP W17_c_heap(int n) {
  SEXP v = fresh();
  int *w = R_Calloc(n, int);
  INTEGER(v)[0] = w[0];
  R_Free(w);
  return v;
}

// ---- W18: removing an attribute ------------------------------------------------------------------------------------

SEXP W18_attribute_removed(SEXP arg, SEXP sym, void *h) {
  SEXP a = R_MakeExternalPtr(h, R_NilValue, R_NilValue);
  setAttrib(arg, sym, R_NilValue);
  return R_ExternalPtrAddr(a) ? a : R_NilValue;
}

// ---- W19: `install` while a cell is only local ---------------------------------------------------------------------

void W19_cell_only_local(SEXP last, SEXP v, const char *name) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP cell = CONS(v, R_NilValue);
  SET_TAG(cell, install(name));
  SETCDR(last, cell);
}

void W19_ok_linked_first(SEXP last, SEXP v, const char *name) {
  SEXP cell = CONS(v, R_NilValue);
  SETCDR(last, cell);
  SET_TAG(cell, install(name));
}

// ---- W20: duplicate protects its argument --------------------------------------------------------------------------

SEXP W20_duplicate(SEXP call, SEXP env) { return duplicate(eval(call, env)); }

// ---- W21: a getter that usually finds and sometimes builds ---------------------------------------------------------

struct frame {
  SEXP call, fun, args;
};

static SEXP current_call(struct frame *f) {
  if (f->call != R_NilValue) return f->call;
  return LCONS(f->fun, f->args);
}

SEXP W21_sometimes_built(struct frame *f) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP call = current_call(f);
  SEXP cond = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(cond, 1, call);
  UNPROTECT(1);
  return cond;
}

// ---- long numeric code without objects: what callers need to know is whether it collects ---------------------------

#define STEP(k)                                   \
  for (int i = 0; i < n; i++) {                   \
    double sum = a[i] * k;                        \
    for (int j = 0; j < n; j++) {                 \
      if (a[j] > sum) sum += a[j] / (k + 1);      \
      else if (a[j] < -sum) sum -= b[j] * b[i];   \
      for (int l = 0; l < j; l++)                 \
        if (b[l] > sum) b[l] = sum - a[l];        \
    }                                             \
    a[i] = sum;                                   \
  }

static void solve(double *a, double *b, int n) {
  STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8)
  if (n > 100) R_CheckUserInterrupt();
}

static void solve_in_place(double *a, double *b, int n) {
  STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8)
}

static void solve_twice(double *a, double *b, int n) {
  solve(a, b, n);
  STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8)
}

SEXP long_code_collects(double *a, double *b, int n) {  // expect-in-function: r-unprotected
  SEXP x = allocVector(REALSXP, n);
  solve(a, b, n);
  REAL(x)[0] = a[0];
  return x;
}

SEXP long_code_collects_below(double *a, double *b, int n) {  // expect-in-function: r-unprotected
  SEXP x = allocVector(REALSXP, n);
  solve_twice(a, b, n);
  REAL(x)[0] = a[0];
  return x;
}

SEXP long_code_does_not_collect(double *a, double *b, int n) {
  SEXP x = allocVector(REALSXP, n);
  solve_in_place(a, b, n);
  REAL(x)[0] = a[0];
  return x;
}

// What it was given the address of is not what it was.
SEXP long_code_writes(double *b, int n) {
  double a[2] = {0, 0};
  solve_in_place(a, b, n);
  SEXP x = allocVector(REALSXP, n);
  if (a[0] != 0) PROTECT(x);
  SEXP y = a[0] != 0 ? allocVector(REALSXP, n) : x;
  if (a[0] != 0) UNPROTECT(1);
  return y;
}
