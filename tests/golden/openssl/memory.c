// Text and encodings that OPENSSL_free() gives back, objects read into a place, chains of BIOs.
#include <openssl/ssl.h>

int M01_hex_leaked(const BIGNUM *n) {  // expect-in-function: openssl-leak
  char *text = BN_bn2hex(n);
  return text ? text[0] : 0;
}

int M01_ok_hex(const BIGNUM *n) {
  char *text = BN_bn2hex(n);
  int first = text ? text[0] : 0;
  OPENSSL_free(text);
  return first;
}

int M02_encoding_leaked(X509 *x) {  // expect-in-function: openssl-leak
  unsigned char *der = NULL;
  int n = i2d_X509(x, &der);
  return n < 0 ? -1 : der[0];
}

int M02_ok_own_buffer(X509 *x, unsigned char *buffer) {
  unsigned char *end = buffer;
  return i2d_X509(x, &end);
}

int M02_ok_encoding(X509 *x) {
  unsigned char *der = NULL;
  int n = i2d_X509(x, &der);
  if (n < 0) return -1;
  n = der[0];
  OPENSSL_free(der);
  return n;
}

int M03_decoded_twice(const unsigned char *in, long n) {  // expect-in-function: openssl-leak
  X509 *x = d2i_X509(NULL, &in, n);
  if (!x) return -1;
  X509 *second = d2i_X509(NULL, &in, n);
  if (!second) return -1;
  X509_free(second);
  X509_free(x);
  return 0;
}

int M03_ok_into_own(const unsigned char *in, long n) {
  X509 *x = NULL;
  if (!d2i_X509(&x, &in, n)) return -1;
  X509_free(x);
  return 0;
}

int M04_bio_given_away(SSL *ssl, char *text) {
  BIO *bio = BIO_new_mem_buf(text, -1);
  if (!bio) return -1;
  SSL_set0_rbio(ssl, bio);
  BIO_free(bio);  // expect: openssl-over-release
  return 0;
}

int M04_ok_both_ends(SSL *ssl, char *text) {
  BIO *bio = BIO_new_mem_buf(text, -1);
  if (!bio) return -1;
  SSL_set_bio(ssl, bio, bio);
  return 0;
}

void M05_ok_chain(BIO *filter, char *text) {
  BIO *bio = BIO_new_mem_buf(text, -1);
  if (!bio) {
    BIO_free(filter);
    return;
  }
  BIO_free_all(BIO_push(filter, bio));
}

int M06_id_lost(OCSP_REQUEST *request, X509 *x, X509 *issuer) {  // expect-in-function: openssl-leak
  OCSP_CERTID *id = OCSP_cert_to_id(NULL, x, issuer);
  if (!id) return -1;
  return OCSP_request_add0_id(request, id) ? 0 : -1;
}

int M06_ok_id(OCSP_REQUEST *request, X509 *x, X509 *issuer) {
  OCSP_CERTID *id = OCSP_cert_to_id(NULL, x, issuer);
  if (!id || !OCSP_request_add0_id(request, id)) {
    OCSP_CERTID_free(id);
    return -1;
  }
  return 0;
}

int M07_walk_left(int (*fits)(ENGINE *)) {
  for (ENGINE *e = ENGINE_get_first(); e; e = ENGINE_get_next(e))
    if (fits(e)) return 1;  // expect: openssl-leak, openssl-leak
  return 0;
}

int M07_ok_walk(int (*fits)(ENGINE *)) {
  for (ENGINE *e = ENGINE_get_first(); e; e = ENGINE_get_next(e))
    if (fits(e)) {
      ENGINE_free(e);
      return 1;
    }
  return 0;
}

int M08_name_leaked(X509 *x) {  // expect-in-function: openssl-leak
  char *peer = NULL;
  if (X509_check_host(x, "a", 1, 0, &peer) != 1) return 0;
  return peer[0];
}
