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

// The field has two names.
static void lamp_remove_new_forgets(struct platform_device *pdev) {  // expect-in-function: linux-halves
  lamp_dim(platform_get_drvdata(pdev));
}
struct platform_driver lamp_driver_new = {.probe = lamp_probe, .remove_new = lamp_remove_new_forgets};
struct platform_driver lamp_driver_new_ok = {.probe = lamp_probe, .remove_new = lamp_remove_ok};

// Ends that fail and look alike to callers as one that succeeds.
static int lamp_probe_long(struct platform_device *pdev) {
  struct lamp *l = devm_kzalloc(&pdev->dev, sizeof(*l), GFP_KERNEL);
  int ret;
  if (!l) return -ENOMEM;
  l->core = devm_clk_get(&pdev->dev, "core");
  if (IS_ERR(l->core)) return PTR_ERR(l->core);
  l->bus = devm_clk_get(&pdev->dev, "bus");
  if (IS_ERR(l->bus)) return PTR_ERR(l->bus);
  ret = lamp_glow(l);
  if (ret) return ret;
  dev_set_drvdata(&pdev->dev, l);
  pm_runtime_get_noresume(&pdev->dev);
  return 0;
}
static void lamp_remove_long(struct platform_device *pdev) {  // expect-in-function: linux-halves
  lamp_dim(platform_get_drvdata(pdev));
}
struct platform_driver lamp_driver_long = {.probe = lamp_probe_long, .remove = lamp_remove_long};

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

// Ends of both halves look alike to callers where they do not know the argument; the halves do.
int stream_says(struct v4l2_subdev *sd);
static int stream_start_counts(struct v4l2_subdev *sd) {
  int ret = pm_runtime_resume_and_get(sd->dev);
  if (ret < 0) return ret;
  ret = stream_says(sd);
  if (ret) goto undo;
  ret = stream_start(sd);
  if (ret) goto undo;
  return 0;
undo:
  pm_runtime_put(sd->dev);
  return ret;
}
static int stream_stop_counts(struct v4l2_subdev *sd) {
  int ret = stream_says(sd);
  pm_runtime_put(sd->dev);
  return ret;
}
static int stream_stop_counts_two(struct v4l2_subdev *sd) {
  int ret = stream_says(sd);
  pm_runtime_put(sd->dev);
  pm_runtime_put(sd->dev);
  return ret;
}
static int stream_by_helpers_ok(struct v4l2_subdev *sd, int enable) {
  return enable ? stream_start_counts(sd) : stream_stop_counts(sd);
}
static int stream_by_helpers_keeps(struct v4l2_subdev *sd, int enable) {  // expect-in-function: linux-halves
  return enable ? stream_start_counts(sd) : stream_says(sd);
}
static int stream_by_helpers_gives_two(struct v4l2_subdev *sd, int enable) {  // expect-in-function: linux-halves
  return enable ? stream_start_counts(sd) : stream_stop_counts_two(sd);
}
const struct v4l2_subdev_video_ops streams_by_helpers = {.s_stream = stream_by_helpers_ok};
const struct v4l2_subdev_video_ops streams_kept = {.s_stream = stream_by_helpers_keeps};
const struct v4l2_subdev_video_ops streams_given_two = {.s_stream = stream_by_helpers_gives_two};

// ---- ends that leave a count alone for a reason in sight -------------------------------------------------------------

// The clock could not be enabled, and resuming goes on all the same: suspending is written for when it could.
static int lamp_suspend_keeps_clock(struct device *dev) {  // expect-in-function: linux-halves
  lamp_dim(dev_get_drvdata(dev));
  return 0;
}
static int lamp_resume_unread(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  clk_prepare_enable(l->core);
  lamp_dim(l);
  return 0;
}
const struct dev_pm_ops lamp_unread = {.runtime_suspend = lamp_suspend_keeps_clock, .runtime_resume = lamp_resume_unread};

// How the lamp was made decides, and neither half changes that.
static int lamp_suspend_never(struct device *dev) {  // expect-in-function: linux-halves
  struct lamp *l = dev_get_drvdata(dev);
  if (l->wakes) return 0;
  lamp_dim(l);
  return 0;
}
static int lamp_resume_unless_it_wakes(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  if (l->wakes) return 0;
  return clk_prepare_enable(l->core);
}
const struct dev_pm_ops lamp_never = {.runtime_suspend = lamp_suspend_never, .runtime_resume = lamp_resume_unless_it_wakes};

// State that the half keeps itself: it may be the first of several, and whoever is last gives it back.
static int lamp_suspend_of_many(struct device *dev) {
  lamp_dim(dev_get_drvdata(dev));
  return 0;
}
static int lamp_resume_first_only(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  if (l->wakes) return 0;
  l->wakes = true;
  return clk_prepare_enable(l->core);
}
const struct dev_pm_ops lamp_of_many = {.runtime_suspend = lamp_suspend_of_many, .runtime_resume = lamp_resume_first_only};

// The failing ends of resuming are wrong as well; that says nothing about those that succeed.
static int lamp_suspend_forgets_both(struct device *dev) {  // expect-in-function: linux-halves
  lamp_dim(dev_get_drvdata(dev));
  return 0;
}
static int lamp_resume_wrong_failure(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(l->core);
  if (ret) goto undo;
  ret = lamp_glow(l);
  if (ret < 0) goto undo;
  return 0;
undo:
  clk_disable_unprepare(l->core);
  return ret;  // expect: linux-path-pair
}
const struct dev_pm_ops lamp_both_wrong = {.runtime_suspend = lamp_suspend_forgets_both, .runtime_resume = lamp_resume_wrong_failure};

// The same where the failing ends are wrong about another object.
static int lamp_suspend_forgets_bus(struct device *dev) {  // expect-in-function: linux-halves
  struct lamp *l = dev_get_drvdata(dev);
  clk_disable_unprepare(l->core);
  return 0;
}
static int lamp_resume_keeps_core(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(l->bus);
  if (ret) return ret;
  ret = clk_prepare_enable(l->core);
  if (ret) goto undo;
  ret = lamp_glow(l);
  if (ret < 0) goto undo;
  return 0;
undo:
  clk_disable_unprepare(l->bus);
  return ret;  // expect: linux-path-pair
}
const struct dev_pm_ops lamp_bus_forgotten = {.runtime_suspend = lamp_suspend_forgets_bus, .runtime_resume = lamp_resume_keeps_core};

// More is written than outcomes tell; the counts are known all the same.
struct panel {
  struct clk *clk;
  int lines[12];
  int used;
};
static int panel_suspend(struct device *dev) {  // expect-in-function: linux-halves
  struct panel *p = dev_get_drvdata(dev);
  for (int i = 0; i < p->used; i++) p->lines[i] = i;
  clk_disable_unprepare(p->clk);
  clk_disable_unprepare(p->clk);
  return 0;
}
static int panel_resume(struct device *dev) {
  struct panel *p = dev_get_drvdata(dev);
  return clk_prepare_enable(p->clk);
}
const struct dev_pm_ops panel_pm = {.runtime_suspend = panel_suspend, .runtime_resume = panel_resume};

// Two counts that do not fit are two mistakes; the two counts of one clock are one.
static int lamp_suspend_two(struct device *dev) {  // expect-in-function: linux-halves, linux-halves
  lamp_dim(dev_get_drvdata(dev));
  return 0;
}
static int lamp_resume_two(struct device *dev) {
  struct lamp *l = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(l->core);
  if (ret) return ret;
  pm_runtime_get_noresume(l->dev);
  return 0;
}
const struct dev_pm_ops lamp_two = {.runtime_suspend = lamp_suspend_two, .runtime_resume = lamp_resume_two};

// ---- a flag says which half -------------------------------------------------------------------------------------------

struct fan {
  struct device *dev;
  bool runs;
  int speed;
};

static void fan_set_takes_two(struct fan *f, int on) {  // expect-in-function: linux-halves
  if (on && !f->runs) {
    pm_runtime_get_sync(f->dev);
    pm_runtime_get_sync(f->dev);
    f->runs = true;
  } else if (!on && f->runs) {
    pm_runtime_put(f->dev);
    f->runs = false;
  }
}
static void fan_set_keeps(struct fan *f, int on) {  // expect-in-function: linux-halves
  if (on && !f->runs) {
    pm_runtime_get_sync(f->dev);
    f->runs = true;
  } else if (!on && f->runs) {
    f->speed = 0;
    f->runs = false;
  }
}
static void fan_set(struct fan *f, int on) {
  if (on && !f->runs) {
    pm_runtime_get_sync(f->dev);
    f->runs = true;
  } else if (!on && f->runs) {
    pm_runtime_put(f->dev);
    f->runs = false;
  }
}
// The flag is about something else.
static void fan_turn(struct fan *f, int on) {
  pm_runtime_get_sync(f->dev);
  if (on && !f->runs) {
    f->runs = true;
  } else if (!on && f->runs) {
    f->runs = false;
  }
  pm_runtime_put(f->dev);
}
void fans(struct fan *f, int on) {
  fan_set_takes_two(f, on);
  fan_set_keeps(f, on);
  fan_set(f, on);
  fan_turn(f, on);
}

// ---- what a half hands out gives it back; of what was given up on nothing is known -------------------------------------------

struct later_unit {
  struct device *dev;
  struct phy **phys;
  int num_phys;
  struct clk_bulk_data clks[3];
};
int later_load(struct later_unit *l, void (*done)(void *context));
static void later_loaded(void *context) {
  struct later_unit *l = context;
  pm_runtime_put_sync(l->dev);
}
static int later_ok_probe(struct platform_device *pdev) {
  struct later_unit *l = devm_kzalloc(&pdev->dev, sizeof(*l), GFP_KERNEL);
  int ret;
  if (!l) return -ENOMEM;
  l->dev = &pdev->dev;
  dev_set_drvdata(&pdev->dev, l);
  pm_runtime_get_noresume(&pdev->dev);
  pm_runtime_enable(&pdev->dev);
  ret = later_load(l, later_loaded);
  if (ret) {
    pm_runtime_disable(&pdev->dev);
    pm_runtime_put_noidle(&pdev->dev);
  }
  return ret;
}
static void later_ok_remove(struct platform_device *pdev) { pm_runtime_disable(&pdev->dev); }
struct platform_driver later_driver = {.probe = later_ok_probe, .remove = later_ok_remove};
