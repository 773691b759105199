// Clean code that looks buggy: L01 to L10.
#include "mock.h"

static SEXP make_cell(SEXP nms, int i) { return ScalarString(STRING_ELT(nms, i)); }

// ---- L01: pushed in the first iteration only -----------------------------------------------------------------------

SEXP L01_first_iteration(SEXP nms) {
  SEXP head = R_NilValue, tail = R_NilValue;
  if (!LENGTH(nms)) return R_NilValue;
  for (int i = 0; i < LENGTH(nms); i++) {
    SEXP c = CONS(make_cell(nms, i), R_NilValue);
    if (i == 0)
      PROTECT(head = tail = c);
    else
      tail = SETCDR(tail, c);
  }
  UNPROTECT(1);
  return head;
}

SEXP L01_bad_maybe_no_iteration(SEXP nms) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP head = R_NilValue, tail = R_NilValue;
  for (int i = 0; i < LENGTH(nms); i++) {
    SEXP c = CONS(make_cell(nms, i), R_NilValue);
    if (i == 0)
      PROTECT(head = tail = c);
    else
      tail = SETCDR(tail, c);
  }
  UNPROTECT(1);
  return head;
}

// ---- L02: a copy made on demand, the pointer as flag ---------------------------------------------------------------

static int odd(SEXP p, int i) { return INTEGER(p)[i] % 2; }
static void fix(SEXP p, int i) { INTEGER(p)[i] = 0; }

SEXP L02_copy_on_demand(SEXP p, int n) {
  SEXP cp = NULL;
  for (int i = 0; i < n; i++)
    if (odd(p, i)) {
      if (!cp) cp = PROTECT(duplicate(p));
      fix(cp, i);
    }
  if (cp) {
    UNPROTECT(1);
    return cp;
  }
  return p;
}

// ---- L03: a one-line helper that pushes ----------------------------------------------------------------------------

static SEXP L03_PP(SEXP s) {
  PROTECT(s);
  return s;
}

static SEXP side(SEXP x, int i) { return duplicate(VECTOR_ELT(x, i)); }

static SEXP join(SEXP a, SEXP b) {
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, a);
  SET_VECTOR_ELT(out, 1, b);
  UNPROTECT(1);
  return out;
}

SEXP L03_push_helper(SEXP arg) {
  SEXP v = join(L03_PP(side(arg, 0)), L03_PP(side(arg, 1)));
  UNPROTECT(2);
  return v;
}

SEXP L03_bad_one_left(SEXP arg) {  // expect-in-function: r-imbalance|r-negative-depth
  SEXP v = join(L03_PP(side(arg, 0)), L03_PP(side(arg, 1)));
  UNPROTECT(1);
  return v;
}

// ---- L04: pushed twice on purpose ----------------------------------------------------------------------------------

SEXP L04_pushed_twice(void) {
  SEXP v = fresh();
  PROTECT(v);
  PROTECT(v);
  UNPROTECT(1);
  gcpoint();
  UNPROTECT(1);
  return v;
}

SEXP L04_bad_popped_twice(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = fresh();
  PROTECT(v);
  PROTECT(v);
  UNPROTECT(2);
  gcpoint();
  return v;
}

// ---- L05: only the pointer is compared -----------------------------------------------------------------------------

int L05_pointer_compared(SEXP arg, SEXP tag) { return getAttrib(arg, R_NamesSymbol) == tag; }

int L05_compared_later(SEXP arg, SEXP tag) {
  SEXP nm = getAttrib(arg, R_NamesSymbol);
  gcpoint();
  return nm == R_NilValue;
}

// ---- L06: linked, popped, used on ----------------------------------------------------------------------------------

SEXP L06_linked_popped(void) {
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SEXP nm = PROTECT(allocVector(STRSXP, 2));
  setAttrib(out, R_NamesSymbol, nm);
  UNPROTECT(1);
  SET_STRING_ELT(nm, 0, mkChar("a"));
  UNPROTECT(1);
  return out;
}

// ---- L07: a pushed temporary inside `eval` -------------------------------------------------------------------------

SEXP L07_temporary_call(SEXP f, SEXP env) {
  SEXP w = fresh();
  SEXP v = eval(PROTECT(LCONS(f, CONS(w, R_NilValue))), env);
  UNPROTECT(1);
  return v;
}

SEXP L07_bad_used_after_pop(SEXP f, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP w = fresh();
  SEXP v = PROTECT(eval(PROTECT(LCONS(f, CONS(w, R_NilValue))), env));
  UNPROTECT(2);
  gcpoint();
  return w;
}

// ---- L08: a lookup that may be nil is pushed and always popped -----------------------------------------------------

void L08_maybe_nil(SEXP arg, SEXP out) {
  SEXP nm = PROTECT(getAttrib(arg, R_NamesSymbol));
  if (nm != R_NilValue) setAttrib(out, R_NamesSymbol, nm);
  UNPROTECT(1);
}

// ---- L09: a cell made beforehand to avoid a push inside the loop ---------------------------------------------------

static int next_item(SEXP *v, int *left) {
  if ((*left)-- <= 0) return 0;
  *v = ScalarInteger(*left);
  return 1;
}

SEXP L09_cell_made_before(int n) {
  SEXP first = PROTECT(CONS(R_NilValue, R_NilValue)), head = R_NilValue, tail = R_NilValue, v;
  while (next_item(&v, &n)) {
    if (head == R_NilValue) {
      SETCAR(first, v);
      head = tail = first;
    } else {
      tail = SETCDR(tail, list1(v));
    }
  }
  UNPROTECT(1);
  return head;
}

// ---- L10: a slot is popped under another name ----------------------------------------------------------------------

SEXP L10_slot_of_other_name(SEXP f, SEXP list, SEXP env) {
  SEXP res = PROTECT(duplicate(CAR(list)));
  SEXP e = PROTECT(duplicate(CADR(list)));
  res = eval(PROTECT(lang3(f, res, e)), env);
  UNPROTECT(3);
  PROTECT(res);
  gcpoint();
  UNPROTECT(1);
  return res;
}
