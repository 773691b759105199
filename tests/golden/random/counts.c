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

// The same through helpers. One that keeps the count when it fails, as the API does, is itself taken for a mistake.
static int FP_sync_it(struct dev *d) {
  return dev_sync(d);  // false-alarm: dev-failure-keeps
}
static void hold_it(struct dev *d) { dev_hold(d); }
static void put_it(struct dev *d) { dev_put(d); }
static int work_it(struct dev *d) { return dev_work(d); }

int counted_twice_by_helpers(struct dev *d, int a) {
  int ret, i;
  ret = FP_sync_it(d);
  if (ret < 0) goto out;
  ret = FP_sync_it(d);
  if (ret < 0) {
    put_it(d);
    goto out;
  }
  for (i = 0; i < a; i++) {
    hold_it(d);
    ret = work_it(d);
    if (ret) {
      put_it(d);
      put_it(d);
      goto out;
    }
    put_it(d);
  }
  put_it(d);
  ret = 0;
out:
  put_it(d);
  return ret;
}
