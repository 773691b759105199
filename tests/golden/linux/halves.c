// Functions of one table that undo each other.
#include "mock.h"

struct lamp {
  struct device *dev;
  struct clk *bus, *core;
  bool wakes;
};
int lamp_glow(struct lamp *l);
struct clk *devm_clk_get(struct device *dev, const char *id);
void lamp_dim(struct lamp *l);

// ---- suspend and resume ---------------------------------------------------------------------------------------------

static int lamp_suspend_forgets(struct device *dev) {  // expect-in-function: linux-halves
  struct lamp *l = dev_get_drvdata(dev);
  clk_disable_unprepare(l->core);
  return 0;
}
static int lamp_resume(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(l->bus);
  if (ret) return ret;
  ret = clk_prepare_enable(l->core);
  if (ret) clk_disable_unprepare(l->bus);
  return ret;
}
const struct dev_pm_ops lamp_forgets = {.runtime_suspend = lamp_suspend_forgets, .runtime_resume = lamp_resume};

static int lamp_suspend_twice(struct device *dev) {  // expect-in-function: linux-halves
  struct lamp *l = dev_get_drvdata(dev);
  clk_disable_unprepare(l->core);
  clk_disable_unprepare(l->core);
  clk_disable_unprepare(l->bus);
  return 0;
}
const struct dev_pm_ops lamp_twice = {.runtime_suspend = lamp_suspend_twice, .runtime_resume = lamp_resume};

static int lamp_suspend_ok(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  lamp_dim(l);
  clk_disable_unprepare(l->core);
  clk_disable_unprepare(l->bus);
  return 0;
}
const struct dev_pm_ops lamp_ok = {.runtime_suspend = lamp_suspend_ok, .runtime_resume = lamp_resume};

// By state: nothing is said.
static int lamp_suspend_by_state(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  if (!l->wakes) clk_disable_unprepare(l->core);
  return 0;
}
static int lamp_resume_by_state(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  return l->wakes ? 0 : clk_prepare_enable(l->core);
}
const struct dev_pm_ops lamp_by_state = {.runtime_suspend = lamp_suspend_by_state, .runtime_resume = lamp_resume_by_state};

// ---- probe and remove -----------------------------------------------------------------------------------------------

static int lamp_probe(struct platform_device *pdev) {
  int ret = lamp_glow(platform_get_drvdata(pdev));
  if (ret < 0) return ret;
  pm_runtime_get_noresume(&pdev->dev);
  return 0;
}
static void lamp_remove_forgets(struct platform_device *pdev) {  // expect-in-function: linux-halves
  lamp_dim(platform_get_drvdata(pdev));
}
static void lamp_remove_ok(struct platform_device *pdev) {
  lamp_dim(platform_get_drvdata(pdev));
  pm_runtime_put_noidle(&pdev->dev);
}
struct platform_driver lamp_driver_forgets = {.probe = lamp_probe, .remove = lamp_remove_forgets};
struct platform_driver lamp_driver_ok = {.probe = lamp_probe, .remove = lamp_remove_ok};

// Reached in another way: most likely the same device.
static void lamp_remove_other_name(struct platform_device *pdev) {
  struct lamp *l = platform_get_drvdata(pdev);
  pm_runtime_put_noidle(l->dev);
}
struct platform_driver lamp_driver_other_name = {.probe = lamp_probe, .remove = lamp_remove_other_name};

// What probing makes itself has no name that removing could use.
static int lamp_probe_makes(struct platform_device *pdev) {
  struct lamp *l = devm_kzalloc(&pdev->dev, sizeof(*l), GFP_KERNEL);
  if (!l) return -ENOMEM;
  l->core = devm_clk_get(&pdev->dev, "core");
  if (IS_ERR(l->core)) return PTR_ERR(l->core);
  dev_set_drvdata(&pdev->dev, l);
  return clk_prepare_enable(l->core);
}
static void lamp_remove_made(struct platform_device *pdev) {
  struct lamp *l = platform_get_drvdata(pdev);
  clk_disable_unprepare(l->core);
}
struct platform_driver lamp_driver_makes = {.probe = lamp_probe_makes, .remove = lamp_remove_made};

// ---- an argument says which half ------------------------------------------------------------------------------------

struct v4l2_subdev {
  struct device *dev;
};
struct v4l2_subdev_video_ops {
  int (*s_stream)(struct v4l2_subdev *sd, int enable);
};
int stream_start(struct v4l2_subdev *sd);
void stream_stop(struct v4l2_subdev *sd);

static int stream_forgets(struct v4l2_subdev *sd, int enable) {  // expect-in-function: linux-halves
  int ret;
  if (!enable) {
    stream_stop(sd);
    return 0;
  }
  ret = pm_runtime_resume_and_get(sd->dev);
  if (ret < 0) return ret;
  ret = stream_start(sd);
  if (ret < 0) pm_runtime_put(sd->dev);
  return ret < 0 ? ret : 0;
}
static int stream_ok(struct v4l2_subdev *sd, int enable) {
  int ret;
  if (!enable) {
    stream_stop(sd);
    pm_runtime_put(sd->dev);
    return 0;
  }
  ret = pm_runtime_resume_and_get(sd->dev);
  if (ret < 0) return ret;
  ret = stream_start(sd);
  if (ret < 0) pm_runtime_put(sd->dev);
  return ret < 0 ? ret : 0;
}
const struct v4l2_subdev_video_ops streams_forget = {.s_stream = stream_forgets};
const struct v4l2_subdev_video_ops streams = {.s_stream = stream_ok};
