/* Numbers of the other type are copied, and nobody protects the copy. No value that is made up has this class. */
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

SEXP weights_of(SEXP object)
{
    if (!inherits(object, "weights of things"))
        error("no weights");
    SEXP numbers = coerceVector(VECTOR_ELT(object, 0), REALSXP);
    SEXP out = PROTECT(allocVector(VECSXP, 2));
    SET_VECTOR_ELT(out, 0, numbers);
    SET_VECTOR_ELT(out, 1, VECTOR_ELT(object, 1));
    UNPROTECT(1);
    return out;
}

static const R_CallMethodDef routines[] = {{"weights_of", (DL_FUNC)&weights_of, 1}, {NULL, NULL, 0}};

void R_init_weights(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
}
