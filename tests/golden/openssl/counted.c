// A file that calls more of OpenSSL than of R is judged by counts: vectors of R have none, and their collector's rules
// are not asked for.
#include <Rinternals.h>
#include <openssl/ssl.h>

static SEXP number_of(const BIGNUM *n) {
  char *text = BN_bn2hex(n);
  SEXP out = Rf_mkString(text ? text : "");
  OPENSSL_free(text);
  return out;
}

SEXP counted_none_of_these(SEXP in) {
  const unsigned char *at = RAW(in);
  X509 *x = d2i_X509(NULL, &at, LENGTH(in));
  EVP_PKEY *key = x ? X509_get_pubkey(x) : NULL;
  BIGNUM *n = BN_bin2bn(at, 4, NULL);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(RAWSXP, 2));
  SET_VECTOR_ELT(out, 1, number_of(n));
  BN_free(n);
  EVP_PKEY_free(key);
  X509_free(x);
  UNPROTECT(1);
  return out;
}

SEXP counted_leaked(SEXP in) {  // expect-in-function: openssl-leak
  const unsigned char *at = RAW(in);
  X509 *x = d2i_X509(NULL, &at, LENGTH(in));
  return Rf_mkString(x ? "yes" : "no");
}

int counted_bits(RSA *r) {
  const BIGNUM *n = NULL;
  EVP_PKEY *key = EVP_PKEY_new();
  RSA_get0_key(r, &n, NULL, NULL);
  const int bits = EVP_PKEY_get_bits(key);
  EVP_PKEY_free(key);
  RSA_free(r);
  return bits;
}

// An external pointer is for what its finalizer frees.
static SEXP wrapped(EVP_PKEY *key, const char *kind) {
  SEXP out = PROTECT(R_MakeExternalPtr(key, R_NilValue, Rf_mkString(kind)));
  UNPROTECT(1);
  return out;
}

SEXP counted_wrapped(X509 *cert) {
  EVP_PKEY *key = X509_get_pubkey(cert);
  return key ? wrapped(key, "public") : R_NilValue;
}

// Read again after the object came from a file: it is the object's from then on.
static X509 *counted_of(SEXP object, SEXP text) {
  X509 *cert = R_ExternalPtrAddr(object);
  if (!cert) {
    const unsigned char *at = RAW(text);
    cert = d2i_X509(NULL, &at, LENGTH(text));
    if (cert) SETCAR(object, (SEXP)cert);
  }
  return cert;
}

int counted_read_again(SEXP object, SEXP text) {
  X509 *cert = counted_of(object, text);
  return cert && X509_check_ca(cert);
}
