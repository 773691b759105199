// Runtime PM: PM01 to PM46, and the wrappers of other buses (UA01 to UA03).
#include "mock.h"

struct zed {
  struct device *dev;
  struct clk *clk;
  int users;
  unsigned long caps;
  bool running;
};
#define CAP_RPM BIT(3)
int zed_work(struct zed *z);
int zed_alloc_slot(struct zed *z);
int zed_send(struct zed *z);
int zed_read(struct zed *z);
int zed_status(struct zed *z);
void zed_poke(struct zed *z);
void zed_hw_off(struct zed *z);

// ---- PM01: an error of the get is returned at once, another error path has given the count back ---------------------

int PM01_get_error_returned(struct zed *z) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_get_sync(z->dev);
  if (ret < 0) return ret;
  ret = zed_work(z);
  pm_runtime_put(z->dev);
  return ret;
}

int PM01_get_async(struct zed *z) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_get(z->dev);
  if (ret < 0) {
    dev_err(z->dev, "no power\n");
    return ret;
  }
  ret = zed_work(z);
  pm_runtime_put_autosuspend(z->dev);
  return ret;
}

int PM01_ok_put_noidle(struct zed *z) {
  int ret = pm_runtime_get_sync(z->dev);
  if (ret < 0) {
    pm_runtime_put_noidle(z->dev);
    return ret;
  }
  ret = zed_work(z);
  pm_runtime_put(z->dev);
  return ret;
}

int PM01_ok_resume_and_get(struct zed *z) {
  int ret = pm_runtime_resume_and_get(z->dev);
  if (ret < 0) return ret;
  ret = zed_work(z);
  pm_runtime_put(z->dev);
  return ret;
}

// ---- PM02: the same, but success is a constant: callers can tell, and nobody puts after a failure -------------------

int PM02_success_constant(struct zed *z) {  // expect-in-function: linux-failure-keeps
  int ret = pm_runtime_get_sync(z->dev);
  if (ret < 0) return ret;
  zed_poke(z);
  pm_runtime_put(z->dev);
  return 0;
}

int PM02_ok_success_constant(struct zed *z) {
  int ret = pm_runtime_get_sync(z->dev);
  if (ret < 0) {
    pm_runtime_put_noidle(z->dev);
    return ret;
  }
  zed_poke(z);
  pm_runtime_put(z->dev);
  return 0;
}

// ---- PM03, PM04: threaded interrupt handlers ------------------------------------------------------------------------

struct orb {
  struct device *dev;
  int irq;
};
void orb_service(struct orb *o);
int orb_status(struct orb *o);

static irqreturn_t PM03_irq_none_on_failed_get(int irq, void *data) {  // expect-in-function: linux-count-left|linux-failure-keeps
  struct orb *o = data;
  if (pm_runtime_get_sync(o->dev) < 0) return IRQ_NONE;
  orb_service(o);
  pm_runtime_put(o->dev);
  return IRQ_HANDLED;
}

static irqreturn_t PM03_ok_handler(int irq, void *data) {
  struct orb *o = data;
  if (pm_runtime_get_sync(o->dev) < 0) {
    pm_runtime_put_noidle(o->dev);
    return IRQ_NONE;
  }
  orb_service(o);
  pm_runtime_put(o->dev);
  return IRQ_HANDLED;
}

static irqreturn_t PM04_irq_none_twice(int irq, void *data) {  // expect-in-function: linux-path-pair|linux-count-left
  struct orb *o = data;
  if (pm_runtime_get_sync(o->dev) < 0) return IRQ_NONE;
  if (orb_status(o) == 0) {
    pm_runtime_put(o->dev);
    return IRQ_NONE;
  }
  orb_service(o);
  pm_runtime_put(o->dev);
  return IRQ_HANDLED;
}

static irqreturn_t PM04_ok_irq_none_twice(int irq, void *data) {
  struct orb *o = data;
  irqreturn_t ret = IRQ_NONE;
  if (pm_runtime_get_sync(o->dev) < 0) goto out;
  if (orb_status(o) == 0) goto out;
  orb_service(o);
  ret = IRQ_HANDLED;
out:
  pm_runtime_put(o->dev);
  return ret;
}

int orb_setup(struct orb *o, int which) {
  switch (which) {
    case 0: return request_threaded_irq(o->irq, NULL, PM03_irq_none_on_failed_get, 0, "orb", o);
    case 1: return request_threaded_irq(o->irq, NULL, PM03_ok_handler, 0, "orb", o);
    case 2: return request_irq(o->irq, PM04_irq_none_twice, 0, "orb", o);
    default: return request_irq(o->irq, PM04_ok_irq_none_twice, 0, "orb", o);
  }
}

// ---- PM05 to PM07: functions without a result -----------------------------------------------------------------------

struct quill {
  struct device *dev;
};
void quill_flush(struct quill *q);

void PM05_void_leaves_early(struct quill *q) {  // expect-in-function: linux-path-pair
  if (pm_runtime_get_sync(q->dev) < 0) return;
  quill_flush(q);
  pm_runtime_put(q->dev);
}

void PM05_ok_void(struct quill *q) {
  if (pm_runtime_get_sync(q->dev) < 0) goto out;
  quill_flush(q);
out:
  pm_runtime_put(q->dev);
}

struct fig {
  struct device *dev;
  struct clk *clk;
};
struct fig_ops {
  void (*on)(struct fig *f);
  void (*off)(struct fig *f);
};
void fig_start(struct fig *f);
void fig_stop(struct fig *f);

static void PM06_fig_on(struct fig *f) {
  if (pm_runtime_get_sync(f->dev) < 0) return;
  fig_start(f);
}

static void PM06_fig_off(struct fig *f) {
  fig_stop(f);
  pm_runtime_put(f->dev);
}

const struct fig_ops fig_ops_keeping = {.on = PM06_fig_on, .off = PM06_fig_off};

static void FN_PM07_fig_on(struct fig *f) {  // expect-not-yet: linux-path-pair -- told as a pair by state, on request: no result, and the two ways share no get
  if (clk_prepare_enable(f->clk)) return;
  pm_runtime_get_sync(f->dev);
}

static void PM07_ok_fig_off(struct fig *f) {
  pm_runtime_put(f->dev);
  clk_disable_unprepare(f->clk);
}

const struct fig_ops fig_ops_clocked = {.on = FN_PM07_fig_on, .off = PM07_ok_fig_off};

// ---- PM08 to PM12: how errors of the get are handled ----------------------------------------------------------------

int PM08_put_in_error_branch(struct device *d, struct zed *z) {
  int ret = pm_runtime_get_sync(d);
  if (ret < 0) {
    pm_runtime_put_noidle(d);
    return ret;
  }
  ret = zed_work(z);
  pm_runtime_put(d);
  return ret;
}

int PM08_put_sync_in_error_branch(struct device *d, struct zed *z) {
  int ret = pm_runtime_get_sync(d);
  if (ret < 0) {
    pm_runtime_put_sync(d);
    return ret;
  }
  ret = zed_work(z);
  pm_runtime_put_autosuspend(d);
  return ret;
}

int PM09_error_goes_to_put(struct device *d, struct zed *z) {
  int ret = pm_runtime_get_sync(d);
  if (ret < 0) goto out;
  ret = zed_work(z);
out:
  pm_runtime_put_autosuspend(d);
  return ret;
}

int PM10_resume_and_get_error_put(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair|linux-over-release
  int ret = pm_runtime_resume_and_get(d);
  if (ret < 0) goto out;
  ret = zed_work(z);
out:
  pm_runtime_put_autosuspend(d);
  return ret;
}

int PM10_ok_resume_and_get(struct device *d, struct zed *z) {
  int ret = pm_runtime_resume_and_get(d);
  if (ret < 0) goto out;
  ret = zed_work(z);
  pm_runtime_put_autosuspend(d);
out:
  return ret;
}

int PM11_tolerated_error(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair|linux-over-release
  int ret = pm_runtime_resume_and_get(d);
  if (ret < 0 && ret != -EACCES) return ret;
  zed_poke(z);
  pm_runtime_put_autosuspend(d);
  return 0;
}

int PM11_ok_all_errors(struct device *d, struct zed *z) {
  int ret = pm_runtime_resume_and_get(d);
  if (ret < 0) return ret;
  zed_poke(z);
  pm_runtime_put_autosuspend(d);
  return 0;
}

int PM12_tolerated_error_counts(struct device *d, struct zed *z) {
  int ret = pm_runtime_get_sync(d);
  if (ret < 0 && ret != -EACCES) {
    pm_runtime_put_noidle(d);
    return ret;
  }
  zed_poke(z);
  pm_runtime_put_autosuspend(d);
  return 0;
}

// ---- PM13: 1 says "was active", not failure -------------------------------------------------------------------------

int PM13_one_is_failure(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_get_sync(d);
  if (ret) {
    dev_err(d, "no power\n");
    return ret;
  }
  ret = zed_work(z);
  pm_runtime_put(d);
  return ret;
}

int PM13_ok_put_for_all_non_zero(struct device *d, struct zed *z) {
  int ret = pm_runtime_get_sync(d);
  if (ret < 0) {
    dev_err(d, "no power\n");
    pm_runtime_put_noidle(d);
    return ret;
  }
  ret = zed_work(z);
  pm_runtime_put(d);
  return ret;
}

// ---- PM14 to PM16: wrappers -----------------------------------------------------------------------------------------

struct gpio_chip {
  struct device *parent;
  int (*request)(struct gpio_chip *c, unsigned int offset);
  void (*free)(struct gpio_chip *c, unsigned int offset);
};

static int PM14_request_as_it_is(struct gpio_chip *c, unsigned int offset) {  // expect-in-function: linux-failure-keeps|linux-count-left
  return pm_runtime_get_sync(c->parent);
}

static int PM14_ok_request(struct gpio_chip *c, unsigned int offset) { return pm_runtime_resume_and_get(c->parent); }

static void PM14_ok_free(struct gpio_chip *c, unsigned int offset) { pm_runtime_put(c->parent); }

const struct gpio_chip gpio_as_it_is = {.request = PM14_request_as_it_is, .free = PM14_ok_free};
const struct gpio_chip gpio_resuming = {.request = PM14_ok_request, .free = PM14_ok_free};

// The wrapper may be named, too; its caller must be.
static int PM15_wrapper_keeps(struct zed *z) {  // maybe-in-function: linux-failure-keeps
  int r = pm_runtime_get_sync(z->dev);
  return r < 0 ? r : 0;
}

int PM15_caller_returns_at_once(struct zed *z) {  // expect-in-function: linux-path-pair
  int r = PM15_wrapper_keeps(z);
  if (r) return r;
  r = zed_work(z);
  pm_runtime_put(z->dev);
  return r;
}

int PM15_ok_caller_puts(struct zed *z) {
  int r = PM15_wrapper_keeps(z);
  if (r) goto out;
  r = zed_work(z);
out:
  pm_runtime_put(z->dev);
  return r;
}

static int PM16_wrapper_normalises(struct zed *z) {
  int r = pm_runtime_get_sync(z->dev);
  if (r < 0) pm_runtime_put_noidle(z->dev);
  return r < 0 ? r : 0;
}

int PM16_caller(struct zed *z) {
  int r = PM16_wrapper_normalises(z);
  if (r) return r;
  r = zed_work(z);
  pm_runtime_put(z->dev);
  return r;
}

int PM16_bad_caller(struct zed *z) {  // expect-in-function: linux-path-pair
  int r = PM16_wrapper_normalises(z);
  if (r) return r;
  r = zed_work(z);
  if (r) return r;
  pm_runtime_put(z->dev);
  return 0;
}

// ---- PM17 to PM20: the result is ignored or merely logged -----------------------------------------------------------

int PM17_result_ignored(struct zed *z) {
  int v;
  pm_runtime_get_sync(z->dev);
  v = zed_read(z);
  pm_runtime_put(z->dev);
  return v;
}

int PM18_later_error_skips_put(struct zed *z) {  // expect-in-function: linux-path-pair
  int r;
  pm_runtime_get_sync(z->dev);
  r = zed_alloc_slot(z);
  if (r) return r;
  r = zed_send(z);
  pm_runtime_put(z->dev);
  return r;
}

int PM18_ok_later_error_puts(struct zed *z) {
  int r;
  pm_runtime_get_sync(z->dev);
  r = zed_alloc_slot(z);
  if (r) goto out;
  r = zed_send(z);
out:
  pm_runtime_put(z->dev);
  return r;
}

void PM19_logged_and_carried_on(struct device *d, struct zed *z) {
  int r = pm_runtime_get_sync(d);
  if (r < 0)
    dev_warn(d, "resume failed\n");
  else
    zed_hw_off(z);
  pm_runtime_put_sync(d);
  pm_runtime_disable(d);
}

// The result decides over the clock only, which runs while the device is active.
void PM20_success_decides_other_object(struct device *d, struct zed *z) {
  int r = pm_runtime_get_sync(d);
  pm_runtime_disable(d);
  pm_runtime_put_noidle(d);
  if (r >= 0) clk_disable_unprepare(z->clk);
}

// ---- PM21 to PM27: probe and remove ---------------------------------------------------------------------------------

int PM21_disable_is_no_put(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair
  if (zed_status(z) < 0) return -EIO;
  pm_runtime_enable(d);
  if (pm_runtime_get_sync(d) < 0) {
    pm_runtime_disable(d);
    return -EIO;
  }
  pm_runtime_put(d);
  return 0;
}

int PM21_ok_put_and_disable(struct device *d, struct zed *z) {
  if (zed_status(z) < 0) return -EIO;
  pm_runtime_enable(d);
  if (pm_runtime_get_sync(d) < 0) {
    pm_runtime_put_noidle(d);
    pm_runtime_disable(d);
    return -EIO;
  }
  pm_runtime_put(d);
  return 0;
}

static int PM22_ok_probe(struct platform_device *p) {
  pm_runtime_enable(&p->dev);
  return 0;
}

static void PM22_remove_leaves_one(struct platform_device *p) {  // expect-in-function: linux-count-left
  pm_runtime_get_sync(&p->dev);
  zed_hw_off(platform_get_drvdata(p));
  pm_runtime_disable(&p->dev);
}

static void PM22_ok_remove(struct platform_device *p) {
  pm_runtime_get_sync(&p->dev);
  zed_hw_off(platform_get_drvdata(p));
  pm_runtime_disable(&p->dev);
  pm_runtime_put_noidle(&p->dev);
}

struct platform_driver driver_leaving = {.probe = PM22_ok_probe, .remove = PM22_remove_leaves_one};
struct platform_driver driver_balanced = {.probe = PM22_ok_probe, .remove = PM22_ok_remove};

static int PM23_probe_keeps(struct platform_device *p) {
  pm_runtime_get_noresume(&p->dev);
  return 0;
}

static void PM23_remove_drops(struct platform_device *p) { pm_runtime_put_noidle(&p->dev); }

struct platform_driver driver_keeping = {.probe = PM23_probe_keeps, .remove = PM23_remove_drops};

struct nic {
  struct pci_dev *pdev;
};
int nic_register(struct nic *n);
int nic_map(struct pci_dev *p);
void nic_unregister(struct nic *n);

// The bus holds a count over probe and remove; the driver gives it back in between.
static int PM24_pci_probe(struct pci_dev *p, const struct pci_device_id *id) {
  int r = pci_enable_device(p);
  if (r) return r;
  r = nic_map(p);
  if (r) return r;
  pm_runtime_put_noidle(&p->dev);
  return 0;
}

static void PM24_pci_remove(struct pci_dev *p) {
  pm_runtime_get_noresume(&p->dev);
  nic_unregister(dev_get_drvdata(&p->dev));
}

struct pci_driver pci_giving_back = {.probe = PM24_pci_probe, .remove = PM24_pci_remove};

static int PM25_pci_probe_drops_then_fails(struct pci_dev *p, const struct pci_device_id *id) {  // expect-in-function: linux-path-pair|linux-over-release
  struct nic *n = dev_get_drvdata(&p->dev);
  int r = pci_enable_device(p);
  if (r) return r;
  pm_runtime_put_noidle(&p->dev);
  r = nic_register(n);
  if (r) goto err;
  return 0;
err:
  return r;
}

static int PM25_ok_pci_probe(struct pci_dev *p, const struct pci_device_id *id) {
  struct nic *n = dev_get_drvdata(&p->dev);
  int r = pci_enable_device(p);
  if (r) return r;
  pm_runtime_put_noidle(&p->dev);
  r = nic_register(n);
  if (r) goto err;
  return 0;
err:
  pm_runtime_get_noresume(&p->dev);
  return r;
}

struct pci_driver pci_dropping = {.probe = PM25_pci_probe_drops_then_fails, .remove = PM24_pci_remove};
struct pci_driver pci_dropping_ok = {.probe = PM25_ok_pci_probe, .remove = PM24_pci_remove};

int PM26_noresume_set_active_enable(struct device *d, struct zed *z) {
  int r;
  pm_runtime_get_noresume(d);
  pm_runtime_set_active(d);
  pm_runtime_enable(d);
  r = zed_work(z);
  if (r) {
    pm_runtime_disable(d);
    pm_runtime_put_noidle(d);
    return r;
  }
  pm_runtime_put_autosuspend(d);
  return 0;
}

int PM27_label_without_put(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair
  int r = zed_alloc_slot(z);
  if (r) return r;
  pm_runtime_enable(d);
  pm_runtime_get_noresume(d);
  r = zed_work(z);
  if (r) goto off;
  pm_runtime_put(d);
  return 0;
off:
  pm_runtime_disable(d);
  return r;
}

int PM27_ok_label_with_put(struct device *d, struct zed *z) {
  int r = zed_alloc_slot(z);
  if (r) return r;
  pm_runtime_enable(d);
  pm_runtime_get_noresume(d);
  r = zed_work(z);
  if (r) goto off;
  pm_runtime_put(d);
  return 0;
off:
  pm_runtime_put_noidle(d);
  pm_runtime_disable(d);
  return r;
}

// ---- PM28 to PM31 ---------------------------------------------------------------------------------------------------

int PM28_ok_only_positive(struct device *d, struct zed *z) {
  int r;
  if (pm_runtime_get_if_in_use(d) <= 0) return 0;
  r = zed_send(z);
  pm_runtime_put(d);
  return r;
}

// The put has happened, whatever it says.
int PM29_result_of_put(struct device *d) {
  int r;
  pm_runtime_get_noresume(d);
  r = pm_runtime_put_sync(d);
  if (r < 0) return dev_err_probe(d, r, "idle failed\n");
  return 0;
}

void PM30_forbid(struct device *d) {  // maybe-in-function: linux-path-pair, linux-count-left
  pm_runtime_forbid(d);
}

void PM30_allow(struct device *d) {  // maybe-in-function: linux-path-pair, linux-count-left
  pm_runtime_allow(d);
}

void PM31_negative_delay(struct device *d) {  // maybe-in-function: linux-path-pair, linux-count-left
  pm_runtime_use_autosuspend(d);
  pm_runtime_set_autosuspend_delay(d, -1);
}

// ---- PM32, PM33: puts and gets in unusual places --------------------------------------------------------------------

int PM32_drop_and_retake(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair|linux-over-release
  int r;
  pm_runtime_put_sync(d);
  r = zed_work(z);
  if (r) return r;
  r = pm_runtime_get_sync(d);
  return r;
}

int PM32_ok_drop_and_retake(struct device *d, struct zed *z) {
  int r, r2;
  pm_runtime_put_sync(d);
  r = zed_work(z);
  r2 = pm_runtime_get_sync(d);
  return r ? r : r2;
}

int PM33_get_in_error_ladder(struct device *d, struct zed *z) {  // expect-in-function: linux-path-pair
  int r = zed_alloc_slot(z);
  if (r) goto fail_clk;
  r = zed_work(z);
  if (r) goto fail_init;
  return 0;
fail_init:
  if (pm_runtime_get_sync(d) >= 0) zed_hw_off(z);
fail_clk:
  return r;
}

int PM33_ok_get_in_error_ladder(struct device *d, struct zed *z) {
  int r = zed_alloc_slot(z);
  if (r) goto fail_clk;
  r = zed_work(z);
  if (r) goto fail_init;
  return 0;
fail_init:
  if (pm_runtime_get_sync(d) >= 0) zed_hw_off(z);
  pm_runtime_put_noidle(d);
fail_clk:
  return r;
}

// ---- PM34: a nesting counter of the driver's own --------------------------------------------------------------------

static int PM34_open_counter_rolled_back(struct inode *i, struct file *f) {  // expect-in-function: linux-failure-keeps|linux-count-left|linux-path-pair
  struct zed *z = f->private_data;
  int r;
  if (z->users++ == 0) {
    r = pm_runtime_get_sync(z->dev);
    if (r < 0) {
      z->users--;
      return r;
    }
  }
  return 0;
}

static int PM34_ok_open(struct inode *i, struct file *f) {
  struct zed *z = f->private_data;
  int r;
  if (z->users++ == 0) {
    r = pm_runtime_get_sync(z->dev);
    if (r < 0) {
      pm_runtime_put_noidle(z->dev);
      z->users--;
      return r;
    }
  }
  return 0;
}

static int PM34_ok_release(struct inode *i, struct file *f) {
  struct zed *z = f->private_data;
  if (--z->users == 0) pm_runtime_put(z->dev);
  return 0;
}

const struct file_operations zed_fops_bad = {.open = PM34_open_counter_rolled_back, .release = PM34_ok_release};
const struct file_operations zed_fops_ok = {.open = PM34_ok_open, .release = PM34_ok_release};

// ---- PM35 to PM37: an argument says which way -----------------------------------------------------------------------

struct imu {
  struct device *dev;
};
int imu_boot(struct imu *i);

int PM35_on_off(struct imu *i, bool on) {
  int r = on ? pm_runtime_get_sync(i->dev) : pm_runtime_put_autosuspend(i->dev);
  if (r < 0 && on) pm_runtime_put_noidle(i->dev);
  return r < 0 ? r : 0;
}

int PM36_failing_on_keeps(struct imu *i, bool on) {  // expect-in-function: linux-path-pair
  int r;
  if (on) {
    r = pm_runtime_get_sync(i->dev);
    if (r < 0) return r;
    r = imu_boot(i);
    if (r) {
      pm_runtime_put(i->dev);
      return r;
    }
  } else {
    pm_runtime_put(i->dev);
  }
  return 0;
}

int PM36_ok_failing_on_puts(struct imu *i, bool on) {
  int r;
  if (on) {
    r = pm_runtime_get_sync(i->dev);
    if (r < 0) goto undo;
    r = imu_boot(i);
    if (r < 0) goto undo;
  } else {
    pm_runtime_put(i->dev);
  }
  return 0;
undo:
  pm_runtime_put_noidle(i->dev);
  return r;
}

enum power_state { ST_ON, ST_OFF };

void PM37_switch_on_state(struct device *d, enum power_state state) {
  switch (state) {
    case ST_OFF: pm_runtime_put_autosuspend(d); break;
    default: pm_runtime_get_sync(d); break;
  }
}

// ---- PM38 to PM42: the same condition twice, and counts that follow a flag ------------------------------------------

bool is_poll_thread(void);
int probe_edid(struct zed *z);

int PM38_predicate_twice(struct device *d, struct zed *z) {
  int r;
  if (!is_poll_thread()) pm_runtime_get_sync(d);
  r = probe_edid(z);
  if (!is_poll_thread()) pm_runtime_put_autosuspend(d);
  return r;
}

struct hub {
  struct device *parent;
  bool auto_pm;
  unsigned long in_use[2];
};
void hub_pump(struct hub *h);
bool hub_idle(struct hub *h);

void PM39_field_twice(struct hub *h, bool was_busy) {
  if (!was_busy && h->auto_pm) pm_runtime_get_sync(h->parent);
  hub_pump(h);
  if (!was_busy && h->auto_pm) pm_runtime_put(h->parent);
}

// A field tells callers which of the two it was.
void PM39_ok_other_condition(struct hub *h, bool was_busy) {
  if (!was_busy) pm_runtime_get_sync(h->parent);
  hub_pump(h);
  if (!was_busy && h->auto_pm) pm_runtime_put(h->parent);
}

void PM39_bad_hidden_condition(struct hub *h, bool was_busy) {  // expect-in-function: linux-path-pair
  if (!was_busy && h->auto_pm) pm_runtime_get_sync(h->parent);
  if (!was_busy && h->auto_pm && hub_idle(h)) pm_runtime_put(h->parent);
}

struct lamp {
  struct device *dev;
  bool owns_pm;
};
int lamp_set(struct lamp *l, bool lit);

int PM40_parked_in_flag(struct lamp *l, struct device *d, bool lit) {
  int r;
  pm_runtime_get_sync(d);
  r = lamp_set(l, lit);
  if (lit != l->owns_pm) {
    l->owns_pm = lit;
    if (lit) return r;
    pm_runtime_put(d);
  }
  pm_runtime_put(d);
  return r;
}

void PM41_bit_guards_get(struct hub *h, int port, struct device *d) {
  if (!test_and_set_bit(port, h->in_use)) pm_runtime_get_sync(d);
}

void PM41_bit_guards_put(struct hub *h, int port, struct device *d) {
  if (test_and_clear_bit(port, h->in_use)) pm_runtime_put(d);
}

void PM42_quirk_bit(struct zed *z) {
  if (z->caps & CAP_RPM) pm_runtime_get_sync(z->dev);
  zed_poke(z);
  if (z->caps & CAP_RPM) pm_runtime_put(z->dev);
}

void PM42_bad_hidden_bit(struct zed *z) {  // expect-in-function: linux-path-pair
  if (z->caps & CAP_RPM) pm_runtime_get_sync(z->dev);
  if (z->caps & CAP_RPM && zed_status(z) & BIT(4)) pm_runtime_put(z->dev);
}

// ---- PM43 to PM46 ---------------------------------------------------------------------------------------------------

struct job {
  struct device *dev;
  struct work_struct done;
};
void ring_write(struct job *j);

void PM43_owned_by_request(struct job *j) {
  pm_runtime_get_noresume(j->dev);
  ring_write(j);
}

void PM43_request_done(struct work_struct *w) {
  struct job *j = container_of(w, struct job, done);
  pm_runtime_put_autosuspend(j->dev);
}

static void PM44_tx_finish(struct zed *z) { pm_runtime_put(z->dev); }

int PM44_helper_behind_label(struct zed *z, struct sk_buff *skb) {
  int r = pm_runtime_get_sync(z->dev);
  if (r < 0) goto fail;
  r = zed_send(z);
  if (r) goto fail;
  PM44_tx_finish(z);
  return 0;
fail:
  PM44_tx_finish(z);
  return r;
}

struct pll {
  struct device *dev;
};
int pll_lock(struct pll *p);
int pll_supply(struct pll *p);

// The wrapper may be named, too; its caller must be.
static int PM45_pll_on(struct pll *p) {  // maybe-in-function: linux-failure-keeps
  pm_runtime_get_sync(p->dev);
  return pll_lock(p);
}

int PM45_caller_unwinds_before(struct pll *p) {  // expect-in-function: linux-path-pair
  int r = pll_supply(p);
  if (r < 0) return r;
  r = PM45_pll_on(p);
  if (r < 0) return r;
  return 0;
}

static int PM45_ok_pll_on(struct pll *p) {
  int r;
  pm_runtime_get_sync(p->dev);
  r = pll_lock(p);
  if (r < 0) pm_runtime_put(p->dev);
  return r;
}

int PM45_ok_caller(struct pll *p) {
  int r = pll_supply(p);
  if (r < 0) return r;
  r = PM45_ok_pll_on(p);
  if (r < 0) return r;
  return 0;
}

int PM46_flag_and_count_drift(struct device *d, struct zed *z, bool want) {  // expect-in-function: linux-failure-keeps|linux-path-pair|linux-count-left
  int r = 0;
  if (want) {
    pm_runtime_get_sync(d);
    r = zed_work(z);
    if (!r) z->running = true;
  } else {
    z->running = false;
    pm_runtime_put(d);
  }
  return r;
}

int PM46_ok_flag_and_count(struct device *d, struct zed *z, bool want) {
  int r = 0;
  if (want) {
    pm_runtime_get_sync(d);
    r = zed_work(z);
    if (!r)
      z->running = true;
    else
      pm_runtime_put(d);
  } else {
    z->running = false;
    pm_runtime_put(d);
  }
  return r;
}

// ---- UA01 to UA03: USB ----------------------------------------------------------------------------------------------

struct cam {
  struct usb_interface *intf[4];
  int n;
};
int cam_shoot(struct cam *c);

int UA01_callee_fails_before_put(struct usb_interface *i, struct cam *c) {  // expect-in-function: linux-path-pair
  int r;
  if ((r = usb_autopm_get_interface(i))) return r;
  if ((r = cam_shoot(c))) return r;
  usb_autopm_put_interface(i);
  return 0;
}

int UA01_ok_callee_fails(struct usb_interface *i, struct cam *c) {
  int r;
  if ((r = usb_autopm_get_interface(i))) return r;
  r = cam_shoot(c);
  usb_autopm_put_interface(i);
  return r;
}

int UA02_async_for_urb(struct usb_interface *i, struct urb *u) {
  int r = usb_autopm_get_interface_async(i);
  if (r) return r;
  r = usb_submit_urb(u, GFP_ATOMIC);
  if (r) {
    usb_autopm_put_interface_async(i);
    return r;
  }
  return 0;
}

int UA03_loop_with_unwind(struct cam *c) {
  int k, r;
  for (k = 0; k < c->n; k++) {
    r = usb_autopm_get_interface(c->intf[k]);
    if (r < 0) {
      while (--k >= 0) usb_autopm_put_interface(c->intf[k]);
      return r;
    }
  }
  return 0;
}
