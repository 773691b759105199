// failure-keeps: failure keeps a count that success gives back.
#include "mock.h"

int lime_poke(struct device *dev);

int keeps_on_failed_get(struct device *dev) {  // expect-in-function: linux-failure-keeps
  int err = pm_runtime_get_sync(dev);
  if (err < 0) return err;
  lime_poke(dev);
  pm_runtime_put(dev);
  return 0;
}

int keeps_ok(struct device *dev) {
  int err = pm_runtime_get_sync(dev);
  if (err >= 0) {
    lime_poke(dev);
    err = 0;
  }
  pm_runtime_put(dev);
  return err;
}
