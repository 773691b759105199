// PCI devices (PC01 to PC05), clocks (CK01 to CK14).
#include "mock.h"

#define CLS 0x0300u
#define VENDOR 0x8086u
#define DEVICE 0x4108u
bool pci_is_ours(struct pci_dev *p);
bool pci_is_external(struct pci_dev *p);

int PC01_get_next_left_by_return(void) {  // expect-in-function: linux-leak
  struct pci_dev *p = NULL;
  while ((p = pci_get_class(CLS, p))) {
    if (pci_enable_device(p)) return -EIO;
  }
  return 0;
}

int PC01_ok_put_before_return(void) {
  struct pci_dev *p = NULL;
  while ((p = pci_get_class(CLS, p))) {
    if (pci_enable_device(p)) {
      pci_dev_put(p);
      return -EIO;
    }
  }
  return 0;
}

bool PC02_break_and_put(void) {
  struct pci_dev *p = NULL;
  bool found;
  for_each_pci_dev(p)
    if (pci_is_ours(p)) break;
  found = p != NULL;
  pci_dev_put(p);
  return found;
}

bool PC03_flag_returned(void) {  // expect-in-function: linux-leak
  struct pci_dev *p = NULL;
  for_each_pci_dev(p)
    if (pci_is_external(p)) return true;
  return false;
}

bool PC03_ok_flag_returned(void) {
  struct pci_dev *p = NULL;
  for_each_pci_dev(p)
    if (pci_is_external(p)) {
      pci_dev_put(p);
      return true;
    }
  return false;
}

struct gfx {
  struct pci_dev *gpu;
};

int PC04_same_code(struct gfx *g) {  // expect-in-function: linux-path-pair|linux-leak|linux-failure-keeps
  g->gpu = pci_get_device(VENDOR, DEVICE, NULL);
  if (!g->gpu) return -ENODEV;
  if (pci_enable_device(g->gpu)) return -ENODEV;
  return 0;
}

int PC04_ok_same_code(struct gfx *g) {
  g->gpu = pci_get_device(VENDOR, DEVICE, NULL);
  if (!g->gpu) return -ENODEV;
  if (pci_enable_device(g->gpu)) {
    pci_dev_put(g->gpu);
    g->gpu = NULL;
    return -ENODEV;
  }
  return 0;
}

struct dma_param {
  struct device *dma_dev;
};
int dma_request(struct dma_param *par);

int PC05_sibling_borrowed(struct pci_bus *bus, unsigned int s) {  // expect-in-function: linux-leak
  struct dma_param par;
  struct pci_dev *p = pci_get_slot(bus, PCI_DEVFN(s, 0));
  if (!p) return -ENODEV;
  par.dma_dev = &p->dev;
  return dma_request(&par);
}

int PC05_ok_sibling_put(struct pci_bus *bus, unsigned int s) {
  struct dma_param par;
  struct pci_dev *p = pci_get_slot(bus, PCI_DEVFN(s, 0));
  int r;
  if (!p) return -ENODEV;
  par.dma_dev = &p->dev;
  r = dma_request(&par);
  pci_dev_put(p);
  return r;
}

// ---- clocks: prepare and enable are two counts, so a pair shows up in both ------------------------------------------

struct zeta {
  struct device *dev;
  struct clk *bus, *ref, *clk, *opt, *main, *susp;
  struct regmap *map;
  struct clk_bulk_data clks[3];
};
int zeta_hw_init(struct zeta *z);
int zeta_boot(struct zeta *z);
bool may_wake(struct device *d);

int CK01_first_stays_on(struct zeta *z) {  // expect-in-function: linux-path-pair; maybe-in-function: linux-path-pair
  int r = clk_prepare_enable(z->bus);
  if (r) return r;
  r = clk_prepare_enable(z->ref);
  if (r) return r;
  return 0;
}

int CK01_ok_first_off(struct zeta *z) {
  int r = clk_prepare_enable(z->bus);
  if (r) return r;
  r = clk_prepare_enable(z->ref);
  if (r) {
    clk_disable_unprepare(z->bus);
    return r;
  }
  return 0;
}

struct tick {
  struct clk *clk;
  int irq;
};
static irqreturn_t tick_irq(int irq, void *data) { return IRQ_HANDLED; }

int CK02_label_too_low(struct tick *t) {  // expect-in-function: linux-path-pair; maybe-in-function: linux-path-pair
  int r = clk_prepare_enable(t->clk);
  if (r) goto free;
  r = request_irq(t->irq, tick_irq, 0, "t", t);
  if (r) goto free;
  return 0;
free:
  kfree(t);
  return r;
}

int CK02_ok_label(struct tick *t) {
  int r = clk_prepare_enable(t->clk);
  if (r) goto free;
  r = request_irq(t->irq, tick_irq, 0, "t", t);
  if (r) goto clk_off;
  return 0;
clk_off:
  clk_disable_unprepare(t->clk);
free:
  kfree(t);
  return r;
}

// The usual form: the driver's own struct is made, and the clock looked up, in the same function.
static int CK02_probe_without_label(struct platform_device *pdev) {  // maybe-in-function: linux-path-pair, linux-failure-keeps, linux-leak; expect-in-function: linux-path-pair|linux-failure-keeps|linux-leak
  struct tick *t = devm_kzalloc(&pdev->dev, sizeof(*t), GFP_KERNEL);
  int r;
  if (!t) return -ENOMEM;
  t->clk = devm_clk_get_optional(&pdev->dev, "tick");
  if (IS_ERR(t->clk)) return PTR_ERR(t->clk);
  r = clk_prepare_enable(t->clk);
  if (r) return r;
  r = request_irq(t->irq, tick_irq, 0, "t", t);
  if (r) return r;
  dev_set_drvdata(&pdev->dev, t);
  return 0;
}

static int CK02_ok_probe(struct platform_device *pdev) {
  struct tick *t = devm_kzalloc(&pdev->dev, sizeof(*t), GFP_KERNEL);
  int r;
  if (!t) return -ENOMEM;
  t->clk = devm_clk_get_optional(&pdev->dev, "tick");
  if (IS_ERR(t->clk)) return PTR_ERR(t->clk);
  r = clk_prepare_enable(t->clk);
  if (r) return r;
  r = request_irq(t->irq, tick_irq, 0, "t", t);
  if (r) {
    clk_disable_unprepare(t->clk);
    return r;
  }
  dev_set_drvdata(&pdev->dev, t);
  return 0;
}

static void CK02_ok_remove(struct platform_device *pdev) {
  struct tick *t = platform_get_drvdata(pdev);
  clk_disable_unprepare(t->clk);
}

struct platform_driver tick_driver = {.probe = CK02_probe_without_label, .remove = CK02_ok_remove};
struct platform_driver tick_driver_ok = {.probe = CK02_ok_probe, .remove = CK02_ok_remove};

int CK03_label_too_high(struct zeta *z, struct clk *a) {  // expect-in-function: linux-path-pair|linux-over-release; maybe-in-function: linux-path-pair, linux-over-release
  int r = clk_prepare_enable(a);
  if (r) goto off_a;
  r = zeta_hw_init(z);
  if (r) goto off_a;
  return 0;
off_a:
  clk_disable_unprepare(a);
  return r;
}

int CK03_ok_label(struct zeta *z, struct clk *a) {
  int r = clk_prepare_enable(a);
  if (r) goto out;
  r = zeta_hw_init(z);
  if (r) goto off_a;
  return 0;
off_a:
  clk_disable_unprepare(a);
out:
  return r;
}

int CK04_conditional_enable(struct zeta *z, struct device *d) {  // expect-in-function: linux-path-pair|linux-over-release; maybe-in-function: linux-path-pair, linux-over-release
  int r;
  if (!may_wake(d)) {
    r = clk_prepare_enable(z->susp);
    if (r) return r;
  }
  r = clk_prepare_enable(z->bus);
  if (r) {
    clk_disable_unprepare(z->susp);
    return r;
  }
  return 0;
}

int CK04_ok_conditional(struct zeta *z, bool wake) {
  int r;
  if (!wake) {
    r = clk_prepare_enable(z->susp);
    if (r) return r;
  }
  r = clk_prepare_enable(z->bus);
  if (r) {
    if (!wake) clk_disable_unprepare(z->susp);
    return r;
  }
  return 0;
}

int CK05_optional_guarded(struct zeta *z) {
  int r = clk_prepare_enable(z->main);
  if (r) return r;
  if (!IS_ERR(z->opt)) {
    r = clk_prepare_enable(z->opt);
    if (r) goto off;
  }
  r = zeta_hw_init(z);
  if (r) goto off_opt;
  return 0;
off_opt:
  if (!IS_ERR(z->opt)) clk_disable_unprepare(z->opt);
off:
  clk_disable_unprepare(z->main);
  return r;
}

int CK06_optional_null(struct zeta *z, struct device *d) {
  int r;
  z->opt = devm_clk_get_optional(d, "opt");
  if (IS_ERR(z->opt)) return PTR_ERR(z->opt);
  r = clk_prepare_enable(z->opt);
  if (r) return r;
  r = zeta_hw_init(z);
  clk_disable_unprepare(z->opt);
  return r;
}

static int CK07_resume(struct device *d) {
  struct zeta *z = dev_get_drvdata(d);
  return clk_prepare_enable(z->clk);
}

static int CK07_suspend(struct device *d) {
  struct zeta *z = dev_get_drvdata(d);
  clk_disable_unprepare(z->clk);
  return 0;
}

const struct dev_pm_ops zeta_pm = {.suspend = CK07_suspend, .resume = CK07_resume};

static int CK08_resume_tail_fails(struct device *d) {  // expect-in-function: linux-path-pair; maybe-in-function: linux-path-pair
  struct zeta *z = dev_get_drvdata(d);
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  return zeta_hw_init(z);
}

static int CK08_ok_resume(struct device *d) {
  struct zeta *z = dev_get_drvdata(d);
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  r = zeta_hw_init(z);
  if (r) clk_disable_unprepare(z->clk);
  return r;
}

const struct dev_pm_ops zeta_pm_tail = {.suspend = CK07_suspend, .resume = CK08_resume_tail_fails};
const struct dev_pm_ops zeta_pm_tail_ok = {.suspend = CK07_suspend, .resume = CK08_ok_resume};

static int CK09_sync_ignored(struct device *d) {
  struct zeta *z = dev_get_drvdata(d);
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  regcache_sync(z->map);
  return 0;
}

const struct dev_pm_ops zeta_pm_sync = {.runtime_suspend = CK07_suspend, .runtime_resume = CK09_sync_ignored};

// The failed prepare is ignored, too.
static int CK10_unchecked_prepare(struct device *d) {  // expect-in-function: linux-path-pair|linux-failure-keeps|linux-count-left
  struct zeta *z = dev_get_drvdata(d);
  int r;
  clk_prepare(z->clk);
  r = clk_enable(z->clk);
  if (r) return r;
  return 0;
}

static int CK10_ok_checked(struct device *d) {
  struct zeta *z = dev_get_drvdata(d);
  int r = clk_prepare(z->clk);
  if (r) return r;
  r = clk_enable(z->clk);
  if (r) {
    clk_unprepare(z->clk);
    return r;
  }
  return 0;
}

const struct dev_pm_ops zeta_pm_prepare = {.suspend = CK07_suspend, .resume = CK10_unchecked_prepare};
const struct dev_pm_ops zeta_pm_prepare_ok = {.suspend = CK07_suspend, .resume = CK10_ok_checked};

int CK11_bulk_on(struct zeta *z) {
  int r = clk_bulk_prepare_enable(3, z->clks);
  if (r) return r;
  r = zeta_hw_init(z);
  if (r) {
    clk_bulk_disable_unprepare(3, z->clks);
    return r;
  }
  return 0;
}

void CK11_bulk_off(struct zeta *z) { clk_bulk_disable_unprepare(3, z->clks); }

int CK12_loop_with_unwind(struct clk **c, int n) {
  int i, r;
  for (i = 0; i < n; i++) {
    r = clk_prepare_enable(c[i]);
    if (r) goto undo;
  }
  return 0;
undo:
  while (--i >= 0) clk_disable_unprepare(c[i]);
  return r;
}

int CK12_loop_with_other_unwind(struct clk **c, int n) {
  int i, j, r;
  for (i = 0; i < n; i++) {
    r = clk_prepare_enable(c[i]);
    if (r) {
      for (j = 0; j < i; j++) clk_disable_unprepare(c[j]);
      return r;
    }
  }
  return 0;
}

int FN_CK13_unwind_off_by_one(struct clk **c, int n) {  // expect-not-yet: linux-path-pair|linux-over-release|linux-failure-keeps -- counts of elements that a loop has passed are let go
  int i, r;
  for (i = 0; i < n; i++) {
    r = clk_prepare_enable(c[i]);
    if (r) goto undo;
  }
  return 0;
undo:
  for (; i > 0; i--) clk_disable_unprepare(c[i]);
  return r;
}

static void CK14_stop(struct zeta *z) { clk_disable_unprepare(z->clk); }

int CK14_stop_helper(struct zeta *z) {
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  r = zeta_boot(z);
  if (r) {
    CK14_stop(z);
    return r;
  }
  return 0;
}

// The bus lends its own count, not that of a clock in memory which the function has just made.
struct board {
  struct clk *clk;
};
int board_setup(struct pci_dev *pdev, struct board *b);
int board_start(struct board *b);
static int lent_ok_probe(struct pci_dev *pdev, const struct pci_device_id *id) {
  struct board *b = devm_kzalloc(&pdev->dev, sizeof(*b), GFP_KERNEL);
  int ret;
  if (!b) return -ENOMEM;
  ret = board_setup(pdev, b);
  if (ret) return ret;
  ret = board_start(b);
  if (ret < 0) {
    clk_disable_unprepare(b->clk);
    return ret;
  }
  return 0;
}
struct pci_driver lent_ok = {.probe = lent_ok_probe};
