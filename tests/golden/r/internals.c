// R from the inside: the layout of an object is known, and there are more places than the stack that keep objects.
#include "mock.h"

struct SEXPREC {
  unsigned int type : 5;
  unsigned int other : 27;
  struct SEXPREC *attrib, *car, *cdr;
};
#undef TYPEOF
#define TYPE(x) ((x)->type)

typedef struct {
  int tag;
  union {
    int ival;
    SEXP sxpval;
  } u;
} R_bcstack_t;
extern R_bcstack_t *node_top;

// ---- what a macro of the headers reads is what functions tell ------------------------------------------------------

SEXP names_of_a_vector(SEXP x, int n) {
  if (TYPE(x) != STRSXP) error("strings, please");
  SEXP nm = getAttrib(x, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(STRSXP, n));
  setAttrib(out, R_NamesSymbol, nm);
  UNPROTECT(1);
  return out;
}

SEXP names_of_a_call(SEXP x, int n) {  // expect-in-function: r-unprotected
  if (TYPE(x) != LANGSXP) error("a call, please");
  SEXP nm = getAttrib(x, R_NamesSymbol);
  SEXP out = PROTECT(allocVector(STRSXP, n));
  setAttrib(out, R_NamesSymbol, nm);
  UNPROTECT(1);
  return out;
}

int new_object_has_its_type(int n) {
  SEXP x = allocVector(VECSXP, n);
  if (TYPE(x) == ENVSXP) {
    gcpoint();
    return length(x);
  }
  return 0;
}

// ---- the interpreter's own stack -----------------------------------------------------------------------------------

int kept_by_the_other_stack(int n) {
  SEXP x = allocVector(INTSXP, n);
  node_top->u.sxpval = x;
  gcpoint();
  return INTEGER(x)[0];
}

int a_local_keeps_nothing(int n) {  // expect-in-function: r-unprotected
  R_bcstack_t cell;
  cell.u.sxpval = allocVector(INTSXP, n);
  gcpoint();
  return INTEGER(cell.u.sxpval)[0];
}

int kept_by_a_variable_the_collector_knows(int n) {
  R_GlobalEnv = allocVector(INTSXP, n);
  gcpoint();
  return INTEGER(R_GlobalEnv)[0];
}

// ---- a recursive function that collects nothing --------------------------------------------------------------------

static SEXP last_cell(SEXP s) {
  if (s->cdr == R_NilValue) return s;
  return last_cell(s->cdr);
}

SEXP recursion_collects_nothing(void) {
  SEXP x = CONS(R_NilValue, R_NilValue);
  last_cell(x);
  return x;
}

// ---- the call that uses it is not possible -------------------------------------------------------------------------

static void set_named(SEXP list, const char *name, SEXP value) {
  SEXP names = getAttrib(list, R_NamesSymbol);
  for (int i = 0; i < length(list); i++)
    if (!strcmp(CHAR(STRING_ELT(names, i)), name)) SET_VECTOR_ELT(list, i, value);
}

void names_of_what_is_a_list(SEXP list) { set_named(list, "fill", mkString("black")); }
