// struct device, kobject, kref, modules: DV01 to DV14, KR01 to KR18.
// flags: --checks=* --checks=-linux-noreturn
#include "mock.h"

struct knob {
  void *ctl;
  void *core;
};

// ---- DV01 to DV05: lookups ------------------------------------------------------------------------------------------

int DV01_find_never_dropped(struct knob *k, struct device_node *np) {  // expect-in-function: linux-leak
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return -EPROBE_DEFER;
  k->ctl = platform_get_drvdata(pd);
  return 0;
}

int DV02_find_and_put(struct knob *k, struct device_node *np) {
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return -EPROBE_DEFER;
  k->ctl = platform_get_drvdata(pd);
  put_device(&pd->dev);
  return k->ctl ? 0 : -EPROBE_DEFER;
}

int DV02_find_and_put_container(struct knob *k, struct device_node *np) {
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return -EPROBE_DEFER;
  k->ctl = platform_get_drvdata(pd);
  platform_device_put(pd);
  return k->ctl ? 0 : -EPROBE_DEFER;
}

struct core {
  struct device *dev;
};

// A hidden get: the core keeps it.
static struct core *DV03_core_bind(struct device *dev) {
  struct core *c = kzalloc(sizeof(*c), GFP_KERNEL);
  if (!c) return NULL;
  c->dev = get_device(dev);
  return c;
}

int DV03_two_references(struct knob *k, struct device_node *np) {
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return -EPROBE_DEFER;
  k->core = DV03_core_bind(&pd->dev);
  if (!k->core) {
    put_device(&pd->dev);
    return -ENODEV;
  }
  put_device(&pd->dev);
  return 0;
}

struct ephy {
  struct device dev;
  bool attached;
};
static inline struct ephy *to_ephy(struct device *d) { return container_of(d, struct ephy, dev); }

static int ephy_attach(struct ephy *e) {
  get_device(&e->dev);
  e->attached = true;
  return 0;
}

void DV04_ok_ephy_disconnect(struct ephy *e) {
  e->attached = false;
  put_device(&e->dev);
}

// Whoever gets the result drops one reference, by ephy_disconnect; the one of the search is lost.
struct ephy *DV04_callee_takes_its_own(const struct bus_type *bus, const char *id) {  // expect-in-function: linux-leak
  struct device *d = bus_find_device_by_name(bus, NULL, id);
  int r;
  if (!d) return ERR_PTR(-ENODEV);
  r = ephy_attach(to_ephy(d));
  return r ? ERR_PTR(r) : to_ephy(d);
}

struct ephy *DV04_ok_search_dropped(const struct bus_type *bus, const char *id) {
  struct device *d = bus_find_device_by_name(bus, NULL, id);
  int r;
  if (!d) return ERR_PTR(-ENODEV);
  r = ephy_attach(to_ephy(d));
  put_device(d);
  return r ? ERR_PTR(r) : to_ephy(d);
}

struct zone {
  struct device dev;
  struct kref ref;
};
struct zone *zone_lookup(const char *name);
void zone_unregister(struct zone *z);
static void zone_free(struct kref *ref) { kfree(container_of(ref, struct zone, ref)); }

static struct zone *zone_find_get(const char *name) {
  struct zone *z = zone_lookup(name);
  if (z) kref_get(&z->ref);
  return z;
}

// The registration still holds a reference.
int DV05_dropped_and_used(const char *name) {
  struct zone *z = zone_find_get(name);
  if (!z) return -ENOENT;
  kref_put(&z->ref, zone_free);
  zone_unregister(z);
  return 0;
}

// ---- DV06 to DV10: registration -------------------------------------------------------------------------------------

int zone_start(struct zone *z);
int zone_name_ok(struct zone *z);
static void zone_release(struct device *d) { kfree(container_of(d, struct zone, dev)); }

int DV06_register_fails_kfree(struct zone *z) {  // expect-in-function: linux-leak|linux-failure-keeps|linux-over-release
  int r;
  z->dev.release = zone_release;
  r = device_register(&z->dev);
  if (r) {
    kfree(z);
    return r;
  }
  return 0;
}

int DV07_register_fails_put(struct zone *z) {
  int r;
  z->dev.release = zone_release;
  r = device_register(&z->dev);
  if (r) {
    put_device(&z->dev);
    return r;
  }
  return 0;
}

int DV08_put_then_kfree(struct zone *z) {  // maybe-in-function: linux-use-after-release, linux-over-release, linux-failure-keeps
  device_initialize(&z->dev);
  if (device_add(&z->dev)) {
    put_device(&z->dev);
    kfree(z);
    return -EIO;
  }
  return 0;
}

int DV09_fails_before_initialize(struct zone **out) {
  struct zone *z = kzalloc(sizeof(*z), GFP_KERNEL);
  if (!z) return -ENOMEM;
  if (zone_name_ok(z) < 0) {
    kfree(z);
    return -EINVAL;
  }
  z->dev.release = zone_release;
  device_initialize(&z->dev);
  *out = z;
  return 0;
}

int DV10_put_or_unregister(struct zone *z) {
  int r;
  device_initialize(&z->dev);
  r = device_add(&z->dev);
  if (r) {
    put_device(&z->dev);
    return r;
  }
  r = zone_start(z);
  if (r) {
    device_unregister(&z->dev);
    return r;
  }
  return 0;
}

int DV11_platform_ladder(const int *data) {
  struct platform_device *p = platform_device_alloc("zed", -1);
  int r;
  if (!p) return -ENOMEM;
  r = platform_device_add_data(p, data, sizeof(*data));
  if (!r) r = platform_device_add(p);
  if (r) platform_device_put(p);
  return r;
}

int DV11_bad_platform_ladder(const int *data) {  // expect-in-function: linux-leak
  struct platform_device *p = platform_device_alloc("zed", -1);
  int r;
  if (!p) return -ENOMEM;
  r = platform_device_add_data(p, data, sizeof(*data));
  if (r) return r;
  return platform_device_add(p);
}

// ---- DV12 to DV14 ---------------------------------------------------------------------------------------------------

struct slot {
  struct device *dev;
};
int slot_add_links(struct slot *s);

int DV12_stored_next_step_fails(struct slot *s, struct device *dev) {  // expect-in-function: linux-failure-keeps|linux-leak
  s->dev = get_device(dev);
  return slot_add_links(s);
}

int DV12_ok_stored(struct slot *s, struct device *dev) {
  int r;
  s->dev = get_device(dev);
  r = slot_add_links(s);
  if (r) {
    put_device(dev);
    s->dev = NULL;
  }
  return r;
}

static void DV13_release(struct device *d) {
  put_device(d->parent);
  kfree(container_of(d, struct zone, dev));
}

void DV13_parent_taken(struct zone *z, struct device *par) {
  z->dev.parent = get_device(par);
  z->dev.release = DV13_release;
  device_initialize(&z->dev);
}

int for_each_thing(int (*fn)(struct device *d, void *data), void *data);

static int FN_DV14_keeps_without_taking(struct device *d, void *out) {  // expect-not-yet: linux-borrowed-return|linux-use-after-release -- a borrowed parameter stored through an out pointer is not reported
  *(struct device **)out = d;
  return 1;
}

static int DV14_ok_takes(struct device *d, void *out) {
  *(struct device **)out = get_device(d);
  return 1;
}

struct device *thing_first(int which) {
  struct device *d = NULL;
  for_each_thing(which ? FN_DV14_keeps_without_taking : DV14_ok_takes, &d);
  return d;
}

// ---- KR01 to KR07: init, get, put -----------------------------------------------------------------------------------

struct kite {
  struct kobject ko;
  int n;
};
static void kite_release(struct kobject *ko) { kfree(container_of(ko, struct kite, ko)); }
static const struct kobj_type kite_type = {.release = kite_release};

int KR01_add_fails_kfree(struct kite *k, struct kobject *par, int n) {  // expect-in-function: linux-leak|linux-failure-keeps|linux-over-release
  int r = kobject_init_and_add(&k->ko, &kite_type, par, "k%d", n);
  if (r) kfree(k);
  return r;
}

int KR01_ok_add_fails_put(struct kite *k, struct kobject *par, int n) {
  int r = kobject_init_and_add(&k->ko, &kite_type, par, "k%d", n);
  if (r) kobject_put(&k->ko);
  return r;
}

struct item {
  struct kref ref;
  struct list_head link;
  unsigned long last;
};
struct table {
  spinlock_t lock;
  struct list_head all;
};
struct item *tree_find(struct table *t, int key);
int item_setup(struct item *n);
void item_use(struct item *n);
static void item_free(struct kref *ref) { kfree(container_of(ref, struct item, ref)); }

struct item *KR02_unless_zero(struct table *t, int key) {
  struct item *n;
  spin_lock(&t->lock);
  n = tree_find(t, key);
  if (n && !kref_get_unless_zero(&n->ref)) n = NULL;
  spin_unlock(&t->lock);
  return n;
}

void KR03_result_ignored(struct item *n) {  // expect-in-function: linux-path-pair|linux-over-release
  kref_get_unless_zero(&n->ref);
  item_use(n);
  kref_put(&n->ref, item_free);
}

void KR03_ok_result_tested(struct item *n) {
  if (!kref_get_unless_zero(&n->ref)) return;
  item_use(n);
  kref_put(&n->ref, item_free);
}

int KR04_last_put_tested(struct item *n) {
  if (kref_put(&n->ref, item_free)) return 1;
  n->last = jiffies;
  return 0;
}

struct bare {
  refcount_t ref;
};

void KR05_last_put_by_hand(struct bare *n) {
  if (refcount_dec_and_test(&n->ref)) kfree(n);
}

struct item *KR06_created(void) {
  struct item *n = kzalloc(sizeof(*n), GFP_KERNEL);
  if (!n) return NULL;
  kref_init(&n->ref);
  return n;
}

struct item *KR07_created_setup_fails(void) {
  struct item *n = kzalloc(sizeof(*n), GFP_KERNEL);
  if (!n) return NULL;
  kref_init(&n->ref);
  if (item_setup(n)) {
    kfree(n);
    return NULL;
  }
  return n;
}

// ---- KR08, KR09: lists ----------------------------------------------------------------------------------------------

struct item *KR08_extra_for_list(struct table *t) {
  struct item *n = KR06_created();
  if (!n) return NULL;
  kref_get(&n->ref);
  list_add_tail(&n->link, &t->all);
  return n;
}

struct desc {
  struct list_head link;
  struct device_node *np;
};
int desc_init(struct desc *d);

int KR09_list_freed_holding(void) {  // expect-in-function: linux-leak
  LIST_HEAD(l);
  struct desc *d, *t;
  struct device_node *np;
  int r = 0;
  for_each_compatible_node(np, NULL, "acme,irq") {
    d = kzalloc(sizeof(*d), GFP_KERNEL);
    if (!d) {
      of_node_put(np);
      r = -ENOMEM;
      break;
    }
    d->np = of_node_get(np);
    list_add_tail(&d->link, &l);
  }
  list_for_each_entry_safe(d, t, &l, link) {
    list_del(&d->link);
    kfree(d);
  }
  return r;
}

int KR09_ok_list_freed(void) {
  LIST_HEAD(l);
  struct desc *d, *t;
  struct device_node *np;
  int r = 0;
  for_each_compatible_node(np, NULL, "acme,irq") {
    d = kzalloc(sizeof(*d), GFP_KERNEL);
    if (!d) {
      of_node_put(np);
      r = -ENOMEM;
      break;
    }
    d->np = of_node_get(np);
    list_add_tail(&d->link, &l);
  }
  list_for_each_entry_safe(d, t, &l, link) {
    list_del(&d->link);
    of_node_put(d->np);
    kfree(d);
  }
  return r;
}

// ---- KR10 to KR15: given to somebody who runs later -----------------------------------------------------------------

struct cmd {
  struct kref ref;
  struct work_struct work;
  struct timer_list t;
};
void cmd_run(struct cmd *c);
bool cmd_more(struct cmd *c);
void cmd_retry(struct cmd *c);
int cmd_send(struct cmd *c, void (*done)(void *), void *data);
static void cmd_free(struct kref *ref) { kfree(container_of(ref, struct cmd, ref)); }

static void KR12_work_ends_it(struct work_struct *w) {
  struct cmd *c = container_of(w, struct cmd, work);
  cmd_run(c);
  kref_put(&c->ref, cmd_free);
}

void KR12_start(struct cmd *c) { c->work.func = KR12_work_ends_it; }

void KR10_given_to_work(struct cmd *c) {
  kref_get(&c->ref);
  if (!schedule_work(&c->work)) kref_put(&c->ref, cmd_free);
}

void KR11_work_was_pending(struct cmd *c) {  // expect-in-function: linux-leak|linux-path-pair|linux-count-left
  kref_get(&c->ref);
  schedule_work(&c->work);
}

static void KR13_timer_rearms(struct timer_list *t) {
  struct cmd *c = container_of(t, struct cmd, t);
  if (cmd_more(c)) {
    mod_timer(&c->t, jiffies + 10);
    return;
  }
  kref_put(&c->ref, cmd_free);
}

void KR13_start(struct cmd *c) { c->t.function = KR13_timer_rearms; }

static void cmd_done(void *data) {
  struct cmd *c = data;
  kref_put(&c->ref, cmd_free);
}

void KR14_taken_after_send(struct cmd *c) {  // expect-in-function: linux-use-after-release|linux-state-pair
  if (cmd_send(c, cmd_done, c))
    cmd_retry(c);
  else
    kref_get(&c->ref);
}

void KR15_taken_before_send(struct cmd *c) {
  kref_get(&c->ref);
  if (cmd_send(c, cmd_done, c)) {
    cmd_retry(c);
    kref_put(&c->ref, cmd_free);
  }
}

// ---- KR16 to KR18: modules ------------------------------------------------------------------------------------------

struct adapter {
  struct module *owner;
  struct device dev;
};

struct adapter *KR16_get(struct adapter *a) {
  if (!try_module_get(a->owner)) return NULL;
  get_device(&a->dev);
  return a;
}

void KR16_put(struct adapter *a) {
  module_put(a->owner);
  put_device(&a->dev);
}

struct led_dev {
  struct module *owner;
};

struct led_dev *KR17_module_get_fails(const struct class *cls, const char *id) {  // expect-in-function: linux-leak
  struct device *d = class_find_device_by_name(cls, id);
  struct led_dev *c;
  if (!d) return ERR_PTR(-ENODEV);
  c = dev_get_drvdata(d);
  if (!try_module_get(c->owner)) return ERR_PTR(-ENODEV);
  put_device(d);
  return c;
}

struct led_dev *KR17_ok_module_get_fails(const struct class *cls, const char *id) {
  struct device *d = class_find_device_by_name(cls, id);
  struct led_dev *c;
  if (!d) return ERR_PTR(-ENODEV);
  c = dev_get_drvdata(d);
  put_device(d);
  if (!try_module_get(c->owner)) return ERR_PTR(-ENODEV);
  return c;
}

void adapter_work(struct adapter *a);

void KR18_result_ignored(struct adapter *a) {  // expect-in-function: linux-path-pair|linux-over-release
  try_module_get(a->owner);
  adapter_work(a);
  module_put(a->owner);
}

void KR18_ok_result_tested(struct adapter *a) {
  if (!try_module_get(a->owner)) return;
  adapter_work(a);
  module_put(a->owner);
}

// ---- a device that is gone with the part that counts it ---------------------------------------------------------------------

struct device *parent_after_put(struct device_node *np) {
  struct platform_device *pdev = of_find_device_by_node(np);
  if (!pdev) return NULL;
  put_device(&pdev->dev);
  return pdev->dev.parent;  // expect: linux-use-after-release
}

struct device *parent_before_put(struct device_node *np) {
  struct platform_device *pdev = of_find_device_by_node(np);
  if (!pdev) return NULL;
  struct device *parent = pdev->dev.parent;
  put_device(&pdev->dev);
  return parent;
}

// ---- a helper adds the device: that it is kept there is not told, as no count shows it

static int added(struct platform_device *pdev) { return platform_device_add(pdev); }

int FP_added_by_a_helper(void) {
  struct platform_device *pdev = platform_device_alloc("x", 1);
  if (!pdev) return -ENOMEM;
  int ret = added(pdev);
  if (ret) platform_device_put(pdev);
  return ret;  // false-alarm: linux-leak
}
