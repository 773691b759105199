// write-barrier: elements of an object are written without the collector being told.
#include "mock.h"

void barrier_element_written(SEXP to, SEXP from) {  // expect-in-function: r-write-barrier
  STRING_PTR(to)[0] = STRING_ELT(from, 0);
}

void barrier_ok_told(SEXP to, SEXP from) { SET_STRING_ELT(to, 0, STRING_ELT(from, 0)); }

void barrier_ok_numbers(SEXP to, SEXP from) { INTEGER(to)[0] = INTEGER(from)[0]; }
