// As much of R as collected.c needs.
#ifndef R_INTERNALS_H_
#define R_INTERNALS_H_
#include <stddef.h>

typedef struct SEXPREC *SEXP;
typedef ptrdiff_t R_xlen_t;

extern SEXP R_NilValue;

SEXP Rf_protect(SEXP);
void Rf_unprotect(int);
SEXP Rf_allocVector(unsigned int, R_xlen_t);
SEXP Rf_mkString(const char *);
SEXP SET_VECTOR_ELT(SEXP, R_xlen_t, SEXP);
SEXP SETCAR(SEXP, SEXP);
void *R_ExternalPtrAddr(SEXP);
SEXP R_MakeExternalPtr(void *, SEXP, SEXP);
unsigned char *RAW(SEXP);
int LENGTH(SEXP);

#define PROTECT(x) Rf_protect(x)
#define UNPROTECT(n) Rf_unprotect(n)
#define VECSXP 19
#define RAWSXP 24
#endif
