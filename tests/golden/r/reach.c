// What is reachable from something alive is alive: R01 to R20.
#include "mock.h"

static SEXP r_sym_f, r_sym_log, r_sym_c, r_sym_h;

void R_init_symbols(void) {
  r_sym_f = install("f");
  r_sym_log = install("log");
  r_sym_c = install("c");
  r_sym_h = install("h");
}

// ---- R01: stored into a protected list, then used ------------------------------------------------------------------

SEXP R01_stored_in_list(int n) {
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SEXP e = allocVector(INTSXP, n);
  SET_VECTOR_ELT(out, 0, e);
  SEXP f = allocVector(INTSXP, n);
  SET_VECTOR_ELT(out, 1, f);
  INTEGER(e)[0] = 1;
  UNPROTECT(1);
  return out;
}

SEXP R01_bad_stored_too_late(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SEXP e = allocVector(INTSXP, n);
  SEXP f = allocVector(INTSXP, n);
  SET_VECTOR_ELT(out, 0, e);
  SET_VECTOR_ELT(out, 1, f);
  UNPROTECT(1);
  return out;
}

// ---- R02: a setter used as an expression ---------------------------------------------------------------------------

SEXP R02_setter_as_expression(int n) {
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SEXP e = SET_VECTOR_ELT(out, 0, allocVector(INTSXP, n));
  SET_VECTOR_ELT(out, 1, mkString("x"));
  INTEGER(e)[0] = 1;
  UNPROTECT(1);
  return out;
}

void R02_setcdr_as_expression(SEXP tail, SEXP v) {
  tail = SETCDR(tail, CONS(v, R_NilValue));
  gcpoint();
  SETCAR(tail, R_NilValue);
}

// ---- R03: assignment inside the setter's argument ------------------------------------------------------------------

void R03_assignment_in_argument(SEXP args) {
  SEXP a = CAR(args), b;
  SETCAR(args, a = coerceVector(a, REALSXP));
  args = CDR(args);
  SETCAR(args, b = coerceVector(CAR(args), REALSXP));
  REAL(a)[0] += REAL(b)[0];
}

// ---- R04: attach, then fill ----------------------------------------------------------------------------------------

SEXP R04_attach_then_fill(void) {
  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SEXP nm = allocVector(STRSXP, 2);
  setAttrib(out, R_NamesSymbol, nm);
  SET_STRING_ELT(nm, 0, mkChar("a"));
  UNPROTECT(1);
  return out;
}

// ---- R05: integer row names are stored as a copy -------------------------------------------------------------------

static void row_fill(SEXP rn, int n) {
  for (int i = 0; i < n; i++) INTEGER(rn)[i] = i + 1;
}

SEXP R05_row_names_copied(SEXP df, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP rn = allocVector(INTSXP, n);
  row_fill(rn, n);
  setAttrib(df, R_RowNamesSymbol, rn);
  SEXP x = allocVector(REALSXP, 3);
  REAL(x)[0] = INTEGER(rn)[n - 1];
  return x;
}

// ---- R06: the setter converts the value ----------------------------------------------------------------------------

SEXP R06_dim_converted(SEXP m) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP d = allocVector(REALSXP, 2);
  REAL(d)[0] = REAL(d)[1] = 2;
  setAttrib(m, R_DimSymbol, d);
  SEXP t = fresh();
  INTEGER(t)[0] = REAL(d)[0];
  return t;
}

// ---- R07: the container is popped, its element used ----------------------------------------------------------------

SEXP R07_container_popped(SEXP call, SEXP env) {  // expect-in-function: r-arguments|r-unprotected|r-unprotected-arg
  SEXP l = PROTECT(eval(call, env));
  SEXP e = VECTOR_ELT(l, 0);
  UNPROTECT(1);
  return lang2(install("f"), e);
}

SEXP R07_ok_symbol_known(SEXP call, SEXP env) {
  SEXP l = PROTECT(eval(call, env));
  SEXP e = VECTOR_ELT(l, 0);
  UNPROTECT(1);
  return lang2(r_sym_f, e);
}

// ---- R08: a slot is overwritten while its old element is in use ----------------------------------------------------

int R08_slot_overwritten(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP l = PROTECT(fresh_list());
  SEXP e = fresh();
  SET_VECTOR_ELT(l, 0, e);
  SET_VECTOR_ELT(l, 0, fresh());
  SEXP t = fresh();
  int sum = use(e) + use(t);
  UNPROTECT(1);
  return sum;
}

int R08_ok_another_slot(int i) {
  SEXP l = PROTECT(fresh_list());
  SEXP e = fresh();
  SET_VECTOR_ELT(l, i, e);
  SET_VECTOR_ELT(l, i + 1, fresh());
  int sum = use(e);
  UNPROTECT(1);
  return sum;
}

int R08_same_variable_index(int i) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP l = PROTECT(fresh_list());
  SEXP e = fresh();
  SET_VECTOR_ELT(l, i, e);
  SET_VECTOR_ELT(l, i, R_NilValue);
  gcpoint();
  int sum = use(e);
  UNPROTECT(1);
  return sum;
}

int R08_ok_filled_in_loop(SEXP x, int n) {
  SEXP l = PROTECT(fresh_list()), e = R_NilValue;
  for (int i = 0; i < n; i++) {
    e = fresh();
    SET_VECTOR_ELT(l, i, e);
    gcpoint();
    use(e);
  }
  gcpoint();
  int sum = use(e);
  UNPROTECT(1);
  return sum;
}

int R08_attribute_removed(SEXP x) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP l = PROTECT(fresh_list());
  SEXP v = PROTECT(fresh());
  setAttrib(l, R_ClassSymbol, v);
  UNPROTECT(1);
  setAttrib(l, R_ClassSymbol, R_NilValue);
  gcpoint();
  int sum = use(v);
  UNPROTECT(1);
  return sum;
}

int R08_ok_another_attribute(SEXP x) {
  SEXP l = PROTECT(fresh_list());
  SEXP v = PROTECT(fresh());
  setAttrib(l, R_ClassSymbol, v);
  UNPROTECT(1);
  setAttrib(l, R_LevelsSymbol, R_NilValue);
  gcpoint();
  int sum = use(v);
  UNPROTECT(1);
  return sum;
}

int R08_bound_anew(SEXP sym, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP v = PROTECT(fresh());
  defineVar(sym, v, env);
  UNPROTECT(1);
  defineVar(sym, R_NilValue, env);
  gcpoint();
  return use(v);
}

// ---- R09: the tail of a protected head -----------------------------------------------------------------------------

static SEXP make_item(int i) { return ScalarInteger(i); }

SEXP R09_tail_pointer(int n) {
  SEXP head = PROTECT(CONS(R_NilValue, R_NilValue)), tail = head;
  for (int i = 0; i < n; i++) tail = SETCDR(tail, CONS(PROTECT(make_item(i)), R_NilValue)), UNPROTECT(1);
  UNPROTECT(1);
  return CDR(head);
}

SEXP R09_tail_of_preserved(int n) {
  SEXP head = CONS(R_NilValue, R_NilValue), tail = head;
  R_PreserveObject(head);
  for (int i = 0; i < n; i++) {
    SEXP cell = CONS(make_item(i), R_NilValue);
    SETCDR(tail, cell);
    tail = cell;
  }
  SEXP out = duplicate(CDR(head));
  R_ReleaseObject(head);
  return out;
}

SEXP R09_bad_head_not_pushed(int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP head = CONS(R_NilValue, R_NilValue), tail = head;
  for (int i = 0; i < n; i++) tail = SETCDR(tail, CONS(make_item(i), R_NilValue));
  return CDR(head);
}

// ---- R10: a cursor walks a protected list --------------------------------------------------------------------------

SEXP R10_cursor(int n) {
  SEXP q = PROTECT(allocList(n));
  SEXP top = q;
  while (q != R_NilValue) {
    SETCAR(q, mkString("x"));
    q = CDR(q);
  }
  UNPROTECT(1);
  return top;
}

// ---- R11: built into a call that is protected ----------------------------------------------------------------------

static SEXP slow_log(SEXP x, SEXP base) {
  SEXP out = allocVector(REALSXP, 1);
  REAL(out)[0] = REAL(x)[0] / REAL(base)[0];
  return out;
}

SEXP R11_built_into_call(SEXP arg, SEXP env, int bad) {
  SEXP base = ScalarReal(10);
  SEXP call = PROTECT(lang3(r_sym_log, arg, base));
  SEXP res = eval(call, env);
  if (bad) res = slow_log(arg, base);
  UNPROTECT(1);
  return res;
}

SEXP R11_bad_call_not_pushed(SEXP arg, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP base = ScalarReal(10);
  lang3(r_sym_log, arg, base);
  return slow_log(arg, base);
}

// ---- R12: linked via a temporary cell ------------------------------------------------------------------------------

SEXP R12_temporary_cell(int n) {
  SEXP call = PROTECT(lang3(R_NilValue, R_NilValue, R_NilValue));
  SEXP q = PROTECT(allocList(n));
  SETCADDR(call, LCONS(r_sym_c, q));
  UNPROTECT(1);
  SETCAR(q, mkString("a"));
  UNPROTECT(1);
  return call;
}

// ---- R13: part of a parameter --------------------------------------------------------------------------------------

SEXP R13_part_of_parameter(SEXP arg, SEXP arg2) {
  SEXP e = VECTOR_ELT(arg, 0);
  SEXP nm = PRINTNAME(TAG(arg2));
  SEXP out = PROTECT(allocVector(STRSXP, LENGTH(e)));
  SET_STRING_ELT(out, 0, nm);
  setAttrib(out, r_sym_h, e);
  UNPROTECT(1);
  return out;
}

SEXP R13_slot_of_parameter(SEXP arg) {
  SEXP keep = R_ExternalPtrProtected(arg);
  SEXP out = PROTECT(allocVector(VECSXP, 1));
  SET_VECTOR_ELT(out, 0, keep);
  UNPROTECT(1);
  return out;
}

// ---- R14: a helper appends to a list -------------------------------------------------------------------------------

static void push_back(SEXP x, SEXP lst) {
  while (CDR(lst) != R_NilValue) lst = CDR(lst);
  SETCDR(lst, CONS(x, R_NilValue));
}

SEXP R14_helper_appends(SEXP acc) {
  SEXP v;
  PROTECT(v = fresh());
  push_back(v, acc);
  UNPROTECT(1);
  SEXP w = PROTECT(duplicate(v));
  INTEGER(w)[0] = INTEGER(v)[0];
  UNPROTECT(1);
  return w;
}

// ---- R15: bound in an environment ----------------------------------------------------------------------------------

void R15_bound(SEXP sym, SEXP env, int n) {
  SEXP t = allocVector(INTSXP, n);
  defineVar(sym, t, env);
  SEXP u = allocVector(INTSXP, n);
  INTEGER(t)[0] = INTEGER(u)[0];
}

void R15_bad_rebound_by_code(SEXP sym, SEXP env, SEXP code, int n) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP t = allocVector(INTSXP, n);
  defineVar(sym, t, env);
  eval(code, env);
  INTEGER(t)[0] = 1;
}

// ---- R16: a static or global C variable is not a root --------------------------------------------------------------

SEXP R16_static_is_no_root(void) {  // maybe-in-function: r-unprotected; expect-in-function: r-global|r-unprotected-arg
  static SEXP cache;
  if (!cache) cache = allocVector(STRSXP, 2);
  SET_STRING_ELT(cache, 0, mkChar("a"));
  return R_NilValue;
}

// ---- R17: only a weak reference holds it ---------------------------------------------------------------------------

int R17_weak_reference(void *p) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP key = R_MakeExternalPtr(p, R_NilValue, R_NilValue);
  SEXP w = PROTECT(R_MakeWeakRef(key, R_NilValue, R_NilValue, FALSE));
  SEXP t = fresh();
  int out = (R_ExternalPtrAddr(key) != NULL) + use(t);
  UNPROTECT(1);
  return out;
}

// ---- R18: a child is attached to its parent, then decorated --------------------------------------------------------

static void hash_free(SEXP xp) { free(R_ExternalPtrAddr(xp)); }

void R18_attached_then_decorated(SEXP arg, void *h) {
  SEXP xp = R_MakeExternalPtr(h, R_NilValue, R_NilValue);
  setAttrib(arg, r_sym_h, xp);
  setAttrib(xp, R_ClassSymbol, mkString("hash"));
  R_RegisterCFinalizer(xp, hash_free);
}

// ---- R19: element pointers copied as bytes -------------------------------------------------------------------------

void R19_elements_as_bytes(SEXP dst, SEXP src, int i, int n) {  // expect-in-function: r-write-barrier
  memcpy(STRING_PTR(dst), STRING_PTR_RO(src) + i, n * sizeof(SEXP));
}

void R19_bad_element_assigned(SEXP dst, const char *s) {  // expect-in-function: r-write-barrier
  STRING_PTR(dst)[0] = mkChar(s);
}

void R19_ok_bytes_of_integers(SEXP dst, SEXP src, int i, int n) {
  memcpy(INTEGER(dst), INTEGER(src) + i, n * sizeof(int));
}

// ---- R20: a node is rotated out of its tree ------------------------------------------------------------------------

void walk(SEXP node, SEXP env) {
  eval(CAR(node), env);
  SETCAR(node, R_NilValue);
}

void R20_node_rotated_out(SEXP root, SEXP env) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP up = CADR(root);
  SETCADR(root, CAR(up));
  walk(up, env);
}

// ---- made once, and kept by a list of the program ------------------------------------------------------------------

static SEXP cached(int i) {
  static SEXP cache = NULL;
  if (cache == NULL) {
    cache = allocVector(VECSXP, 10);
    R_PreserveObject(cache);
  }
  SEXP v = VECTOR_ELT(cache, i);
  if (v == R_NilValue) {
    v = fresh();
    SET_VECTOR_ELT(cache, i, v);
  }
  return v;
}

int kept_by_a_cache(void) {
  SEXP v = cached(1);
  gcpoint();
  return INTEGER(v)[0];
}

// ---- one part, two names -------------------------------------------------------------------------------------------

// The cell that is linked in place of its predecessor is read again from there.
int same_part_read_twice(SEXP prev) {
  SEXP curr = CDR(prev);
  SETCDR(prev, CDDR(curr));
  curr = CDDR(curr);
  gcpoint();
  return TYPEOF(CAR(curr));
}

// ---- an array of objects, filled in a loop ---------------------------------------------------------------------------

int FN_array_filled_in_loop(void) {  // expect-not-yet: r-unprotected|r-unprotected-arg -- what is put at a variable index of a local array is not found there again
  SEXP a[3];
  for (int i = 0; i < 3; i++) a[i] = fresh();
  return INTEGER(a[0])[0];
}

int array_filled_one_by_one(void) {  // expect-in-function: r-unprotected|r-unprotected-arg
  SEXP a[2];
  a[0] = fresh();
  a[1] = fresh();
  return INTEGER(a[0])[0];
}
