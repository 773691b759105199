// As much of OpenSSL 3 as the tests beside it need.
#pragma once
#include <openssl/opensslconf.h>
#include <stddef.h>

typedef struct x509_st X509;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct bio_st BIO;
typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct rsa_st RSA;
typedef struct bignum_st BIGNUM;
typedef struct stack_st OPENSSL_STACK;
typedef struct ASN1_OBJECT_st ASN1_OBJECT;
typedef struct ocsp_request_st OCSP_REQUEST;
typedef struct ocsp_cert_id_st OCSP_CERTID;
typedef struct ocsp_one_request_st OCSP_ONEREQ;
typedef struct engine_st ENGINE;
typedef int pem_password_cb(char *buf, int size, int rwflag, void *userdata);
struct stack_st_X509;

void X509_free(X509 *a);
int X509_up_ref(X509 *x);
EVP_PKEY *X509_get_pubkey(X509 *x);
EVP_PKEY *X509_get0_pubkey(const X509 *x);
int X509_check_host(X509 *x, const char *chk, size_t chklen, unsigned int flags, char **peername);
X509 *d2i_X509(X509 **a, const unsigned char **in, long len);
int i2d_X509(const X509 *a, unsigned char **out);
X509 *PEM_read_bio_X509(BIO *out, X509 **x, pem_password_cb *cb, void *u);
void EVP_PKEY_free(EVP_PKEY *pkey);
EVP_PKEY *EVP_PKEY_new(void);
int EVP_PKEY_get_bits(const EVP_PKEY *pkey);
int EVP_PKEY_assign(EVP_PKEY *pkey, int type, void *key);
#define EVP_PKEY_assign_RSA(pkey, rsa) EVP_PKEY_assign((pkey), 6, (rsa))
RSA *RSA_new(void);
void RSA_free(RSA *r);
int RSA_set0_key(RSA *r, BIGNUM *n, BIGNUM *e, BIGNUM *d);
void RSA_get0_key(const RSA *r, const BIGNUM **n, const BIGNUM **e, const BIGNUM **d);
BIGNUM *BN_new(void);
void BN_free(BIGNUM *a);
BIGNUM *BN_bin2bn(const unsigned char *s, int len, BIGNUM *ret);
char *BN_bn2hex(const BIGNUM *a);
void CRYPTO_free(void *ptr, const char *file, int line);
#define OPENSSL_free(addr) CRYPTO_free(addr, __FILE__, __LINE__)
int OPENSSL_sk_push(OPENSSL_STACK *st, const void *data);
static inline OPENSSL_STACK *ossl_check_X509_sk_type(struct stack_st_X509 *sk) { return (OPENSSL_STACK *)sk; }
static inline const void *ossl_check_X509_type(X509 *ptr) { return ptr; }
#define sk_X509_push(sk, ptr) OPENSSL_sk_push(ossl_check_X509_sk_type(sk), ossl_check_X509_type(ptr))
BIO *BIO_new_mem_buf(const void *buf, int len);
BIO *BIO_push(BIO *b, BIO *append);
int BIO_free(BIO *a);
void BIO_free_all(BIO *a);
void SSL_set_bio(SSL *s, BIO *rbio, BIO *wbio);
void SSL_set0_rbio(SSL *s, BIO *rbio);
long SSL_CTX_ctrl(SSL_CTX *ctx, int cmd, long larg, void *parg);
#define SSL_CTX_add_extra_chain_cert(ctx, x509) SSL_CTX_ctrl(ctx, 14, 0, (char *)(x509))
OCSP_ONEREQ *OCSP_request_add0_id(OCSP_REQUEST *req, OCSP_CERTID *cid);
OCSP_CERTID *OCSP_cert_to_id(const void *dgst, const X509 *subject, const X509 *issuer);
void OCSP_CERTID_free(OCSP_CERTID *a);
ENGINE *ENGINE_get_first(void);
ENGINE *ENGINE_get_next(ENGINE *e);
int ENGINE_free(ENGINE *e);
