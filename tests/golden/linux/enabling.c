// How often runtime PM was enabled: what probing enables, failing probes and removing disable.
#include "mock.h"

struct oven {
  struct device *dev;
  struct clk *clk;
};
int oven_heat(struct oven *o);
int oven_add(struct oven *o);
bool pm_runtime_enabled(struct device *dev);
int pm_runtime_force_suspend(struct device *dev);


static int bad_probe_skips_disable(struct platform_device *pdev) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  struct oven *o = platform_get_drvdata(pdev);
  int ret;
  pm_runtime_enable(&pdev->dev);
  ret = oven_heat(o);
  if (ret < 0) goto out;
  ret = oven_add(o);
  if (ret < 0) goto off;
  return 0;
off:
  pm_runtime_disable(&pdev->dev);
out:
  oven_heat(o);
  return ret;
}
static int ok_probe(struct platform_device *pdev) {
  struct oven *o = platform_get_drvdata(pdev);
  int ret;
  pm_runtime_enable(&pdev->dev);
  ret = oven_heat(o);
  if (ret < 0) goto off;
  return 0;
off:
  pm_runtime_disable(&pdev->dev);
  return ret;
}
static int ok_probe_managed(struct platform_device *pdev) {
  int ret = devm_pm_runtime_enable(&pdev->dev);
  if (ret) return ret;
  return oven_heat(platform_get_drvdata(pdev));
}
// Suspending by force disables as well; the specs do not say so, since functions that resume would be accused.
static int FP_probe_forces(struct platform_device *pdev) {
  int ret;
  pm_runtime_enable(&pdev->dev);
  ret = oven_heat(platform_get_drvdata(pdev));
  if (ret < 0) {
    pm_runtime_force_suspend(&pdev->dev);
    return ret;  // false-alarm: linux-failure-keeps
  }
  return 0;
}
static void ok_remove(struct platform_device *pdev) { pm_runtime_disable(&pdev->dev); }
static void FP_remove_forces(struct platform_device *pdev) {  // false-alarm: linux-halves
  pm_runtime_force_suspend(&pdev->dev);
}
static void bad_remove_forgets(struct platform_device *pdev) {  // expect-in-function: linux-halves
  oven_heat(platform_get_drvdata(pdev));
}
static void ok_remove_managed(struct platform_device *pdev) { oven_heat(platform_get_drvdata(pdev)); }
struct platform_driver skips = {.probe = bad_probe_skips_disable, .remove = ok_remove};
struct platform_driver right = {.probe = ok_probe, .remove = ok_remove};
struct platform_driver forgets = {.probe = ok_probe, .remove = bad_remove_forgets};
struct platform_driver forced = {.probe = FP_probe_forces, .remove = FP_remove_forces};
struct platform_driver managed = {.probe = ok_probe_managed, .remove = ok_remove_managed};

// Without runtime PM in the kernel there is nothing to disable, and the way is for such kernels only. The count does not
// know that question.
static int FP_probe_without_runtime_pm(struct platform_device *pdev) {
  struct oven *o = platform_get_drvdata(pdev);
  int ret;
  pm_runtime_enable(&pdev->dev);
  if (!pm_runtime_enabled(&pdev->dev)) {
    ret = oven_heat(o);
    if (ret < 0) return ret;  // false-alarm: linux-path-pair
  }
  ret = oven_add(o);
  if (ret < 0) pm_runtime_disable(&pdev->dev);
  return ret < 0 ? ret : 0;
}
struct platform_driver without = {.probe = FP_probe_without_runtime_pm, .remove = ok_remove};
