// One function in two halves, one call behind a helper: what tests/metamorphic finds to be judged in another way, each in
// the smallest input.
// flags: --checks=* --checks=-linux-noreturn
#include "mock.h"

struct bell {
  struct device *dev;
  int irq;
  bool auto_pm;
};
int bell_idle(struct bell *b);
int bell_work(struct bell *b);

// ---- calls behind a helper ------------------------------------------------------------------------------------------

// Given to the API by a helper, a handler is a function like any other.
static irqreturn_t handler_by_helper(int irq, void *data) {  // expect-in-function: linux-count-left
  struct bell *b = data;
  pm_runtime_get_noresume(b->dev);
  return IRQ_HANDLED;
}
static int ask_for(int irq, irq_handler_t handler, void *data) { return request_irq(irq, handler, 0, "bell", data); }
int bell_start(struct bell *b) { return ask_for(b->irq, handler_by_helper, b); }

static irqreturn_t handler_kept(int irq, void *data) {  // expect-in-function: linux-count-left
  struct bell *b = data;
  pm_runtime_get_noresume(b->dev);
  return IRQ_HANDLED;
}
int bell_start_directly(struct bell *b) { return request_irq(b->irq, handler_kept, 0, "bell", b); }

static struct device *found(const struct bus_type *bus) { return bus_find_device_by_name(bus, NULL, "child"); }
int found_by_helper(const struct bus_type *bus) {
  struct device *child = found(bus);
  if (child) device_unregister(child);  // expect: linux-leak
  return 0;
}

struct sk_buff {
  unsigned int len;
};
int netif_rx(struct sk_buff *skb);
static int pass_on(struct sk_buff *skb) { return netif_rx(skb); }
unsigned int FN_passed_on_by_helper(struct sk_buff *skb) {
  pass_on(skb);
  return skb->len;  // expect-not-yet: linux-use-after-release
}

static bool pinned(struct mm_struct *mm) { return mmget_not_zero(mm); }
int FN_pinned_by_helper(struct mm_struct *mm) {  // maybe-in-function: linux-state-pair
  if (!pinned(mm)) return 0;
  mmdrop(mm);
  return 0;  // expect-not-yet: linux-leak -- the other counter is given back
}

// ---- halves ---------------------------------------------------------------------------------------------------------

// What the caller took under a hidden condition, and the helper gives back under another.
void put_if_idle(struct bell *b, bool was_busy) {  // maybe-in-function: linux-state-pair
  if (!was_busy && b->auto_pm && bell_idle(b)) pm_runtime_put(b->dev);
}
void FN_put_if_idle(struct bell *b, bool was_busy) {  // expect-not-yet: linux-path-pair
  if (!was_busy && b->auto_pm) pm_runtime_get_sync(b->dev);
  put_if_idle(b, was_busy);
}

// The rest takes the count again, whatever failed in the first half.
static int retake(struct device *d, int r) {
  int r2 = pm_runtime_get_sync(d);
  return r ? r : r2;
}
int dropped_and_retaken(struct bell *b) {
  pm_runtime_put_sync(b->dev);
  return retake(b->dev, bell_work(b));
}

struct usb_hcd;
struct hc_driver;
// A function out of sight that finds the host where it was stored, called by a helper.
struct adapter {
  struct usb_hcd *hcd;
};
struct usb_hcd *usb_create_hcd(const struct hc_driver *driver, struct device *dev, const char *name);
int usb_add_hcd(struct usb_hcd *hcd, unsigned int irq, unsigned long flags);
void adapter_remove(struct pci_dev *pdev);
static void remove_adapter(struct pci_dev *pdev) { adapter_remove(pdev); }
extern const struct hc_driver host_driver;
static int FP_removed_by_helper(struct pci_dev *pdev, const struct pci_device_id *id) {
  struct adapter *a = dev_get_drvdata(&pdev->dev);
  struct usb_hcd *hcd = usb_create_hcd(&host_driver, &pdev->dev, "host");
  int ret;
  if (!hcd) return -ENOMEM;
  a->hcd = hcd;
  ret = usb_add_hcd(hcd, 1, 0);
  if (ret) remove_adapter(pdev);
  return ret;  // false-alarm: linux-leak
}
struct pci_driver adapter_driver = {.probe = FP_removed_by_helper};

// What a helper hands to a function that keeps it: the part that is counted has another name there.
struct i2c_adapter {
  struct module *owner;
  struct device dev;
};
struct i2c_mux_core;
struct i2c_adapter *of_get_i2c_adapter_by_node(struct device_node *np);
struct i2c_mux_core *i2c_mux_alloc(struct i2c_adapter *parent, struct device *dev, int n, int size, unsigned flags, void *select, void *deselect);
static struct i2c_mux_core *mux_of(struct i2c_adapter *parent, struct device *dev) { return i2c_mux_alloc(parent, dev, 1, 0, 0, NULL, NULL); }
int mux_add(struct i2c_mux_core *muxc);
static int add_mux(struct i2c_mux_core *muxc) { return mux_add(muxc); }
void i2c_put_adapter(struct i2c_adapter *adap);
static void put_parent(struct i2c_adapter *adap) { i2c_put_adapter(adap); }
static struct i2c_adapter *parent_of(struct device_node *np) { return of_get_i2c_adapter_by_node(np); }
int FP_kept_by_helper(struct device *dev, struct device_node *np) {
  struct i2c_adapter *parent = parent_of(np);
  if (!parent) return -ENODEV;
  struct i2c_mux_core *muxc = mux_of(parent, dev);
  if (!muxc) {
    put_parent(parent);
    return -ENOMEM;
  }
  int ret = add_mux(muxc);
  if (ret) put_parent(parent);
  return ret;  // false-alarm: linux-leak
}

// The other half takes the count through a helper, and asks it nothing.
struct lamp { struct clk *core; };
void lamp_dim(struct lamp *l);
static int FN_resumed_by_helper(struct device *dev) {  // expect-not-yet: linux-halves
  lamp_dim(dev_get_drvdata(dev));
  return 0;
}
static int lamp_clock(struct clk *c) { return clk_prepare_enable(c); }
static int lamp_resume(struct device *dev) {  // maybe-in-function: linux-state-pair
  struct lamp *l = dev_get_drvdata(dev);
  lamp_clock(l->core);
  return 0;
}
const struct dev_pm_ops lamp_by_helper = {.runtime_suspend = FN_resumed_by_helper, .runtime_resume = lamp_resume};

// ---- locals in a struct ---------------------------------------------------------------------------------------------

struct channel_request {
  struct device *dev;
};
int channel_ask(struct channel_request *r);

// Code that is given a struct in a struct may find the outer one.
int FN_struct_in_struct(struct pci_bus *bus) {
  struct {
    struct channel_request request;
    struct pci_dev *p;
  } at;
  at.p = pci_get_slot(bus, PCI_DEVFN(1, 0));
  if (!at.p) return -ENODEV;
  at.request.dev = &at.p->dev;
  return channel_ask(&at.request);  // expect-not-yet: linux-leak
}

// ---- more calls behind a helper -------------------------------------------------------------------------------------

struct clk *devm_clk_get_enabled(struct device *dev, const char *id);
static void clock_off(struct clk *c) { clk_disable_unprepare(c); }
int FN_given_back_by_helper(struct device *d, struct bell *b) {
  struct clk *c = devm_clk_get_enabled(d, "a");
  if (IS_ERR(c)) return PTR_ERR(c);
  if (bell_work(b) < 0) {
    clock_off(c);  // expect-not-yet: linux-over-release -- the device gives it back
    return -EIO;
  }
  return 0;
}

struct counted_item {
  struct kref ref;
};
struct counted_item *find_counted(int key);
static int FP_get_unless_gone(struct kref *r) { return kref_get_unless_zero(r); }  // false-alarm: linux-failure-keeps
struct counted_item *found_unless_gone(int key) {
  struct counted_item *n = find_counted(key);
  if (n && !FP_get_unless_gone(&n->ref)) n = NULL;
  return n;
}

void kfree_skb(struct sk_buff *skb);
int wire_takes(struct bell *b, struct sk_buff *skb);
static int wire_asked(struct bell *b, struct sk_buff *skb) { return wire_takes(b, skb); }
int FP_taken_by_the_wire(struct bell *b, struct sk_buff *skb) {
  if (wire_asked(b, skb)) {
    kfree_skb(skb);  // false-alarm: linux-over-release
    return 0;
  }
  return 0;
}

static void gone_for_good(struct device *d) { device_unregister(d); }
int FN_unregistered_by_helper(const struct bus_type *bus) {
  struct device *child = bus_find_device_by_name(bus, NULL, "child");
  if (child) gone_for_good(child);  // expect-not-yet: linux-leak -- the reference of the search
  return 0;
}

struct order {
  struct kref ref;
  struct work_struct work;
};
void order_free(struct kref *ref);
int order_send(struct order *o, void (*done)(void *), void *data);
static void order_done(void *data) { kref_put(&((struct order *)data)->ref, order_free); }
static int sent(struct order *o) { return order_send(o, order_done, o); }
void FP_taken_before_sending(struct order *o) {  // false-alarm: linux-path-pair -- the callback gives it back
  kref_get(&o->ref);
  if (sent(o)) kref_put(&o->ref, order_free);
}

static void sent_or_put(struct order *o) {
  if (order_send(o, order_done, o)) kref_put(&o->ref, order_free);
}
void taken_for_the_helper(struct order *o) {
  kref_get(&o->ref);
  sent_or_put(o);
}

void queue_it(struct order *o) { schedule_work(&o->work); }
void FN_work_was_pending(struct order *o) {  // expect-not-yet: linux-path-pair -- queued before, it is not given back
  kref_get(&o->ref);
  queue_it(o);
}

struct clk_user {
  struct device *dev;
  struct clk *clk;
};
int clk_user_init(struct clk_user *u);
int FN_reported_by_flag(struct clk_user *u) {  // expect-not-yet: linux-path-pair; maybe-in-function: linux-unchecked-get
  int ret = 0, done = 0;
  int r = clk_prepare_enable(u->clk);
  if (r < 0) {
    ret = dev_err_probe(u->dev, r, "clk\n");
    done = 1;
  }
  if (!done) {
    r = clk_user_init(u);
    if (r < 0) {
      ret = dev_err_probe(u->dev, r, "init\n");
      done = 1;
    }
    if (!done) ret = 0;
  }
  return ret;
}

// The device keeps a reference from here on, or fails; a helper's caller cannot tell which of its own is left.
static int added(struct platform_device *p) { return platform_device_add(p); }
int FP_added_by_helper(const int *data) {  // false-alarm: linux-leak
  struct platform_device *p = platform_device_alloc("zed", -1);
  int r;
  if (!p) return -ENOMEM;
  r = platform_device_add_data(p, data, sizeof(*data));
  if (!r) r = added(p);
  if (r) platform_device_put(p);
  return r;
}

// A handler that a helper asks for.
struct tock {
  struct clk *clk;
  int irq;
};
static irqreturn_t tock_irq(int irq, void *data) { return IRQ_HANDLED; }
static int tock_asks(int irq, irq_handler_t handler, void *data) { return request_irq(irq, handler, 0, "t", data); }
int other_tock(struct tock *t) { return tock_asks(t->irq, tock_irq, t); }
int FN_label_too_low(struct tock *t) {
  int r = clk_prepare_enable(t->clk);
  if (r) goto free;
  r = tock_asks(t->irq, tock_irq, t);
  if (r) goto free;
  return 0;
free:
  kfree(t);
  return r;  // expect-not-yet: linux-path-pair
}

// A counter in a structure, given back by a function out of sight that a helper calls.
struct plot {
  struct kref refs;
};
void plot_put(struct plot* p);
int plot_check(void);
static void plot_gets(struct kref* refs) { kref_get(refs); }
static void plot_puts(struct plot* p) { plot_put(p); }
int FP_put_out_of_sight(struct plot* p) {
  struct plot* held = NULL;
  int ret = plot_check();
  if (ret < 0) goto out;
  plot_gets(&p->refs);
  held = p;
  ret = plot_check();
out:
  plot_puts(held);
  return ret;  // false-alarm: linux-path-pair
}

// ---- locals in a struct ---------------------------------------------------------------------------------------------

// What a loop over a list releases is found by the variable of the loop.
struct leaf {
  struct device_node* np;
  struct list_head link;
};
int FP_list_walked_by_member(void) {  // false-alarm: linux-leak
  struct {
    struct leaf *d, *t;
    struct device_node* np;
    int r;
  } v;
  LIST_HEAD(l);
  v.r = 0;
  for_each_compatible_node(v.np, NULL, "acme,leaf") {
    v.d = kzalloc(sizeof(*v.d), GFP_KERNEL);
    if (!v.d) {
      of_node_put(v.np);
      v.r = -ENOMEM;
      break;
    }
    v.d->np = of_node_get(v.np);
    list_add_tail(&v.d->link, &l);
  }
  list_for_each_entry_safe(v.d, v.t, &l, link) {
    list_del(&v.d->link);
    of_node_put(v.d->np);
    kfree(v.d);
  }
  return v.r;
}

// The answer of a call is asked for in a struct: not acting on it should be linux-unchecked-get.
void FP_warned_by_member(struct tock* t, struct device* dev) {  // false-alarm: linux-path-pair
  struct {
    int ret;
  } v;
  v.ret = clk_prepare_enable(t->clk);
  if (v.ret) dev_warn(dev, "cannot enable: %d\n", v.ret);
  clk_disable_unprepare(t->clk);
}

// ---- a flag for an early return -----------------------------------------------------------------------------------------

// The function that asks the member and gives back does so by a flag.
struct mix {
  struct clk *clk;
  struct device *dev;
  bool on;
};
int mix_tune(struct device *dev);
void mix_off(struct mix *m) {
  int done = 0;
  if (!m->on) done = 1;
  if (!done) {
    clk_disable_unprepare(m->clk);
    m->on = false;
  }
}
int FP_noted_by_flag(struct mix *m, int wanted) {
  int ret;
  if (wanted) {
    ret = clk_prepare_enable(m->clk);
    if (ret) return ret;
    m->on = true;
  }
  ret = mix_tune(m->dev);
  if (ret < 0) return ret;  // false-alarm: linux-path-pair
  return 0;
}
