/* As much of R's C interface as the golden inputs need, so that they can be checked where R is not installed. Functions
 * are prototypes, as the specs know them by name; the short names are macros, as they are in R's own headers. */
#ifndef GOLDEN_R_MOCK_H
#define GOLDEN_R_MOCK_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define NORET [[noreturn]]
extern "C" {
#else
#define NORET _Noreturn
#endif

typedef struct SEXPREC *SEXP;
typedef ptrdiff_t R_xlen_t;
typedef unsigned char Rbyte;
typedef int PROTECT_INDEX;
typedef enum { FALSE = 0, TRUE } Rboolean;
typedef struct {
  double r, i;
} Rcomplex;
typedef enum { CE_NATIVE = 0, CE_UTF8 = 1, CE_LATIN1 = 2 } cetype_t;

typedef unsigned int SEXPTYPE;
#define NILSXP 0
#define SYMSXP 1
#define LISTSXP 2
#define CLOSXP 3
#define ENVSXP 4
#define PROMSXP 5
#define LANGSXP 6
#define SPECIALSXP 7
#define BUILTINSXP 8
#define CHARSXP 9
#define LGLSXP 10
#define INTSXP 13
#define REALSXP 14
#define CPLXSXP 15
#define STRSXP 16
#define DOTSXP 17
#define VECSXP 19
#define EXPRSXP 20
#define EXTPTRSXP 22
#define RAWSXP 24

/* ---- objects that are always there ---- */
extern SEXP R_NilValue, R_GlobalEnv, R_BaseEnv, R_EmptyEnv, R_UnboundValue, R_MissingArg, R_NaString, R_BlankString;
extern SEXP R_ClassSymbol, R_DimNamesSymbol, R_DimSymbol, R_LevelsSymbol, R_NamesSymbol, R_RowNamesSymbol, R_TspSymbol;
extern SEXP R_DotsSymbol;
extern int R_NaInt;
#define NA_STRING R_NaString
#define NA_INTEGER R_NaInt
#define NA_LOGICAL R_NaInt

/* ---- protection ---- */
SEXP Rf_protect(SEXP);
void Rf_unprotect(int);
void Rf_unprotect_ptr(SEXP);
void R_ProtectWithIndex(SEXP, PROTECT_INDEX *);
void R_Reprotect(SEXP, PROTECT_INDEX);
void R_PreserveObject(SEXP);
void R_ReleaseObject(SEXP);
SEXP R_NewPreciousMSet(int);
void R_PreserveInMSet(SEXP, SEXP);
void R_ReleaseFromMSet(SEXP, SEXP);
void R_ReleaseMSet(SEXP, int);
#define PROTECT(s) Rf_protect(s)
#define UNPROTECT(n) Rf_unprotect(n)
#define UNPROTECT_PTR(s) Rf_unprotect_ptr(s)
#define PROTECT_WITH_INDEX(x, i) R_ProtectWithIndex(x, i)
#define REPROTECT(x, i) R_Reprotect(x, i)
extern int R_PPStackTop;

/* ---- making objects ---- */
SEXP Rf_allocVector(SEXPTYPE, R_xlen_t);
SEXP Rf_allocMatrix(SEXPTYPE, int, int);
SEXP Rf_allocList(int);
SEXP Rf_allocSExp(SEXPTYPE);
SEXP Rf_cons(SEXP, SEXP);
SEXP Rf_lcons(SEXP, SEXP);
SEXP Rf_list1(SEXP);
SEXP Rf_list2(SEXP, SEXP);
SEXP Rf_lang1(SEXP);
SEXP Rf_lang2(SEXP, SEXP);
SEXP Rf_lang3(SEXP, SEXP, SEXP);
SEXP Rf_lang4(SEXP, SEXP, SEXP, SEXP);
SEXP Rf_ScalarInteger(int);
SEXP Rf_ScalarReal(double);
SEXP Rf_ScalarLogical(int);
SEXP Rf_ScalarString(SEXP);
SEXP Rf_mkString(const char *);
SEXP Rf_mkChar(const char *);
SEXP Rf_mkCharLen(const char *, int);
SEXP Rf_duplicate(SEXP);
SEXP Rf_shallow_duplicate(SEXP);
SEXP Rf_coerceVector(SEXP, SEXPTYPE);
SEXP Rf_lengthgets(SEXP, int);
void Rf_onintr(void);
SEXP Rf_xlengthgets(SEXP, R_xlen_t);
SEXP Rf_asChar(SEXP);
SEXP Rf_asCharacterFactor(SEXP);
SEXP Rf_PairToVectorList(SEXP);
SEXP Rf_match(SEXP, SEXP, int);
SEXP Rf_install(const char *);
SEXP Rf_installChar(SEXP);
SEXP R_MakeExternalPtr(void *, SEXP, SEXP);
void *R_ExternalPtrAddr(SEXP);
SEXP R_ExternalPtrProtected(SEXP);
SEXP R_MakeWeakRef(SEXP, SEXP, SEXP, Rboolean);
typedef void (*R_CFinalizer_t)(SEXP);
void R_RegisterCFinalizer(SEXP, R_CFinalizer_t);
void R_RegisterCFinalizerEx(SEXP, R_CFinalizer_t, Rboolean);
char *R_alloc(size_t, int);
void *R_chk_calloc(size_t, size_t);
void R_chk_free(void *);
#define R_Calloc(n, t) (t *)R_chk_calloc((size_t)(n), sizeof(t))
#define R_Free(p) (R_chk_free((void *)(p)), (p) = NULL)

/* ---- reading ---- */
int TYPEOF(SEXP);
int LENGTH(SEXP);
R_xlen_t XLENGTH(SEXP);
int Rf_length(SEXP);
int *INTEGER(SEXP);
int *LOGICAL(SEXP);
double *REAL(SEXP);
Rbyte *RAW(SEXP);
int INTEGER_ELT(SEXP, R_xlen_t);
SEXP *STRING_PTR(SEXP);
const SEXP *STRING_PTR_RO(SEXP);
const char *R_CHAR(SEXP);
#define CHAR(x) R_CHAR(x)
SEXP STRING_ELT(SEXP, R_xlen_t);
SEXP VECTOR_ELT(SEXP, R_xlen_t);
SEXP CAR(SEXP);
SEXP CDR(SEXP);
SEXP CADR(SEXP);
SEXP CDDR(SEXP);
SEXP CADDR(SEXP);
SEXP TAG(SEXP);
SEXP PRINTNAME(SEXP);
SEXP ATTRIB(SEXP);
SEXP Rf_getAttrib(SEXP, SEXP);
SEXP R_do_slot(SEXP, SEXP);
int Rf_asInteger(SEXP);
int Rf_asLogical(SEXP);
double Rf_asReal(SEXP);
const char *Rf_translateChar(SEXP);
const char *Rf_type2char(SEXPTYPE);
Rboolean Rf_inherits(SEXP, const char *);
Rboolean Rf_isNull(SEXP);
Rboolean Rf_isSymbol(SEXP);
Rboolean Rf_isString(SEXP);
Rboolean Rf_isReal(SEXP);
Rboolean Rf_isFunction(SEXP);
Rboolean Rf_isNewList(SEXP);
Rboolean Rf_isVectorAtomic(SEXP);
int Rf_nrows(SEXP);
int Rf_ncols(SEXP);

/* ---- writing ---- */
SEXP SET_VECTOR_ELT(SEXP, R_xlen_t, SEXP);
void SET_STRING_ELT(SEXP, R_xlen_t, SEXP);
SEXP SETCAR(SEXP, SEXP);
SEXP SETCDR(SEXP, SEXP);
SEXP SETCADR(SEXP, SEXP);
SEXP SETCADDR(SEXP, SEXP);
void SET_TAG(SEXP, SEXP);
void SET_ATTRIB(SEXP, SEXP);
SEXP Rf_setAttrib(SEXP, SEXP, SEXP);
void Rf_copyMostAttrib(SEXP, SEXP);
void SET_TYPEOF(SEXP, int);

/* ---- environments and evaluation ---- */
SEXP Rf_eval(SEXP, SEXP);
SEXP R_tryEval(SEXP, SEXP, int *);
SEXP Rf_findVar(SEXP, SEXP);
SEXP Rf_nthcdr(SEXP, int);
SEXP Rf_findVarInFrame(SEXP, SEXP);
SEXP Rf_findVarInFrame3(SEXP, SEXP, Rboolean);
SEXP Rf_findFun(SEXP, SEXP);
void Rf_defineVar(SEXP, SEXP, SEXP);
SEXP R_FindNamespace(SEXP);
struct R_varloc_st {
  SEXP cell;
};
typedef struct R_varloc_st R_varloc_t;
R_varloc_t R_findVarLocInFrame(SEXP, SEXP);
SEXP R_MakeUnwindCont(void);
NORET void R_ContinueUnwind(SEXP);
SEXP R_UnwindProtect(SEXP (*fun)(void *), void *, void (*clean)(void *, Rboolean), void *, SEXP);
void R_gc(void);
void R_CheckUserInterrupt(void);
void GetRNGstate(void);
void PutRNGstate(void);
double unif_rand(void);
void Rprintf(const char *, ...);
void Rf_PrintValue(SEXP);
void Rf_warning(const char *, ...);
NORET void Rf_error(const char *, ...);
NORET void Rf_errorcall(SEXP, const char *, ...);

/* ---- registration ---- */
typedef void *(*DL_FUNC)(void);
typedef struct {
  const char *name;
  DL_FUNC fun;
  int numArgs;
  int *types;
} R_CMethodDef;
typedef struct {
  const char *name;
  DL_FUNC fun;
  int numArgs;
} R_CallMethodDef;
typedef R_CMethodDef R_FortranMethodDef;
typedef R_CallMethodDef R_ExternalMethodDef;
typedef struct _DllInfo DllInfo;
int R_registerRoutines(DllInfo *, const R_CMethodDef *, const R_CallMethodDef *, const R_FortranMethodDef *,
                       const R_ExternalMethodDef *);
Rboolean R_useDynamicSymbols(DllInfo *, Rboolean);
typedef struct {
  SEXP ptr;
} R_altrep_class_t;
typedef SEXP (*R_altstring_Elt_method_t)(SEXP, R_xlen_t);
void R_set_altstring_Elt_method(R_altrep_class_t, R_altstring_Elt_method_t);

#ifdef __cplusplus
}
#endif

#define CONS(a, b) Rf_cons(a, b)
#define LCONS(a, b) Rf_lcons(a, b)

#ifndef __cplusplus
#define allocList Rf_allocList
#define allocMatrix Rf_allocMatrix
#define allocVector Rf_allocVector
#define asChar Rf_asChar
#define asCharacterFactor Rf_asCharacterFactor
#define asInteger Rf_asInteger
#define asLogical Rf_asLogical
#define asReal Rf_asReal
#define coerceVector Rf_coerceVector
#define copyMostAttrib Rf_copyMostAttrib
#define defineVar Rf_defineVar
#define duplicate Rf_duplicate
#define error Rf_error
#define errorcall Rf_errorcall
#define eval Rf_eval
#define findFun Rf_findFun
#define findVar Rf_findVar
#define findVarInFrame Rf_findVarInFrame
#define findVarInFrame3 Rf_findVarInFrame3
#define getAttrib Rf_getAttrib
#define inherits Rf_inherits
#define install Rf_install
#define installChar Rf_installChar
#define isFunction Rf_isFunction
#define isNewList Rf_isNewList
#define isNull Rf_isNull
#define isReal Rf_isReal
#define isString Rf_isString
#define isSymbol Rf_isSymbol
#define isVectorAtomic Rf_isVectorAtomic
#define lang1 Rf_lang1
#define lang2 Rf_lang2
#define lang3 Rf_lang3
#define lang4 Rf_lang4
#define length Rf_length
#define lengthgets Rf_lengthgets
#define list1 Rf_list1
#define list2 Rf_list2
#define match Rf_match
#define mkChar Rf_mkChar
#define mkString Rf_mkString
#define ncols Rf_ncols
#define nrows Rf_nrows
#define PrintValue Rf_PrintValue
#define ScalarInteger Rf_ScalarInteger
#define ScalarLogical Rf_ScalarLogical
#define ScalarReal Rf_ScalarReal
#define ScalarString Rf_ScalarString
#define setAttrib Rf_setAttrib
#define shallow_duplicate Rf_shallow_duplicate
#define translateChar Rf_translateChar
#define type2char Rf_type2char
#define warning Rf_warning
#define xlengthgets Rf_xlengthgets
#endif

/* ---- words the tests are written in: their effects are computed from these bodies ---- */
static inline SEXP fresh(void) { return Rf_allocVector(INTSXP, 3); }
static inline SEXP fresh_list(void) { return Rf_allocVector(VECSXP, 3); }
static inline void gcpoint(void) { R_gc(); }
static inline int use(SEXP x) { return INTEGER(x)[0]; }

#endif
