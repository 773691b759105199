// Halves that reach what they count by other names, or make it: what they leave is added up.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
  struct kref ref;
  int speed;
};
void gear_stop(struct gear *g);
int gear_turn(struct gear *g);
struct clk *devm_clk_get(struct device *dev, const char *id);

static int made_probe(struct platform_device *pdev) {
  struct gear *g = devm_kzalloc(&pdev->dev, sizeof(*g), GFP_KERNEL);
  if (!g) return -ENOMEM;
  g->clk = devm_clk_get(&pdev->dev, "core");
  if (IS_ERR(g->clk)) return PTR_ERR(g->clk);
  dev_set_drvdata(&pdev->dev, g);
  return clk_prepare_enable(g->clk);
}
static void made_remove_ok(struct platform_device *pdev) {
  struct gear *g = dev_get_drvdata(&pdev->dev);
  clk_disable_unprepare(g->clk);
}
static void made_remove_forgets(struct platform_device *pdev) {  // expect-in-function: linux-halves
  gear_stop(dev_get_drvdata(&pdev->dev));
}
static void made_remove_twice(struct platform_device *pdev) {  // expect-in-function: linux-halves
  struct gear *g = dev_get_drvdata(&pdev->dev);
  clk_disable_unprepare(g->clk);
  clk_disable_unprepare(g->clk);
}
struct platform_driver made_ok = {.probe = made_probe, .remove = made_remove_ok};
struct platform_driver made_forgotten = {.probe = made_probe, .remove = made_remove_forgets};
struct platform_driver made_twice = {.probe = made_probe, .remove = made_remove_twice};

// One of the two is not always there: nothing is said.
static int made_optional_probe(struct platform_device *pdev) {
  struct gear *g = devm_kzalloc(&pdev->dev, sizeof(*g), GFP_KERNEL);
  if (!g) return -ENOMEM;
  dev_set_drvdata(&pdev->dev, g);
  if (gear_turn(g) > 3) return 0;
  g->clk = devm_clk_get(&pdev->dev, "core");
  if (IS_ERR(g->clk)) return PTR_ERR(g->clk);
  return clk_prepare_enable(g->clk);
}
struct platform_driver made_optional = {.probe = made_optional_probe, .remove = made_remove_forgets};


// Removing enables what it needs itself, and nobody looks whether that worked: it is not what probing left.
static void made_remove_own(struct platform_device *pdev) {  // expect-in-function: linux-halves
  struct gear *g = dev_get_drvdata(&pdev->dev);
  clk_prepare_enable(g->clk);
  gear_stop(g);
  clk_disable_unprepare(g->clk);
}
struct platform_driver made_own = {.probe = made_probe, .remove = made_remove_own};

// The same by a helper, of which nobody asks whether it worked.
static int gear_clock(struct clk *c) { return clk_prepare_enable(c); }
static void FN_own_by_helper(struct platform_device *pdev) {  // expect-not-yet: linux-halves
  struct gear *g = dev_get_drvdata(&pdev->dev);
  gear_clock(g->clk);
  gear_stop(g);
  clk_disable_unprepare(g->clk);
}
struct platform_driver made_own_by_helper = {.probe = made_probe, .remove = FN_own_by_helper};
