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
static irqreturn_t FN_handler_by_helper(int irq, void *data) {  // expect-not-yet: linux-count-left
  struct bell *b = data;
  pm_runtime_get_noresume(b->dev);
  return IRQ_HANDLED;
}
static int ask_for(int irq, irq_handler_t handler, void *data) { return request_irq(irq, handler, 0, "bell", data); }
int bell_start(struct bell *b) { return ask_for(b->irq, FN_handler_by_helper, b); }

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
static void put_if_idle(struct bell *b, bool was_busy) {  // maybe-in-function: linux-state-pair
  if (!was_busy && b->auto_pm && bell_idle(b)) pm_runtime_put(b->dev);
}
void FN_put_if_idle(struct bell *b, bool was_busy) {  // expect-not-yet: linux-path-pair
  if (!was_busy && b->auto_pm) pm_runtime_get_sync(b->dev);
  put_if_idle(b, was_busy);
}

// A helper that takes the count and fails by what its caller tells it.
static int FP_retake(struct device *d, int r) {  // false-alarm: linux-failure-keeps
  int r2 = pm_runtime_get_sync(d);
  return r ? r : r2;
}
int dropped_and_retaken(struct bell *b) {
  pm_runtime_put_sync(b->dev);
  return FP_retake(b->dev, bell_work(b));
}

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
