// Where a finding is told and what it calls the object; specs of what is managed or looked up in bulk.
#include "mock.h"

struct regulator_bulk_data;
struct lamp {
  struct mutex lock;
  struct device *dev;
};
int lamp_read(struct device *dev);
void lamp_poke(struct device *dev);
struct clk *devm_clk_get_enabled(struct device *dev, const char *id);
struct bulk {
  const char *supply;
  void *consumer;
};
int regulator_bulk_get(struct device *dev, int n, struct bulk *b);
void regulator_bulk_free(int n, struct bulk *b);
int regulator_bulk_enable(int n, struct bulk *b);
int regulator_bulk_disable(int n, struct bulk *b);

// The code behind guard() stands at the closing brace; the `return` is what to look at.
int told_at_the_return(struct lamp *l) {
  guard(mutex)(&l->lock);
  int r = pm_runtime_resume_and_get(l->dev);
  if (r) return r;
  r = lamp_read(l->dev);
  if (r < 0)
    return r;  // expect: linux-path-pair
  pm_runtime_put(l->dev);
  return 0;
}

// The extra put is what to look at, not the end that is right.
int told_at_the_extra_put(struct device *d) {
  int r = pm_runtime_resume_and_get(d);
  if (r < 0) {
    pm_runtime_put(d);
    return r;  // expect: linux-path-pair
  }
  r = lamp_read(d);
  pm_runtime_put(d);
  return r;
}

// Switching off is its job: the end that does not is wrong.
int told_where_it_is_not_put(struct device *d) {
  int r = lamp_read(d);
  if (r < 0) return r;  // expect: linux-path-pair
  r = pm_runtime_put_sync(d);
  if (r < 0) return r;
  return 0;
}

int passed_on_after_its_device_was_put(struct device_node *np) {
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return -ENODEV;
  put_device(&pd->dev);
  return lamp_read(&pd->dev);  // expect: linux-use-after-release
}

int passed_on_ok(struct device_node *np) {
  struct platform_device *pd = of_find_device_by_node(np);
  int r;
  if (!pd) return -ENODEV;
  r = lamp_read(&pd->dev);
  put_device(&pd->dev);
  return r;
}

// The device's to disable.
int disables_what_is_managed(struct device *d) {
  struct clk *c = devm_clk_get_enabled(d, "a");
  if (IS_ERR(c)) return PTR_ERR(c);
  if (lamp_read(d) < 0) {
    clk_disable_unprepare(c);  // expect: linux-over-release
    return -EIO;
  }
  return 0;
}

int managed_ok(struct device *d) {
  struct clk *c = devm_clk_get_enabled(d, "a");
  if (IS_ERR(c)) return PTR_ERR(c);
  return lamp_read(d);
}

int bulk_kept(struct device *d) {
  struct bulk b[2] = {{"vdd"}, {"vio"}};
  int r = regulator_bulk_get(d, 2, b);
  if (r) return r;
  r = regulator_bulk_enable(2, b);
  if (r) return r;  // expect: linux-lookup-leak|linux-path-pair
  lamp_poke(d);
  regulator_bulk_disable(2, b);
  regulator_bulk_free(2, b);
  return 0;
}

int bulk_ok(struct device *d) {
  struct bulk b[2] = {{"vdd"}, {"vio"}};
  int r = regulator_bulk_get(d, 2, b);
  if (r) return r;
  r = regulator_bulk_enable(2, b);
  if (!r) {
    lamp_poke(d);
    regulator_bulk_disable(2, b);
  }
  regulator_bulk_free(2, b);
  return r;
}
