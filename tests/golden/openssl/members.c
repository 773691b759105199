// Numbers kept in members of a caller's struct, over several calls.
#include <openssl/ssl.h>
#include <string.h>

struct request {
  long begun, length;
};
struct exchange {
  int state;
  BIGNUM *e, *f;
  struct request request;
};

int next_step(struct request *request);

int S01_ok_other_member_cleared(struct exchange *x) {
  if (x->state == 0) {
    x->e = BN_new();
    memset(&x->request, 0, sizeof x->request);
    x->state = 1;
  }
  return 0;
}

int S01_own_member_cleared(void) {
  struct exchange x = {0};
  x.e = BN_new();
  if (!x.e) return -1;
  memset(&x.e, 0, sizeof x.e);  // expect: openssl-leak
  return 0;
}

int S01_first_member_cleared(struct exchange *x) {
  x->e = BN_new();
  memset(x, 0, sizeof x->state);
  BN_free(x->e);
  x->e = NULL;
  return 0;
}

int S02_ok_freed_at_the_end(struct exchange *x) {
  int status = -1;
  if (x->state == 0) {
    x->e = BN_new();
    x->state = 1;
  }
  if (x->state == 1) {
    status = next_step(&x->request);
    if (status == -37) return status;
  }
  BN_free(x->e);
  x->e = NULL;
  x->state = 0;
  return status;
}

int S03_ok_filled(struct exchange *x, const unsigned char *data) {
  if (x->state != 1) return -1;
  BN_bin2bn(data, 4, x->f);
  return 0;
}
