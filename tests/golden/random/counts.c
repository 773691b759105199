// flags: --specs ../../random/dev.spec -- -I../../random
// What random programs over a named count (tests/random/run_mock.py dev) showed to be answered wrongly once.
#include "dev.h"

// ---- A count of two at the head of a loop that leaves it as it was does not grow.

int ok_counted_twice_before_a_loop(struct dev *d, int a) {
  int ret, i;
  ret = dev_sync(d);
  if (ret < 0) goto out;
  ret = dev_sync(d);
  if (ret < 0) {
    dev_put(d);
    goto out;
  }
  for (i = 0; i < a; i++) {
    dev_hold(d);
    ret = dev_work(d);
    if (ret) {
      dev_put(d);
      dev_put(d);
      goto out;
    }
    dev_put(d);
  }
  dev_put(d);
  ret = 0;
out:
  dev_put(d);
  return ret;
}
