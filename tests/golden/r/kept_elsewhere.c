// Objects that somebody holds out of sight: a namespace, a frame that is running, the caller of a function whose slot
// gets another object.
#include "mock.h"

static inline SEXP by_helper(SEXP expr, SEXP env) { return Rf_eval(expr, env); }
static inline SEXP symbol_by_helper(const char *name) { return Rf_install(name); }

// ---- functions that are found in a namespace when the package is loaded
static SEXP elsewhere_symbol, elsewhere_function, elsewhere_made;

void elsewhere_ok_found(SEXP ns) {
  elsewhere_symbol = symbol_by_helper("found");
  elsewhere_function = by_helper(elsewhere_symbol, ns);
}
SEXP elsewhere_ok_call_found(SEXP x) { return lang2(elsewhere_function, x); }

static SEXP list_by_helper(SEXP call, SEXP env) {
  by_helper(call, env);
  return Rf_allocVector(VECSXP, 2);
}
void elsewhere_bad_made(SEXP call, SEXP env) { elsewhere_made = list_by_helper(call, env); }  // expect: r-global
SEXP elsewhere_bad_call_made(SEXP x) { return lang2(elsewhere_made, x); }

// ---- a call that does not come back, told where it was made
static SEXP peek_call;
void elsewhere_init(SEXP call) {
  R_PreserveObject(call);
  peek_call = call;
}
static SEXP peek(void) { return by_helper(peek_call, R_BaseEnv); }
extern __attribute__((noreturn)) void (*elsewhere_stop)(SEXP frame, const char *text, int n);

static int counted(SEXP x) {
  R_gc();
  return LENGTH(x);
}

void elsewhere_ok_stops(SEXP x) {
  if (LENGTH(x) == 0) elsewhere_stop(peek(), "no elements but %d", counted(x));
}

NORET static void stops_in(SEXP frame, SEXP x) {
  R_gc();
  eval(x, frame);
  Rf_error("stopped");
}
// What peek() gives is a frame, which its context holds; nothing in the code says so.
NORET void FP_elsewhere_stops_in(SEXP x) { stops_in(peek(), x); }  // false-alarm: r-unprotected-arg

// ---- the slot of an argument gets its copy
SEXP elsewhere_ok_slot_changes(SEXP x, int n) {
  SEXP res = x;
  PROTECT_INDEX at;
  PROTECT_WITH_INDEX(res, &at);
  for (int i = 0; i < n; i++) {
    SEXP s = STRING_ELT(x, i);
    if (s == NA_STRING) {
      if (res == x) REPROTECT(res = duplicate(x), at);
      SET_STRING_ELT(res, i, NA_STRING);
      continue;
    }
    for (int k = 0; k < 2; k++) {
      if (k && res == x) REPROTECT(res = duplicate(x), at);
      if (k) {
        SEXP made = PROTECT(mkChar(CHAR(s)));
        SET_STRING_ELT(res, i, made);
        UNPROTECT(1);
      }
    }
  }
  UNPROTECT(1);
  return res;
}

// ---- a slot that gets what it holds
static SEXP element(SEXP list, const char *name) {
  SEXP names = getAttrib(list, R_NamesSymbol);
  for (int i = 0; i < LENGTH(list); i++)
    if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
  return R_NilValue;
}
static SEXP changed(SEXP x, int i, const char *name) {
  SEXP edge = VECTOR_ELT(element(x, "mel"), i);
  SEXP rest = PROTECT(Rf_allocVector(VECSXP, LENGTH(edge)));
  SET_VECTOR_ELT(edge, 0, rest);
  UNPROTECT(1);
  return x;
}
SEXP elsewhere_ok_same_slot(SEXP x, SEXP names) {
  int pc = 0;
  PROTECT_INDEX at;
  PROTECT_WITH_INDEX(x = duplicate(x), &at);
  pc++;
  SEXP mel = element(x, "mel");
  int n = Rf_length(mel);
  SEXP texts = PROTECT(coerceVector(names, STRSXP));
  pc++;
  for (int i = 0; i < Rf_length(texts); i++)
    for (int j = 0; j < n; j++)
      if (VECTOR_ELT(mel, j) != R_NilValue) REPROTECT(x = changed(x, j + 1, CHAR(STRING_ELT(texts, i))), at);
  UNPROTECT(pc);
  return x;
}

// ---- what a symbol is bound to, found by evaluating it
SEXP elsewhere_ok_symbol(SEXP env, const char *name) {
  SEXP symbol = install(name);
  SEXP x = eval(symbol, env);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];
  return y;
}

SEXP elsewhere_bad_call(SEXP env, const char *name) {
  SEXP call = PROTECT(lang1(install(name)));
  SEXP x = eval(call, env);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  UNPROTECT(1);
  return y;
}

SEXP elsewhere_bad_anything(SEXP env, SEXP expression) {
  SEXP x = eval(expression, env);
  SEXP y = allocVector(INTSXP, 1);
  INTEGER(y)[0] = INTEGER(x)[0];  // expect: r-unprotected
  return y;
}
