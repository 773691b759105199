// Two domains in one file: what R's collector takes back is not counted, and what OpenSSL counts is not collected.
#include <Rinternals.h>
#include <openssl/ssl.h>

SEXP collected_list(const BIGNUM *n) {
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(RAWSXP, 4));
  char *text = BN_bn2hex(n);
  SET_VECTOR_ELT(out, 1, Rf_mkString(text ? text : ""));
  OPENSSL_free(text);
  UNPROTECT(1);
  return out;
}

static SEXP a_string(const char *text) { return Rf_mkString(text); }

SEXP collected_by_helper(const BIGNUM *n) {
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 1));
  char *text = BN_bn2hex(n);
  SET_VECTOR_ELT(out, 0, a_string(text ? text : ""));
  OPENSSL_free(text);
  UNPROTECT(1);
  return out;
}

SEXP collected_pointer(void) {
  BIO *b = BIO_new_mem_buf("text", 4);
  SEXP out = PROTECT(R_MakeExternalPtr(b, R_NilValue, R_NilValue));
  UNPROTECT(1);
  return out;
}

SEXP FN_counted_leaked(SEXP in) {  // expect-not-yet: openssl-leak -- a file is judged by one domain, here the one that collects
  const unsigned char *at = RAW(in);
  X509 *x = d2i_X509(NULL, &at, LENGTH(in));
  return Rf_mkString(x ? "yes" : "no");
}
