/* One function that forgets to protect, and one that does not: for confirm.r. */
#include <R.h>
#include <Rinternals.h>

SEXP pair_of(SEXP x, SEXP y)
{
    SEXP first = coerceVector(x, REALSXP);
    SEXP second = coerceVector(y, STRSXP);
    SEXP out = PROTECT(allocVector(VECSXP, 2));
    SET_VECTOR_ELT(out, 0, first);
    SET_VECTOR_ELT(out, 1, second);
    UNPROTECT(1);
    return out;
}

SEXP right(SEXP x)
{
    SEXP first = PROTECT(coerceVector(x, REALSXP));
    SEXP out = PROTECT(allocVector(VECSXP, 1));
    SET_VECTOR_ELT(out, 0, first);
    UNPROTECT(2);
    return out;
}
