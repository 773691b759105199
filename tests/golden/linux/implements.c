// A file that defines the API itself: how it keeps the count is not judged by what the API promises.
// alone
#include "mock.h"

struct gadget {
  struct device dev;
  int users, state;
};
struct gadget *gadget_of(struct device *dev);
int gadget_wake(struct gadget *g);

int pm_runtime_get_sync(struct device *dev) {
  struct gadget *g = gadget_of(dev);
  ++g->users;
  return gadget_wake(g);
}

int gadget_idle(struct device *dev) {
  int r = pm_runtime_get_sync(dev);
  if (r < 0) return -EIO;
  if (gadget_wake(gadget_of(dev))) {
    pm_runtime_put_noidle(dev);
    return -EIO;
  }
  return 0;
}
