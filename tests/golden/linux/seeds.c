// RID's examples, retold: what the paper says about each is the expectation here, and its figure 10, which it misses, is
// asked for as well.
// alone
// flags: --checks=* --checks=-linux-noreturn
#include "mock.h"

// ---- figures 1 and 2: the register decides, the caller cannot see it ------------------------------------------------

int read_register(struct device *d, int reg);
void touch_registers(struct device *d);

// The summary of figure 2: not negative for a device, -1 otherwise.
static int rid_fig2_ok_reg_read(struct device *d, int reg) {
  int v;
  if (d == NULL) return -1;
  v = read_register(d, reg);
  return v >= 0 ? v : -1;
}

static void rid_fig2_ok_inc_pm(struct device *d) {
  if (d != NULL) pm_runtime_get_noresume(d);
}

int rid_fig1_usable(struct device *dev) {  // expect-in-function: linux-state-pair
  int v;
  if (dev == NULL) panic("no device\n");
  v = rid_fig2_ok_reg_read(dev, 0x54);
  if (v <= 0) goto exit;
  rid_fig2_ok_inc_pm(dev);
  touch_registers(dev);
exit:
  return 0;
}

int rid_fig1_ok_result_tells(struct device *dev) {
  int v;
  if (dev == NULL) panic("no device\n");
  v = rid_fig2_ok_reg_read(dev, 0x54);
  if (v <= 0) return 0;
  rid_fig2_ok_inc_pm(dev);
  touch_registers(dev);
  return 1;
}

// ---- figure 8: the get counts also when it fails --------------------------------------------------------------------

struct mode_set;
int helper_set_config(struct mode_set *set);

int rid_fig8_set_config(struct device *dev, struct mode_set *set) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_get_sync(dev);
  if (ret < 0) return ret;
  ret = helper_set_config(set);
  pm_runtime_put_autosuspend(dev);
  return ret;
}

int rid_fig8_ok_set_config(struct device *dev, struct mode_set *set) {
  int ret = pm_runtime_get_sync(dev);
  if (ret < 0) goto out;
  ret = helper_set_config(set);
out:
  pm_runtime_put_autosuspend(dev);
  return ret;
}

// ---- figure 9: a wrapper that does not, summarised from its body ----------------------------------------------------

static int rid_fig9_ok_get_interface(struct usb_interface *intf) {
  int status = pm_runtime_get_sync(&intf->dev);
  if (status < 0) pm_runtime_put_sync(&intf->dev);
  if (status > 0) status = 0;
  return status;
}

static void rid_fig9_ok_put_interface(struct usb_interface *intf) { pm_runtime_put(&intf->dev); }

struct mouse {
  struct usb_interface *interface;
};
int mouse_create_image(struct mouse *m);

int rid_fig9_open(struct mouse *m, struct usb_interface *interface) {  // expect-in-function: linux-path-pair
  int result = rid_fig9_ok_get_interface(interface);
  if (result) goto error;
  result = mouse_create_image(m);
  if (result) goto error;
  rid_fig9_ok_put_interface(interface);
error:
  return result;
}

int rid_fig9_ok_open(struct mouse *m, struct usb_interface *interface) {
  int result = rid_fig9_ok_get_interface(interface);
  if (result) goto error;
  result = mouse_create_image(m);
  rid_fig9_ok_put_interface(interface);
error:
  return result;
}

// The same with the kernel's own wrapper, known by name.
int rid_fig9_open_by_name(struct mouse *m) {  // expect-in-function: linux-path-pair
  int result = usb_autopm_get_interface(m->interface);
  if (result) goto error;
  result = mouse_create_image(m);
  if (result) goto error;
  usb_autopm_put_interface(m->interface);
error:
  return result;
}

// ---- figure 10: no two paths agree on the result, but an interrupt handler must not leave a count changed ------------

struct chip {
  struct device *dev;
  int irq;
};
void chip_irqs(struct chip *c);

static irqreturn_t rid_fig10_irq_thread(int irq, void *data) {  // expect-in-function: linux-count-left|linux-failure-keeps
  struct chip *c = data;
  int ret = pm_runtime_get_sync(c->dev);
  if (ret < 0) {
    dev_err(c->dev, "failed to resume\n");
    return IRQ_NONE;
  }
  chip_irqs(c);
  pm_runtime_put(c->dev);
  return IRQ_HANDLED;
}

static irqreturn_t rid_fig10_ok_irq_thread(int irq, void *data) {
  struct chip *c = data;
  int ret = pm_runtime_get_sync(c->dev);
  if (ret < 0) {
    dev_err(c->dev, "failed to resume\n");
    pm_runtime_put_noidle(c->dev);
    return IRQ_NONE;
  }
  chip_irqs(c);
  pm_runtime_put(c->dev);
  return IRQ_HANDLED;
}

int chip_irq_init(struct chip *c, bool old) {
  if (old) return request_threaded_irq(c->irq, NULL, rid_fig10_irq_thread, 0, "chip", c);
  return request_threaded_irq(c->irq, NULL, rid_fig10_ok_irq_thread, 0, "chip", c);
}

// ---- 6.4: what RID reports without reason: bits of an option word, elements of a list -------------------------------

#define OPT_POWER BIT(2)

void rid_64_ok_bit_of_options(struct device *dev, unsigned long options) {
  if (options & OPT_POWER) pm_runtime_get_sync(dev);
}

struct request {
  struct list_head link;
  struct device *dev;
};

void rid_64_ok_element_of_list(struct list_head *queue, struct request *r, bool (*wanted)(struct request *)) {
  if (!wanted(r)) return;
  pm_runtime_get_noresume(r->dev);
  list_add_tail(&r->link, queue);
}

// 5.4: dropping one of two inconsistent summaries must not hide what callers do wrong.
static int rid_54_inconsistent(struct device *dev) {  // expect-in-function: linux-state-pair
  int v = read_register(dev, 1);
  if (v > 0) pm_runtime_get_noresume(dev);
  return 0;
}

int rid_54_caller(struct device *dev, struct device *other) {  // expect-in-function: linux-state-pair
  rid_54_inconsistent(dev);
  if (read_register(other, 2) > 0) pm_runtime_get_noresume(other);
  return 0;
}
