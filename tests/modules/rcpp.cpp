// A minimal package in Rcpp, with the wrappers that its tool generates: nothing in it is wrong.
#include <Rcpp.h>

using namespace Rcpp;

NumericVector scaled(NumericVector x, double by) {
  NumericVector out(x.size());
  for (R_xlen_t i = 0; i < x.size(); i++) out[i] = x[i] * by;
  return out;
}

List described(CharacterVector names, IntegerVector values) {
  if (names.size() != values.size()) stop("lengths differ");
  List out = List::create(_["names"] = names, _["values"] = values);
  out.attr("class") = "described";
  return out;
}

std::vector<std::string> words(std::string text, int n) { return std::vector<std::string>(n, text); }

RcppExport SEXP _minimal_scaled(SEXP xSEXP, SEXP bySEXP) {
  BEGIN_RCPP
  RObject rcpp_result_gen;
  RNGScope rcpp_rngScope_gen;
  traits::input_parameter<NumericVector>::type x(xSEXP);
  traits::input_parameter<double>::type by(bySEXP);
  rcpp_result_gen = wrap(scaled(x, by));
  return rcpp_result_gen;
  END_RCPP
}

RcppExport SEXP _minimal_described(SEXP namesSEXP, SEXP valuesSEXP) {
  BEGIN_RCPP
  RObject rcpp_result_gen;
  RNGScope rcpp_rngScope_gen;
  traits::input_parameter<CharacterVector>::type names(namesSEXP);
  traits::input_parameter<IntegerVector>::type values(valuesSEXP);
  rcpp_result_gen = wrap(described(names, values));
  return rcpp_result_gen;
  END_RCPP
}

RcppExport SEXP _minimal_words(SEXP textSEXP, SEXP nSEXP) {
  BEGIN_RCPP
  RObject rcpp_result_gen;
  RNGScope rcpp_rngScope_gen;
  traits::input_parameter<std::string>::type text(textSEXP);
  traits::input_parameter<int>::type n(nSEXP);
  rcpp_result_gen = wrap(words(text, n));
  return rcpp_result_gen;
  END_RCPP
}

static const R_CallMethodDef entries[] = {{"_minimal_scaled", (DL_FUNC)&_minimal_scaled, 2},
                                          {"_minimal_described", (DL_FUNC)&_minimal_described, 2},
                                          {"_minimal_words", (DL_FUNC)&_minimal_words, 2},
                                          {NULL, NULL, 0}};

RcppExport void R_init_minimal(DllInfo *dll) {
  R_registerRoutines(dll, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
}
