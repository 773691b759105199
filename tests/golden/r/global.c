// global: a global keeps an object that nothing protects.
#include "mock.h"

static SEXP kept_bare, kept_preserved;

void global_bare(void) { kept_bare = allocVector(STRSXP, 0); }  // expect: r-global
SEXP global_get_bare(void) { return kept_bare; }

void global_ok_preserved(void) {
  kept_preserved = allocVector(STRSXP, 0);
  R_PreserveObject(kept_preserved);
}
SEXP global_ok_get(void) { return kept_preserved; }
