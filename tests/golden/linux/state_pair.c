// state-pair: two successful paths change a count differently by state out of sight.
// flags: --checks=*
#include "mock.h"

int pear_poll(struct device *dev);

int state_decides(struct device *dev) {  // expect-in-function: linux-state-pair
  if (pear_poll(dev) <= 0) return 0;
  pm_runtime_get_noresume(dev);
  return 0;
}

int state_ok_told(struct device *dev) {
  if (pear_poll(dev) <= 0) return 0;
  pm_runtime_get_noresume(dev);
  return 1;
}
