// A minimal package in cpp11, with the wrappers that its tool generates: nothing in it is wrong.
#include <cpp11.hpp>
#include <cpp11/declarations.hpp>

using namespace cpp11;

doubles scaled(doubles x, double by) {
  writable::doubles out(x.size());
  for (R_xlen_t i = 0; i < x.size(); i++) out[i] = x[i] * by;
  return out;
}

list described(strings names, integers values) {
  if (names.size() != values.size()) stop("lengths differ");
  writable::list out({"names"_nm = names, "values"_nm = values});
  out.attr("class") = "described";
  return out;
}

extern "C" SEXP _minimal_scaled(SEXP x, SEXP by) {
  BEGIN_CPP11
  return as_sexp(scaled(as_cpp<decay_t<doubles>>(x), as_cpp<decay_t<double>>(by)));
  END_CPP11
}

extern "C" SEXP _minimal_described(SEXP names, SEXP values) {
  BEGIN_CPP11
  return as_sexp(described(as_cpp<decay_t<strings>>(names), as_cpp<decay_t<integers>>(values)));
  END_CPP11
}

static const R_CallMethodDef entries[] = {{"_minimal_scaled", (DL_FUNC)&_minimal_scaled, 2},
                                          {"_minimal_described", (DL_FUNC)&_minimal_described, 2},
                                          {NULL, NULL, 0}};

extern "C" void R_init_minimal(DllInfo *dll) {
  R_registerRoutines(dll, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
}
