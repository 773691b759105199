// R_Calloc and R_Free: memory that R's collector knows nothing of.
#include "mock.h"

extern int fill(double *p, int n);
extern void keep(void *p);
void *R_chk_realloc(void *, size_t);

SEXP memory_left(SEXP x) {  // expect-in-function: r-memory-leak
  const int n = LENGTH(x);
  double *w = R_Calloc(n, double);
  if (n > 10) return R_NilValue;
  w[0] = REAL(x)[0];
  R_Free(w);
  return R_NilValue;
}
SEXP memory_ok(SEXP x) {
  const int n = LENGTH(x);
  double *w = R_Calloc(n, double);
  w[0] = REAL(x)[0];
  R_Free(w);
  return R_NilValue;
}
// An error leaves the function by a jump; what the collector knows is collected, and this is not.
SEXP memory_left_by_error(SEXP x) {  // expect-in-function: r-memory-leak
  const int n = LENGTH(x);
  double *w = R_Calloc(n, double);
  if (n > 10) Rf_error("too long");
  w[0] = REAL(x)[0];
  R_Free(w);
  return R_NilValue;
}
SEXP memory_ok_error(SEXP x) {
  const int n = LENGTH(x);
  double *w = R_Calloc(n, double);
  if (n > 10) {
    R_Free(w);
    Rf_error("too long");
  }
  R_Free(w);
  return R_NilValue;
}
SEXP memory_used_after(SEXP x) {
  double *w = R_Calloc(10, double);
  w[0] = 1;
  R_chk_free(w);
  return Rf_ScalarReal(w[0]);  // expect: r-memory-use-after-free
}
SEXP memory_freed_twice(SEXP x) {
  double *w = R_Calloc(10, double);
  w[0] = LENGTH(x);
  R_chk_free(w);
  R_chk_free(w);  // expect: r-memory-double-free
  return R_NilValue;
}
SEXP memory_ok_freed_once(SEXP x) {
  double *w = R_Calloc(10, double);
  R_Free(w);
  R_Free(w);
  return R_NilValue;
}
static void release(SEXP p) {
  void *w = R_ExternalPtrAddr(p);
  if (w) R_chk_free(w);
}
SEXP memory_ok_pointer(SEXP x) {
  double *w = R_Calloc(10, double);
  SEXP p = PROTECT(R_MakeExternalPtr(w, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(p, release, TRUE);
  UNPROTECT(1);
  return p;
}
SEXP memory_ok_grown(SEXP x) {
  int size = 8;
  double *w = R_Calloc(size, double);
  for (int i = 0; i < LENGTH(x); i++) {
    if (i >= size) {
      size *= 2;
      w = R_chk_realloc(w, size * sizeof *w);
    }
    w[i] = i;
  }
  SEXP sum = Rf_ScalarReal(w[0]);
  R_Free(w);
  return sum;
}
struct table {
  double *rows;
  int *marks;
};
static void table_set(struct table *t, int n) {
  t->rows = R_Calloc(n, double);
  t->marks = R_Calloc(n, int);
}
static void table_clear(struct table *t) {
  R_Free(t->rows);
  R_Free(t->marks);
}
SEXP memory_ok_table(SEXP x) {
  struct table t;
  table_set(&t, LENGTH(x));
  t.rows[0] = 1;
  table_clear(&t);
  return R_NilValue;
}
// A structure that helpers fill and clear is not followed: which of its members are set they often say by a flag.
SEXP FN_memory_left_of_table(SEXP x) {
  struct table t;
  table_set(&t, LENGTH(x));
  t.rows[0] = 1;
  R_Free(t.rows);
  return R_NilValue;  // expect-not-yet: r-memory-leak
}
static double *kept_rows;
SEXP memory_ok_static(SEXP x) {
  if (!kept_rows) kept_rows = R_Calloc(10, double);
  return R_NilValue;
}
