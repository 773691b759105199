// What drivers know and a function does not show: the state of runtime PM, whose reference a registration gave up, what an
// action or a completion gives back, which element of a list it is now.
// alone
#include "mock.h"

struct urb {
  void (*complete)(struct urb *);
};

bool pm_runtime_status_suspended(struct device *dev);
bool pm_runtime_enabled(struct device *dev);
int start_it(struct device *dev);

struct unit_data {
  struct clk *clk;
  struct regulator *core, *io;
  int n;
};

// ---- the status of runtime PM decides -------------------------------------------------------------------------------

int status_ok_off_whatever_it_was(struct device *dev) {
  struct unit_data *u = dev_get_drvdata(dev);
  if (pm_runtime_status_suspended(dev)) {
    int ret = clk_prepare_enable(u->clk);
    if (ret) return ret;
  }
  clk_disable_unprepare(u->clk);
  return 0;
}

int status_ok_asked_again(struct device *dev, struct unit_data *u) {
  int ret;
  if (!pm_runtime_enabled(dev)) {
    ret = clk_prepare_enable(u->clk);
    if (ret) return ret;
  }
  ret = start_it(dev);
  if (ret && !pm_runtime_enabled(dev)) clk_disable_unprepare(u->clk);
  return ret;
}

int status_ok_asked_otherwise(struct device *dev, struct unit_data *u) {
  int ret;
  if (!pm_runtime_enabled(dev)) {
    ret = clk_prepare_enable(u->clk);
    if (ret) return ret;
  }
  ret = start_it(dev);
  if (ret && !pm_runtime_status_suspended(dev)) clk_disable_unprepare(u->clk);
  return ret;
}

int status_does_not_matter(struct device *dev, struct unit_data *u) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret = clk_prepare_enable(u->clk);
  if (ret) return ret;
  ret = start_it(dev);
  if (ret < 0) return ret;
  clk_disable_unprepare(u->clk);
  return 0;
}

// ---- whose reference a registration gives up ------------------------------------------------------------------------

void device_unregister(struct device *dev);

int unregister_ok_found(const struct bus_type *bus) {
  struct device *child = bus_find_device_by_name(bus, NULL, "child");
  if (child) {
    device_unregister(child);
    put_device(child);
  }
  return 0;
}

int unregister_found_and_kept(const struct bus_type *bus) {
  struct device *child = bus_find_device_by_name(bus, NULL, "child");
  if (child) device_unregister(child);  // expect: linux-leak
  return 0;
}

void ours(struct device *dev);
int unregister_ok_some(struct device *dev, void *data) {
  if (dev->release == ours) device_unregister(dev);
  return 0;
}

struct box {
  struct device dev;
};
int unregister_ok_own(struct box *b) {
  int r = device_register(&b->dev);
  if (r) {
    put_device(&b->dev);
    return r;
  }
  r = start_it(&b->dev);
  if (r < 0) device_unregister(&b->dev);
  return r;
}

// ---- a count taken before a loop that does not touch it -------------------------------------------------------------

static int before_loop_ok_probe(struct platform_device *pdev) {
  struct unit_data *u = dev_get_drvdata(&pdev->dev);
  int i, ret;
  u->clk = devm_clk_get_optional(&pdev->dev, NULL);
  ret = clk_prepare_enable(u->clk);
  if (ret) return ret;
  for (i = 0; i < u->n; i++);
  ret = start_it(&pdev->dev);
  if (ret < 0) {
    clk_disable_unprepare(u->clk);
    return ret;
  }
  return 0;
}
struct platform_driver before_loop_driver = {.probe = before_loop_ok_probe};

// ---- an action that gives back what the function has put into a member ----------------------------------------------

static void action_ok_off(void *data) {
  struct unit_data *u = data;
  clk_disable_unprepare(u->clk);
}
int action_ok_member(struct device *dev, struct unit_data *u) {
  int ret;
  u->clk = devm_clk_get_optional(dev, NULL);
  ret = clk_prepare_enable(u->clk);
  if (ret) return ret;
  ret = devm_add_action_or_reset(dev, action_ok_off, u);
  if (ret) return ret;
  return start_it(dev);
}

// ---- elements ---------------------------------------------------------------------------------------------------------

struct item {
  struct list_head head;
  struct device dev;
};
void take_out(struct list_head *entry);

void list_ok_emptied(struct list_head *list) {
  while (list->next != list) {
    struct item *i = container_of(list->next, struct item, head);
    take_out(&i->head);
    put_device(&i->dev);
  }
}

struct port {
  int n;
  struct urb *rx[8];
  struct urb *tx;
};
void array_ok_and_what_stands_behind(struct port *p) {
  int i;
  for (i = 0; i < p->n; i++) usb_free_urb(p->rx[i]);
  usb_free_urb(p->tx);
}

void twice_is_twice(struct port *p) {  // expect-in-function: linux-over-release
  usb_free_urb(p->tx);
  usb_free_urb(p->tx);
}

// ---- a conversion that looks at the class of the object -------------------------------------------------------------

static inline struct item *class_ok_to_item(struct device *dev) {
  if (dev->release == ours) return container_of(dev, struct item, dev);
  return NULL;
}
struct item *class_ok_found(const struct bus_type *bus) {
  struct device *dev = bus_find_device_by_name(bus, NULL, "item");
  if (dev) return class_ok_to_item(dev);
  return NULL;
}
int class_ok_used(struct device *dev) {
  struct item *i = class_ok_to_item(dev);
  return i->dev.release != NULL;
}
int class_tested(const struct bus_type *bus) {
  struct device *dev = bus_find_device_by_name(bus, NULL, "item");
  struct item *i;
  if (!dev) return 0;
  i = class_ok_to_item(dev);
  if (!i) return -ENODEV;  // expect: linux-leak
  put_device(&i->dev);
  return 1;
}

// ---- switching off that fails ---------------------------------------------------------------------------------------

int regulator_enable(struct regulator *r);
int regulator_disable(struct regulator *r);
void tell(const char *what);

int disable_ok_one_fails(struct unit_data *u) {
  int ret = regulator_disable(u->io);
  if (ret) return ret;
  ret = regulator_disable(u->core);
  if (ret) return ret;
  return 0;
}
int disable_ok_looked_at(struct unit_data *u) {
  int ret = regulator_enable(u->io), other;
  if (ret) return ret;
  ret = start_it(NULL);
  if (ret < 0) {
    other = regulator_disable(u->io);
    if (other) tell("still on");
  }
  return ret;
}
// Whatever is not zero is a failure, of either step, and both leave the supply on.
int disable_ok_after_another(struct unit_data *u) {
  int ret = start_it(NULL);
  if (ret) return ret;
  ret = regulator_disable(u->io);
  if (ret) return ret;
  return 0;
}
int disable_forgotten(struct unit_data *u) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret = regulator_enable(u->io);
  if (ret) return ret;
  ret = start_it(NULL);
  if (ret < 0) return ret;
  regulator_disable(u->io);
  return 0;
}

// ---- a completion that frees its urb --------------------------------------------------------------------------------

static void urb_ok_done(struct urb *urb) { usb_free_urb(urb); }
static void urb_ok_seen(struct urb *urb) { }

int urb_ok_freed_by_completion(void) {
  struct urb *urb = usb_alloc_urb(0, 0);
  int r;
  if (!urb) return -ENOMEM;
  urb->complete = urb_ok_done;
  r = usb_submit_urb(urb, 0);
  if (r < 0) usb_free_urb(urb);
  return r;
}
int urb_freed_by_nobody(void) {  // expect-in-function: linux-leak
  struct urb *urb = usb_alloc_urb(0, 0);
  int r;
  if (!urb) return -ENOMEM;
  urb->complete = urb_ok_seen;
  r = usb_submit_urb(urb, 0);
  if (r < 0) usb_free_urb(urb);
  return r;
}

struct reader {
  struct usb_interface *intf;
  struct urb *urb;
};
// What the completion does is out of sight, and the interface is none of its business.
int urb_ok_device_awake(struct reader *r) {
  int ret = usb_autopm_get_interface(r->intf);
  if (ret) return ret;
  ret = usb_submit_urb(r->urb, 0);
  if (ret < 0) goto out;
  ret = start_it(&r->intf->dev);
out:
  usb_autopm_put_interface(r->intf);
  return ret;
}

// ---- packets that helpers take ----------------------------------------------------------------------------------------

bool skb_defer_rx_timestamp(struct sk_buff *skb);
int netif_receive_skb(struct sk_buff *skb);
int eth_skb_pad(struct sk_buff *skb);

void packet_ok_deferred(struct sk_buff *skb) {
  if (skb_defer_rx_timestamp(skb)) return;
  netif_receive_skb(skb);
}
bool packet_ok_padded(struct sk_buff *skb, int bad) {
  if (bad) {
    kfree_skb(skb);
    return true;
  }
  return eth_skb_pad(skb) != 0;
}

// ---- a bit of a word that is written between ----------------------------------------------------------------------------

struct bits_data {
  struct device *dev;
  unsigned works : 1, stays_on : 1, level : 3;
};
int bits_ok_neighbour_written(struct bits_data *b, int how) {
  int ret;
  if (!b->stays_on) {
    ret = pm_runtime_resume_and_get(b->dev);
    if (ret < 0) return ret;
  }
  b->works = how == 3;
  b->level = how;
  ret = start_it(b->dev);
  if (ret && !b->stays_on) pm_runtime_put(b->dev);
  return ret;
}
int bits_that_decide_written(struct bits_data *b, int how) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret;
  if (!b->stays_on) {
    ret = pm_runtime_resume_and_get(b->dev);
    if (ret < 0) return ret;
  }
  b->stays_on = how == 3;
  ret = start_it(b->dev);
  if (ret && !b->stays_on) pm_runtime_put(b->dev);
  return ret;
}

// ---- what a summary has no room for -------------------------------------------------------------------------------------

struct room_format {
  int width, height, code, field, space, enc, quant, func;
};
static int room_fill(struct room_format *f, int *modes, int **out) {
  f->width = 1;
  f->height = 2;
  f->code = 3;
  f->field = 4;
  f->space = 5;
  f->enc = 6;
  f->quant = 7;
  f->func = 8;
  *out = modes;
  return 0;
}
int room_ok_ninth_store(struct room_format *f, int *modes) {
  int *mode;
  int ret = room_fill(f, modes, &mode);
  if (ret) return ret;
  return *mode;
}

int room_step(int which);
struct device_node *room_find(int which);
static int room_many_ends(int which, struct device_node **out) {
  struct device_node *np;
  int ret;
  if (!which) which = 1;
  np = room_find(which);
  if (!np) return -ENOMEM;
  ret = room_step(which);
  if (ret < 0) return ret;
  ret = room_step(which + 1);
  if (ret) return ret;
  *out = np;
  return 0;
}
int room_ok_zero_is_success(int which) {
  struct device_node *np = NULL;
  int ret = room_many_ends(which, &np);
  if (ret) return ret;
  return np->name != NULL;
}

// ---- an action waits ------------------------------------------------------------------------------------------------------

int waits_add(struct device *dev);
static void waits_put(void *data) { put_device(data); }
int waits_ok_used_until_then(struct device *dev, struct device *part) {
  int ret;
  get_device(part);
  ret = devm_add_action_or_reset(dev, waits_put, part);
  if (ret) return ret;
  return waits_add(part);
}
struct spi_like { struct device dev; };
struct spi_like *waits_alloc(struct device *ctlr);
struct fwnode_handle *dev_fwnode(const struct device *dev);
void device_set_node(struct device *dev, struct fwnode_handle *fwnode);
int waits_ok_node_of_its_device(struct device *ctlr) {
  struct spi_like *s = waits_alloc(ctlr);
  int ret;
  if (!s) return -ENOMEM;
  device_set_node(&s->dev, fwnode_handle_get(dev_fwnode(ctlr)));
  ret = waits_add(&s->dev);
  if (ret) fwnode_handle_put(dev_fwnode(&s->dev));
  return ret;
}

// ---- an element that is looked up and counted for the caller ---------------------------------------------------------------

struct found_thing {
  struct kref kref;
  int id;
  struct found_thing *next;
  struct device *dev;
};
struct found_set {
  struct found_thing *first;
};
struct found_thing *found_ok_returned(struct found_set *s, int id) {
  struct found_thing *t;
  for (t = s->first; t; t = t->next)
    if (t->id == id) {
      kref_get(&t->kref);
      return t;
    }
  return NULL;
}
int found_ok_stored(struct found_set *s, int id, struct found_thing **out) {
  struct found_thing *t;
  for (t = s->first; t; t = t->next)
    if (t->id == id) {
      kref_get(&t->kref);
      *out = t;
      return 0;
    }
  return -ENOENT;
}
