// Callbacks and what they owe: interrupt handlers, functions that send packets.
#include "mock.h"

struct buzzer {
  struct device *dev;
  struct work_struct work;
  int irq, mode;
};
int buzzer_read(struct buzzer *b);
void buzzer_poke(struct buzzer *b);

// ---- interrupts -----------------------------------------------------------------------------------------------------

// The answer of the hardware is no failure of a call, and callers see IRQ_NONE: still nobody gives the count back.
static irqreturn_t irq_not_ours_keeps(int irq, void *data) {  // expect-in-function: linux-count-left
  struct buzzer *b = data;
  pm_runtime_get_noresume(b->dev);
  if (!buzzer_read(b)) return IRQ_NONE;
  pm_runtime_put(b->dev);
  return IRQ_HANDLED;
}

static irqreturn_t irq_failed_read_keeps(int irq, void *data) {  // expect-in-function: linux-count-left
  struct buzzer *b = data;
  pm_runtime_get_noresume(b->dev);
  if (buzzer_read(b) < 0) return IRQ_NONE;
  pm_runtime_put(b->dev);
  return IRQ_HANDLED;
}

static irqreturn_t irq_always_keeps(int irq, void *data) {  // expect-in-function: linux-count-left
  struct buzzer *b = data;
  pm_runtime_get_noresume(b->dev);
  buzzer_poke(b);
  return IRQ_HANDLED;
}

// The thread gives it back.
static irqreturn_t irq_ok_for_its_thread(int irq, void *data) {
  struct buzzer *b = data;
  if (!buzzer_read(b)) return IRQ_NONE;
  pm_runtime_get_noresume(b->dev);
  return IRQ_WAKE_THREAD;
}
static irqreturn_t irq_ok_thread(int irq, void *data) {
  struct buzzer *b = data;
  buzzer_poke(b);
  pm_runtime_put(b->dev);
  return IRQ_HANDLED;
}

// Resuming gives it back, by the flag.
static irqreturn_t irq_ok_says_so(int irq, void *data) {
  struct buzzer *b = data;
  if (b->mode == 7) {
    b->mode = 8;
    pm_runtime_get_noresume(b->dev);
    return IRQ_HANDLED;
  }
  buzzer_poke(b);
  return IRQ_HANDLED;
}

// The work gives it back.
static irqreturn_t irq_ok_for_work(int irq, void *data) {
  struct buzzer *b = data;
  pm_runtime_get_noresume(b->dev);
  if (!schedule_work(&b->work)) pm_runtime_put(b->dev);
  return IRQ_HANDLED;
}

// The next interrupt does.
static irqreturn_t irq_ok_begin_and_end(int irq, void *data) {
  struct buzzer *b = data;
  if (buzzer_read(b)) {
    pm_runtime_get_noresume(b->dev);
    return IRQ_HANDLED;
  }
  pm_runtime_put(b->dev);
  return IRQ_HANDLED;
}

static irqreturn_t irq_ok_returns_early(int irq, void *data) {
  struct buzzer *b = data;
  if (!b->mode) return IRQ_NONE;
  pm_runtime_get_noresume(b->dev);
  buzzer_poke(b);
  pm_runtime_put(b->dev);
  return IRQ_HANDLED;
}

int buzzer_irqs(struct buzzer *b, int which) {
  switch (which) {
    case 0: return request_irq(b->irq, irq_not_ours_keeps, 0, "b", b);
    case 1: return request_irq(b->irq, irq_failed_read_keeps, 0, "b", b);
    case 2: return request_irq(b->irq, irq_always_keeps, 0, "b", b);
    case 3: return request_threaded_irq(b->irq, irq_ok_for_its_thread, irq_ok_thread, 0, "b", b);
    case 4: return request_irq(b->irq, irq_ok_for_work, 0, "b", b);
    case 5: return request_irq(b->irq, irq_ok_begin_and_end, 0, "b", b);
    case 6: return request_irq(b->irq, irq_ok_says_so, 0, "b", b);
    default: return request_irq(b->irq, irq_ok_returns_early, 0, "b", b);
  }
}

// ---- packets --------------------------------------------------------------------------------------------------------

struct radio {
  struct sk_buff *current;
  int full;
};
int radio_ready(void);
void radio_queue(struct radio *r, struct sk_buff *skb);
int radio_send(const void *data);
extern struct radio the_radio;

static netdev_tx_t xmit_drops_without_freeing(struct sk_buff *skb, struct net_device *dev) {  // expect-in-function: linux-leak
  if (!radio_ready()) return NETDEV_TX_OK;
  kfree_skb(skb);
  return NETDEV_TX_OK;
}

static netdev_tx_t xmit_too_short(struct sk_buff *skb, struct net_device *dev) {  // expect-in-function: linux-leak
  if (dev->mtu < 3) return NETDEV_TX_OK;
  if (the_radio.full) {
    kfree_skb(skb);
    return NETDEV_TX_OK;
  }
  radio_queue(&the_radio, skb);
  return NETDEV_TX_OK;
}

static netdev_tx_t xmit_ok_queues(struct sk_buff *skb, struct net_device *dev) {
  if (the_radio.full) {
    kfree_skb(skb);
    return NETDEV_TX_OK;
  }
  radio_queue(&the_radio, skb);
  return NETDEV_TX_OK;
}

static netdev_tx_t xmit_ok_stores(struct sk_buff *skb, struct net_device *dev) {
  if (the_radio.full) {
    kfree_skb(skb);
    return NETDEV_TX_OK;
  }
  the_radio.current = skb;
  return NETDEV_TX_OK;
}

static int hand_on(struct sk_buff *skb) {
  radio_queue(&the_radio, skb);
  return 0;
}
static netdev_tx_t xmit_ok_by_helper(struct sk_buff *skb, struct net_device *dev) {
  if (the_radio.full) {
    kfree_skb(skb);
    return NETDEV_TX_OK;
  }
  hand_on(skb);
  return NETDEV_TX_OK;
}

static netdev_tx_t xmit_ok_busy(struct sk_buff *skb, struct net_device *dev) {
  if (!radio_ready()) return NETDEV_TX_BUSY;
  kfree_skb(skb);
  return NETDEV_TX_OK;
}

const struct net_device_ops ops_drops = {.ndo_start_xmit = xmit_drops_without_freeing};
const struct net_device_ops ops_short = {.ndo_start_xmit = xmit_too_short};
const struct net_device_ops ops_queues = {.ndo_start_xmit = xmit_ok_queues};
const struct net_device_ops ops_stores = {.ndo_start_xmit = xmit_ok_stores};
const struct net_device_ops ops_helper = {.ndo_start_xmit = xmit_ok_by_helper};
const struct net_device_ops ops_busy2 = {.ndo_start_xmit = xmit_ok_busy};

// ---- what was queued gives it back ----------------------------------------------------------------------------------

// The device hangs on the structure that the work is part of.
int ok_kept_for_work(struct buzzer *b) {
  pm_runtime_get_noresume(b->dev);
  if (!schedule_work(&b->work)) pm_runtime_put(b->dev);
  return 0;
}

// ---- an action that was registered has not run yet --------------------------------------------------------------------

static void buzzer_put(void *data) { put_device(data); }

int ok_used_after_registration(struct device *parent, struct device *d) {
  int r = devm_add_action_or_reset(parent, buzzer_put, d);
  if (r) return r;
  return device_add(d);
}

// ---- an action that ends what a call has made ---------------------------------------------------------------------------

struct ticket {
  struct device *held;
};
struct ticket *ticket_get(struct device *dev);
static void ticket_put(void *data) {
  struct ticket *t = data;
  struct device *held = t->held;
  kfree(t);
  put_device(held);
}
// What the ticket holds came with it.
struct ticket *ticket_ok_managed(struct device *dev) {
  struct ticket *t = ticket_get(dev);
  int ret;
  if (IS_ERR(t)) return t;
  ret = devm_add_action_or_reset(dev, ticket_put, t);
  if (ret) return ERR_PTR(ret);
  return t;
}
static void ticket_drop(void *data) { put_device(data); }
// Of a structure that somebody else has the member goes on pointing at it.
int ticket_bad_lent(struct device *dev, struct ticket *t) {
  return devm_add_action_or_reset(dev, ticket_drop, t->held);  // expect: linux-over-release
}

// The core of ASoC throws the answer away, and suspend switches off in any case.
struct snd_soc_component {
  struct clk *mclk;
};
struct snd_soc_component_driver {
  int (*suspend)(struct snd_soc_component *);
  int (*resume)(struct snd_soc_component *);
};
int component_reset(struct snd_soc_component *c);
static int callbacks_unanswered_resume(struct snd_soc_component *c) {
  int ret = clk_prepare_enable(c->mclk);
  if (ret < 0) return ret;
  return component_reset(c);
}
static int callbacks_unanswered_suspend(struct snd_soc_component *c) {
  clk_disable_unprepare(c->mclk);
  return 0;
}
const struct snd_soc_component_driver unanswered_driver = {
    .suspend = callbacks_unanswered_suspend,
    .resume = callbacks_unanswered_resume,
};

// The same in a table that nobody described: callers may act on the answer.
struct answered_ops {
  int (*start)(struct snd_soc_component *);
};
static int callbacks_bad_answered_start(struct snd_soc_component *c) {  // expect-in-function: linux-path-pair
  int ret = clk_prepare_enable(c->mclk);
  if (ret < 0) return ret;
  return component_reset(c) < 0 ? -EIO : 0;
}
const struct answered_ops answered = {.start = callbacks_bad_answered_start};
