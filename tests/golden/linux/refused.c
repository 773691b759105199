// A get that failed, on the only end that fails, and is given back there.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
  struct kref ref;
  int speed;
};
void gear_stop(struct gear *g);

struct snd_soc_component {
  struct device *dev;
};
struct snd_soc_component_driver {
  int (*probe)(struct snd_soc_component *c);
  void (*remove)(struct snd_soc_component *c);
};
static int refused_probe(struct snd_soc_component *c) {  // expect-in-function: linux-count-left
  int ret = pm_runtime_resume_and_get(c->dev);
  if (ret < 0) goto fail;
  gear_stop(dev_get_drvdata(c->dev));
  return 0;
fail:
  pm_runtime_put_noidle(c->dev);
  return ret;
}
static int refused_ok_probe(struct snd_soc_component *c) {
  int ret = pm_runtime_get_sync(c->dev);
  if (ret < 0) goto fail;
  gear_stop(dev_get_drvdata(c->dev));
  return 0;
fail:
  pm_runtime_put_noidle(c->dev);
  return ret;
}
static void refused_remove(struct snd_soc_component *c) { pm_runtime_put(c->dev); }
const struct snd_soc_component_driver refused = {.probe = refused_probe, .remove = refused_remove};
const struct snd_soc_component_driver refused_ok = {.probe = refused_ok_probe, .remove = refused_remove};
