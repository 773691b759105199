// Who owns what by OpenSSL's names: 0 is shared or handed over, 1 and the old names without a digit are one's own.
#include <openssl/ssl.h>

int K01_pubkey_leaked(X509 *x) {  // expect-in-function: openssl-leak
  EVP_PKEY *key = X509_get_pubkey(x);
  if (!key) return 0;
  if (EVP_PKEY_get_bits(key) < 1024) return -1;
  EVP_PKEY_free(key);
  return 1;
}

int K01_ok_pubkey(X509 *x) {
  EVP_PKEY *key = X509_get_pubkey(x);
  int bits = key ? EVP_PKEY_get_bits(key) : 0;
  EVP_PKEY_free(key);
  return bits;
}

void K02_shared_key_freed(X509 *x) {
  EVP_PKEY *key = X509_get0_pubkey(x);
  EVP_PKEY_free(key);  // expect: openssl-over-release
}

int K02_ok_shared_key(X509 *x) { return EVP_PKEY_get_bits(X509_get0_pubkey(x)); }

int K03_push_fails(struct stack_st_X509 *stack, BIO *in) {  // expect-in-function: openssl-leak
  X509 *x = PEM_read_bio_X509(in, NULL, NULL, NULL);
  if (!x) return 0;
  if (!sk_X509_push(stack, x)) return 0;
  return 1;
}

int K03_ok_push(struct stack_st_X509 *stack, BIO *in) {
  X509 *x = PEM_read_bio_X509(in, NULL, NULL, NULL);
  if (!x) return 0;
  if (!sk_X509_push(stack, x)) {
    X509_free(x);
    return 0;
  }
  return 1;
}

int K04_chain_cert_freed(SSL_CTX *context, BIO *in) {
  X509 *x = NULL;
  if (!PEM_read_bio_X509(in, &x, NULL, NULL)) return 0;
  int done = SSL_CTX_add_extra_chain_cert(context, x) != 0;
  if (done) X509_free(x);  // expect: openssl-over-release
  if (!done) X509_free(x);
  return done;
}

int K04_ok_chain_cert(SSL_CTX *context, BIO *in) {
  X509 *x = NULL;
  if (!PEM_read_bio_X509(in, &x, NULL, NULL)) return 0;
  if (!SSL_CTX_add_extra_chain_cert(context, x)) {
    X509_free(x);
    return 0;
  }
  return 1;
}

EVP_PKEY *K05_key_not_assigned(void) {  // expect-in-function: openssl-leak
  EVP_PKEY *key = EVP_PKEY_new();
  RSA *rsa = RSA_new();
  if (!key || !rsa || !EVP_PKEY_assign_RSA(key, rsa)) {
    EVP_PKEY_free(key);
    return NULL;
  }
  return key;
}

EVP_PKEY *K05_ok_key(void) {
  EVP_PKEY *key = EVP_PKEY_new();
  RSA *rsa = RSA_new();
  if (!key || !rsa || !EVP_PKEY_assign_RSA(key, rsa)) {
    EVP_PKEY_free(key);
    RSA_free(rsa);
    return NULL;
  }
  return key;
}

int K06_numbers_of_a_key(RSA *rsa, const unsigned char *data) {  // expect-in-function: openssl-leak, openssl-leak
  BIGNUM *n = BN_new(), *e = BN_new();
  if (!e) return 0;
  BN_bin2bn(data, 4, e);
  return RSA_set0_key(rsa, n, e, NULL);
}

int K06_ok_both_there(RSA *rsa, const unsigned char *data) {
  BIGNUM *n = BN_bin2bn(data, 16, NULL), *e = BN_bin2bn(data + 16, 4, NULL);
  if (n && e) return RSA_set0_key(rsa, n, e, NULL);
  BN_free(n);
  BN_free(e);
  return 0;
}

int K06_ok_numbers(RSA *rsa, const unsigned char *data) {
  BIGNUM *n = BN_bin2bn(data, 16, NULL), *e = BN_bin2bn(data + 16, 4, NULL);
  if (!n || !e || !RSA_set0_key(rsa, n, e, NULL)) {
    BN_free(n);
    BN_free(e);
    return 0;
  }
  return 1;
}

void K07_part_of_a_key_freed(RSA *rsa) {
  const BIGNUM *n;
  RSA_get0_key(rsa, &n, NULL, NULL);
  BN_free((BIGNUM *)n);  // expect: openssl-over-release
}

// Taking a reference does not fail for an object that lives; nobody asks.
struct channel {
  BIO *in, *out;
};

void K12_ok_taken_and_handed_over(SSL *ssl, struct channel *c) {
  BIO_up_ref(c->in);
  BIO_up_ref(c->out);
  SSL_set_bio(ssl, c->in, c->out);
}

int K12_ok_asked(X509 *x, X509 **out) {
  if (!X509_up_ref(x)) return 0;
  *out = x;
  return 1;
}
