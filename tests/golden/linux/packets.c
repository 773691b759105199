// Packets: who transmits has taken the packet over, unless it answers NETDEV_TX_BUSY; a function of which nothing is
// known may have done so.
#include "mock.h"

struct sk_buff_head {
  struct sk_buff *next, *prev;
};
int dev_queue_xmit(struct sk_buff *skb);
void skb_queue_tail(struct sk_buff_head *list, struct sk_buff *skb);
struct sk_buff *skb_dequeue_tail(struct sk_buff_head *list);
int wire_ready(struct net_device *dev);
int wire_process(struct net_device *dev, struct sk_buff *skb);
int wire_claim(struct net_device *dev);

// A negative number, or a code of congestion, says that the packet is gone.
static netdev_tx_t packet_negative(struct sk_buff *skb, struct net_device *dev) {
  if (!wire_ready(dev)) {
    kfree_skb(skb);
    return -ENETDOWN;
  }
  return dev_queue_xmit(skb) ? 2 : NETDEV_TX_OK;
}
const struct net_device_ops packet_negative_ops = {.ndo_start_xmit = packet_negative};

static netdev_tx_t packet_busy(struct sk_buff *skb, struct net_device *dev) {
  if (!wire_ready(dev)) {
    kfree_skb(skb);  // expect: linux-over-release
    return NETDEV_TX_BUSY;
  }
  return dev_queue_xmit(skb) ? 2 : NETDEV_TX_OK;
}
const struct net_device_ops packet_busy_ops = {.ndo_start_xmit = packet_busy};

static netdev_tx_t packet_forgotten(struct sk_buff *skb, struct net_device *dev) {  // expect-in-function: linux-leak
  if (!wire_ready(dev)) return -ENETDOWN;
  kfree_skb(skb);
  return NETDEV_TX_OK;
}
const struct net_device_ops packet_forgotten_ops = {.ndo_start_xmit = packet_forgotten};

// The queue gives it back before the caller is told to try again.
static netdev_tx_t packet_queued_and_back(struct sk_buff *skb, struct net_device *dev, struct sk_buff_head *queue) {
  skb_queue_tail(queue, skb);
  if (!wire_ready(dev)) {
    (void)skb_dequeue_tail(queue);
    return NETDEV_TX_BUSY;
  }
  return NETDEV_TX_OK;
}
static struct sk_buff_head wire_queue;
static netdev_tx_t packet_xmit(struct sk_buff *skb, struct net_device *dev) {
  return packet_queued_and_back(skb, dev, &wire_queue);
}
const struct net_device_ops packet_queued_ops = {.ndo_start_xmit = packet_xmit};

// What processes it has taken it where it answers zero.
int packet_processed_elsewhere(struct net_device *dev, struct sk_buff *skb) {
  if (wire_process(dev, skb)) {
    kfree_skb(skb);
    return 0;
  }
  return 0;
}

int packet_bad_forgotten_elsewhere(struct net_device *dev, struct sk_buff *skb) {
  if (wire_claim(dev)) {
    kfree_skb(skb);  // expect: linux-over-release
    return 0;
  }
  return 0;
}

// A list that its owner has locked keeps the packet.
struct wire {
  long flags;
  struct sk_buff_head queue;
};
void __skb_queue_tail(struct sk_buff_head *list, struct sk_buff *skb);
struct sk_buff *__skb_dequeue(struct sk_buff_head *list);
unsigned int packet_length(const struct sk_buff *skb);
unsigned int packet_used_in_queue(struct wire *w, struct sk_buff *skb) {
  struct wire *where = w->flags ? w : NULL;
  __skb_queue_tail(&where->queue, skb);
  return packet_length(skb);
}

// From one queue to the next.
void packet_moved(struct wire *from, struct wire *to) {
  struct sk_buff *skb = __skb_dequeue(&from->queue);
  if (skb) __skb_queue_tail(&to->queue, skb);
}

// Kept by a function that takes anything, or released: the caller's reference is gone either way.
int wire_remember(struct net_device *dev, void *what);
int packet_remembered(struct net_device *dev, struct sk_buff *skb) {
  if (wire_claim(dev)) {
    kfree_skb(skb);
    return 0;
  }
  return wire_remember(dev, skb) ? 0 : 0;
}

// A helper that passes it on without its type.
int __shelf_put(void *shelf, void *what);
static inline int shelf_put(void *shelf, void *what) { return __shelf_put(shelf, what); }
int packet_shelved(struct net_device *dev, struct sk_buff *skb, void *shelf) {
  int ret;
  if (wire_claim(dev)) {
    kfree_skb(skb);
    return 0;
  }
  ret = shelf_put(shelf, skb);
  if (ret) kfree_skb(skb);
  return ret;
}

// A function that returns nothing gives the packet up at one place: state says whether there is one to give up, and
// nothing in sight tells that from an end that has forgotten it.
void FP_packet_by_state(struct net_device *dev, struct sk_buff *skb) {
  if (!wire_ready(dev)) return;
  if (wire_claim(dev)) kfree_skb(skb);  // false-alarm: linux-over-release
}

void packet_bad_early_return(struct net_device *dev, struct sk_buff *skb) {
  if (!wire_ready(dev)) {
    kfree_skb(skb);  // expect: linux-over-release
    return;
  }
  if (wire_claim(dev)) return;
  kfree_skb(skb);
}
