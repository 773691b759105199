// path-pair: two paths callers cannot tell apart change a count differently.
#include "mock.h"

int plum_read(struct device *dev);

int pair_failed_get_kept(struct device *dev) {  // expect-in-function: linux-path-pair
  int err = pm_runtime_get_sync(dev);
  if (err < 0) return err;
  err = plum_read(dev);
  pm_runtime_put(dev);
  return err;
}

int pair_ok(struct device *dev) {
  int err = pm_runtime_get_sync(dev);
  if (err >= 0) err = plum_read(dev);
  pm_runtime_put(dev);
  return err;
}
