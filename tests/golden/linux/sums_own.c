// The second half takes what it needs itself, and gives it back twice; the first half does nothing but its own.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
  struct kref ref;
  int speed;
};
void gear_stop(struct gear *g);

struct regulator_dev {
  struct device dev;
  void *reg_data;
};
struct regulator_ops {
  int (*enable)(struct regulator_dev *r);
  int (*disable)(struct regulator_dev *r);
};
void *rdev_get_drvdata(struct regulator_dev *r);
static int own_enable(struct regulator_dev *r) {
  struct gear *g = rdev_get_drvdata(r);
  int ret = pm_runtime_resume_and_get(g->dev);
  if (ret < 0) return ret;
  gear_stop(g);
  pm_runtime_put(g->dev);
  return 0;
}
static int own_disable_ok(struct regulator_dev *r) {
  struct gear *g = rdev_get_drvdata(r);
  int ret = pm_runtime_resume_and_get(g->dev);
  if (ret < 0) return ret;
  gear_stop(g);
  pm_runtime_put(g->dev);
  return 0;
}
static int own_disable_twice(struct regulator_dev *r) {  // expect-in-function: linux-halves
  struct gear *g = rdev_get_drvdata(r);
  int ret = pm_runtime_resume_and_get(g->dev);
  if (ret < 0) return ret;
  gear_stop(g);
  pm_runtime_put(g->dev);
  pm_runtime_put(g->dev);
  return 0;
}
const struct regulator_ops own_ok = {.enable = own_enable, .disable = own_disable_ok};
const struct regulator_ops own_twice = {.enable = own_enable, .disable = own_disable_twice};

