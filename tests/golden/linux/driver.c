// A whole driver without a mistake, put together from what real ones do: nothing in this file may be reported.
#include "mock.h"

struct regs {
  u32 ctrl, status, data;
};

struct pump {
  struct device *dev;
  struct regs *regs;
  struct clk *core, *bus, *opt;
  struct mutex lock;
  struct kref ref;
  struct list_head channels;
  struct list_head requests;
  struct device_node *phy_np;
  struct pump *partner;
  struct work_struct work;
  int irq, users, nr_channels;
  bool powered, suspended;
};

struct pump_channel {
  struct list_head link;
  struct device_node *np;
  u32 reg;
};

struct pump_request {
  struct list_head link;
  struct pump *pump;
  u32 *data;
  int n;
};

int of_property_read_u32(const struct device_node *np, const char *name, u32 *out);
int platform_get_irq(struct platform_device *pdev, unsigned int index);
struct clk *devm_clk_get(struct device *dev, const char *id);
void *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned int index);
int devm_request_threaded_irq(struct device *dev, unsigned int irq, irq_handler_t handler, irq_handler_t thread,
                              unsigned long flags, const char *name, void *data);
int wait_ready(struct regs *regs);
int pump_register(struct pump *p);
void pump_unregister(struct pump *p);
int copy_out(void *to, const void *from, size_t n);

static void pump_release(struct kref *ref) {
  struct pump *p = container_of(ref, struct pump, ref);
  of_node_put(p->phy_np);
  kfree(p);
}

static struct pump *pump_get(struct pump *p) {
  if (p) kref_get(&p->ref);
  return p;
}

static void pump_put(struct pump *p) {
  if (p) kref_put(&p->ref, pump_release);
}

// ---- power ----------------------------------------------------------------------------------------------------------

static int pump_clocks_on(struct pump *p) {
  int ret = clk_prepare_enable(p->bus);
  if (ret) return ret;
  ret = clk_prepare_enable(p->core);
  if (ret) goto off_bus;
  ret = clk_prepare_enable(p->opt);
  if (ret) goto off_core;
  return 0;
off_core:
  clk_disable_unprepare(p->core);
off_bus:
  clk_disable_unprepare(p->bus);
  return ret;
}

static void pump_clocks_off(struct pump *p) {
  clk_disable_unprepare(p->opt);
  clk_disable_unprepare(p->core);
  clk_disable_unprepare(p->bus);
}

static int pump_runtime_suspend(struct device *dev) {
  struct pump *p = dev_get_drvdata(dev);
  p->regs->ctrl = 0;
  pump_clocks_off(p);
  p->powered = false;
  return 0;
}

static int pump_runtime_resume(struct device *dev) {
  struct pump *p = dev_get_drvdata(dev);
  int ret = pump_clocks_on(p);
  if (ret) return ret;
  ret = wait_ready(p->regs);
  if (ret) {
    pump_clocks_off(p);
    return ret;
  }
  p->powered = true;
  return 0;
}

static int pump_power(struct pump *p, bool on) {
  int ret;
  if (on) {
    ret = pm_runtime_resume_and_get(p->dev);
    if (ret < 0) {
      dev_err(p->dev, "cannot power up: %d\n", ret);
      return ret;
    }
  } else {
    pm_runtime_put_autosuspend(p->dev);
  }
  return 0;
}

// ---- transfers ------------------------------------------------------------------------------------------------------

static int pump_read(struct pump *p, u32 reg, u32 *val) {
  int ret;
  mutex_lock(&p->lock);
  ret = pump_power(p, true);
  if (ret) goto unlock;
  p->regs->ctrl = reg;
  ret = wait_ready(p->regs);
  if (ret) goto power_off;
  *val = p->regs->data;
power_off:
  pump_power(p, false);
unlock:
  mutex_unlock(&p->lock);
  return ret;
}

static int pump_read_locked_scope(struct pump *p, u32 *val) {
  int ret;
  guard(mutex)(&p->lock);
  if (p->suspended) return -EBUSY;
  ret = pm_runtime_get_sync(p->dev);
  if (ret < 0) {
    pm_runtime_put_noidle(p->dev);
    return ret;
  }
  *val = p->regs->data;
  pm_runtime_put_autosuspend(p->dev);
  return 0;
}

static int pump_transfer(struct pump *p, struct pump_request *rq) {
  int i, ret;
  ret = pm_runtime_get_sync(p->dev);
  if (ret < 0) goto out;
  for (i = 0; i < rq->n; i++) {
    ret = pump_read(p, i, &rq->data[i]);
    if (ret) {
      dev_warn(p->dev, "transfer stopped at %d\n", i);
      goto out;
    }
  }
  ret = 0;
out:
  pm_runtime_put_autosuspend(p->dev);
  return ret;
}

static int pump_submit(struct pump *p, struct pump_request *rq) {
  int ret;
  if (rq->n <= 0) return -EINVAL;
  ret = pm_runtime_resume_and_get(p->dev);
  if (ret) return ret;
  rq->pump = pump_get(p);
  list_add_tail(&rq->link, &p->requests);
  schedule_work(&p->work);
  return 0;
}

static void pump_complete(struct pump_request *rq) {
  struct pump *p = rq->pump;
  list_del(&rq->link);
  pm_runtime_put(p->dev);
  pump_put(p);
  kfree(rq);
}

static void pump_work(struct work_struct *w) {
  struct pump *p = container_of(w, struct pump, work);
  struct pump_request *rq, *next;
  list_for_each_entry_safe(rq, next, &p->requests, link) pump_complete(rq);
}

static irqreturn_t pump_irq(int irq, void *data) {
  struct pump *p = data;
  irqreturn_t ret = IRQ_NONE;
  if (pm_runtime_get_if_in_use(p->dev) <= 0) return IRQ_NONE;
  if (p->regs->status) {
    p->regs->status = 0;
    ret = IRQ_WAKE_THREAD;
  }
  pm_runtime_put(p->dev);
  return ret;
}

static irqreturn_t pump_irq_thread(int irq, void *data) {
  struct pump *p = data;
  u32 val;
  if (pump_read(p, 0, &val)) return IRQ_NONE;
  return IRQ_HANDLED;
}

// ---- device tree ----------------------------------------------------------------------------------------------------

static int pump_add_channel(struct pump *p, struct device_node *np) {
  struct pump_channel *ch;
  u32 reg;
  int ret = of_property_read_u32(np, "reg", &reg);
  if (ret) return dev_err_probe(p->dev, ret, "no reg\n");
  ch = devm_kzalloc(p->dev, sizeof(*ch), GFP_KERNEL);
  if (!ch) return -ENOMEM;
  ch->reg = reg;
  ch->np = of_node_get(np);
  list_add_tail(&ch->link, &p->channels);
  p->nr_channels++;
  return 0;
}

static void pump_drop_channels(struct pump *p) {
  struct pump_channel *ch, *next;
  list_for_each_entry_safe(ch, next, &p->channels, link) {
    list_del(&ch->link);
    of_node_put(ch->np);
  }
}

static int pump_parse(struct pump *p, struct device_node *np) {
  struct device_node *kid, *group;
  int ret = 0;
  group = of_get_child_by_name(np, "channels");
  if (!group) {
    dev_err(p->dev, "no channels\n");
    return -ENODEV;
  }
  for_each_available_child_of_node(group, kid) {
    if (of_node_name_eq(kid, "reserved")) continue;
    ret = pump_add_channel(p, kid);
    if (ret) {
      of_node_put(kid);
      break;
    }
  }
  of_node_put(group);
  return ret;
}

static int pump_count(struct device_node *np) {
  int n = 0;
  for_each_child_of_node_scoped(np, kid) {
    if (!of_device_is_available(kid)) continue;
    n++;
  }
  return n;
}

static struct pump *pump_of_node(struct device_node *np) {
  struct platform_device *pdev;
  struct device_node *target = of_parse_phandle(np, "pump", 0);
  struct pump *p = NULL;
  if (!target) return ERR_PTR(-ENODEV);
  pdev = of_find_device_by_node(target);
  of_node_put(target);
  if (!pdev) return ERR_PTR(-EPROBE_DEFER);
  p = platform_get_drvdata(pdev);
  if (!p) {
    put_device(&pdev->dev);
    return ERR_PTR(-EPROBE_DEFER);
  }
  pump_get(p);
  put_device(&pdev->dev);
  return p;
}

// ---- probe, remove, files -------------------------------------------------------------------------------------------

static int pump_probe(struct platform_device *pdev) {
  struct device *dev = &pdev->dev;
  struct pump *p, *partner;
  int ret;

  p = kzalloc(sizeof(*p), GFP_KERNEL);
  if (!p) return -ENOMEM;
  kref_init(&p->ref);
  p->dev = dev;
  p->channels.next = p->channels.prev = &p->channels;
  p->requests.next = p->requests.prev = &p->requests;
  p->work.func = pump_work;

  p->regs = devm_platform_ioremap_resource(pdev, 0);
  if (IS_ERR(p->regs)) {
    ret = PTR_ERR(p->regs);
    goto err_put;
  }
  p->core = devm_clk_get(dev, "core");
  if (IS_ERR(p->core)) {
    ret = dev_err_probe(dev, PTR_ERR(p->core), "no core clock\n");
    goto err_put;
  }
  p->bus = devm_clk_get(dev, "bus");
  if (IS_ERR(p->bus)) {
    ret = dev_err_probe(dev, PTR_ERR(p->bus), "no bus clock\n");
    goto err_put;
  }
  p->opt = devm_clk_get_optional(dev, "opt");
  if (IS_ERR(p->opt)) {
    ret = PTR_ERR(p->opt);
    goto err_put;
  }
  if (pump_count(dev->of_node) == 0) {
    ret = -ENODEV;
    goto err_put;
  }
  partner = pump_of_node(dev->of_node);
  if (PTR_ERR(partner) == -EPROBE_DEFER) {
    ret = -EPROBE_DEFER;
    goto err_put;
  }
  if (!IS_ERR(partner)) p->partner = partner;
  p->phy_np = of_parse_phandle(dev->of_node, "phy", 0);
  p->irq = platform_get_irq(pdev, 0);
  if (p->irq < 0) {
    ret = p->irq;
    goto err_partner;
  }
  dev_set_drvdata(dev, p);
  ret = pump_clocks_on(p);
  if (ret) goto err_partner;

  pm_runtime_get_noresume(dev);
  pm_runtime_set_active(dev);
  pm_runtime_enable(dev);

  ret = pump_parse(p, dev->of_node);
  if (ret) goto err_pm;
  ret = devm_request_threaded_irq(dev, p->irq, pump_irq, pump_irq_thread, 0, "pump", p);
  if (ret) goto err_pm;
  ret = pump_register(p);
  if (ret) goto err_pm;
  pm_runtime_put_autosuspend(dev);
  return 0;

err_pm:
  pump_drop_channels(p);
  pm_runtime_disable(dev);
  pm_runtime_put_noidle(dev);
  pump_clocks_off(p);
err_partner:
  pump_put(p->partner);
err_put:
  pump_put(p);
  return ret;
}

static void pump_remove(struct platform_device *pdev) {
  struct pump *p = platform_get_drvdata(pdev);
  int ret = pm_runtime_get_sync(&pdev->dev);
  pump_unregister(p);
  if (ret < 0) dev_warn(&pdev->dev, "resume failed\n");
  pm_runtime_disable(&pdev->dev);
  pm_runtime_put_noidle(&pdev->dev);
  pump_drop_channels(p);
  pump_put(p->partner);
  pump_put(p);
}

static int pump_open(struct inode *inode, struct file *file) {
  struct pump *p = file->private_data;
  int ret;
  mutex_lock(&p->lock);
  if (p->users++ == 0) {
    ret = pm_runtime_resume_and_get(p->dev);
    if (ret) {
      p->users--;
      mutex_unlock(&p->lock);
      return ret;
    }
  }
  pump_get(p);
  mutex_unlock(&p->lock);
  return 0;
}

static int pump_close(struct inode *inode, struct file *file) {
  struct pump *p = file->private_data;
  mutex_lock(&p->lock);
  if (--p->users == 0) pm_runtime_put(p->dev);
  mutex_unlock(&p->lock);
  pump_put(p);
  return 0;
}

static int pump_ioctl_fill(struct pump *p, void *arg) {
  struct pump_request *rq = kzalloc(sizeof(*rq), GFP_KERNEL);
  int ret;
  if (!rq) return -ENOMEM;
  ret = copy_out(rq, arg, sizeof(*rq));
  if (ret) goto free;
  ret = pump_transfer(p, rq);
  if (ret < 0) goto free;
  ret = pump_submit(p, rq);
  if (ret) goto free;
  return 0;
free:
  kfree(rq);
  return ret;
}

static int pump_suspend(struct device *dev) {
  struct pump *p = dev_get_drvdata(dev);
  p->suspended = true;
  if (p->powered) pump_clocks_off(p);
  return 0;
}

static int pump_resume(struct device *dev) {
  struct pump *p = dev_get_drvdata(dev);
  int ret;
  if (p->powered) {
    ret = pump_clocks_on(p);
    if (ret) return ret;
  }
  p->suspended = false;
  return 0;
}

int pump_control(struct pump *p, void *arg, u32 *val) {
  int ret = pump_ioctl_fill(p, arg);
  return ret ? ret : pump_read_locked_scope(p, val);
}

const struct file_operations pump_fops = {.open = pump_open, .release = pump_close};
const struct dev_pm_ops pump_pm = {.suspend = pump_suspend,
                                   .resume = pump_resume,
                                   .runtime_suspend = pump_runtime_suspend,
                                   .runtime_resume = pump_runtime_resume};
struct platform_driver pump_driver = {
    .probe = pump_probe, .remove = pump_remove, .driver = {.name = "pump", .pm = &pump_pm}};
