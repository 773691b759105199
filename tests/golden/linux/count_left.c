// count-left: a function that owes the count it found leaves another.
#include "mock.h"

struct lemon {
  struct device *dev;
};
void lemon_poke(struct lemon *l);

static int left_at_remove(struct platform_device *pdev) {  // expect-in-function: linux-count-left
  struct lemon *l = platform_get_drvdata(pdev);
  pm_runtime_get_sync(l->dev);
  lemon_poke(l);
  return 0;
}
struct platform_driver left_driver = {.remove = left_at_remove};

static int left_ok_at_remove(struct platform_device *pdev) {
  struct lemon *l = platform_get_drvdata(pdev);
  pm_runtime_get_sync(l->dev);
  lemon_poke(l);
  pm_runtime_put_sync(l->dev);
  return 0;
}
struct platform_driver left_ok_driver = {.remove = left_ok_at_remove};
