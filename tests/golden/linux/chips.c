// A chip behind a slow bus is locked and unlocked.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
  struct kref ref;
  int speed;
};
void gear_stop(struct gear *g);

struct irq_data {
  void *chip_data;
};
struct irq_chip {
  void (*irq_bus_lock)(struct irq_data *d);
  void (*irq_bus_sync_unlock)(struct irq_data *d);
};
static void chip_lock(struct irq_data *d) {
  struct gear *g = d->chip_data;
  pm_runtime_get_sync(g->dev);
}
static void chip_unlock_ok(struct irq_data *d) {
  struct gear *g = d->chip_data;
  pm_runtime_put_autosuspend(g->dev);
}
static void chip_unlock_forgets(struct irq_data *d) { gear_stop(d->chip_data); }  // expect-in-function: linux-halves
const struct irq_chip chip_ok = {.irq_bus_lock = chip_lock, .irq_bus_sync_unlock = chip_unlock_ok};
const struct irq_chip chip_forgets = {.irq_bus_lock = chip_lock, .irq_bus_sync_unlock = chip_unlock_forgets};

