// Bodies of functions that a spec describes: callers are judged by the spec, the bodies by their own ends.
// alone
#include "mock.h"

struct device_link;
bool link_refused(struct device *consumer, u32 flags);
struct device_link *link_made(struct device *consumer, struct device *supplier);

struct device_link *device_link_add(struct device *consumer, struct device *supplier, u32 flags) {  // expect-in-function: linux-path-pair
  if (!consumer || !supplier) return NULL;
  if (flags & BIT(3)) {
    if (pm_runtime_get_sync(supplier) < 0) {
      pm_runtime_put_noidle(supplier);
      return NULL;
    }
  }
  if (link_refused(consumer, flags)) return NULL;
  return link_made(consumer, supplier);
}

// To its callers the spec holds, which says nothing of a count.
int links(struct device *consumer, struct device *supplier) {
  int ret = pm_runtime_get_sync(supplier);
  if (ret < 0) {
    pm_runtime_put_noidle(supplier);
    return ret;
  }
  ret = device_link_add(consumer, supplier, 0) ? 0 : -EINVAL;
  pm_runtime_put(supplier);
  return ret;
}

// Exported for tables elsewhere: its name and what it is given say what it is.
struct kiln {
  struct device *dev;
  bool lit;
};
void kiln_cool(struct kiln *k);

int kiln_remove(struct platform_device *pdev) {  // expect-in-function: linux-count-left
  struct kiln *k = platform_get_drvdata(pdev);
  pm_runtime_get_sync(k->dev);
  if (!k->lit) return 0;
  kiln_cool(k);
  pm_runtime_put_sync(k->dev);
  return 0;
}

// Another parameter, another function.
int kiln_shelf_remove(struct kiln *k) {
  pm_runtime_get_sync(k->dev);
  if (!k->lit) return 0;
  kiln_cool(k);
  pm_runtime_put_sync(k->dev);
  return 0;
}
