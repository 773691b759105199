// What a kernel leaves out by default, since pointers take their references along by rules that no function shows. Each
// stands beside a neighbour that is told.
// flags: --confidence medium
// alone
#include "mock.h"

struct item {
  struct kref ref;
  struct list_head list;
  struct clk *clk;
};
void item_release(struct kref *ref);
int item_start(struct item *it, int how);

// ---- a count that keeps its object alive goes with the pointer ---------------------------------------------------

int graded_kref_kept(struct item *it, int how) {
  kref_get(&it->ref);
  if (item_start(it, how) < 0) return -EIO;
  kref_put(&it->ref, item_release);
  return 0;
}

int graded_bad_clock_kept(struct item *it, int how) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret = clk_prepare_enable(it->clk);
  if (ret) return ret;
  if (item_start(it, how) < 0) return -EIO;
  clk_disable_unprepare(it->clk);
  return 0;
}

// ---- what callers lend ----------------------------------------------------------------------------------------------

int queue_length(struct net_device *dev);
void queue_note(int length);

// The reference was taken with the entry of a table, which is out of sight.
int graded_argument_released(struct net_device *dev) {
  if (queue_length(dev) > 3) dev_put(dev);
  return 0;
}

int graded_argument_kept(struct net_device *dev) {
  dev_hold(dev);
  if (queue_length(dev) > 3) return 0;
  dev_put(dev);
  return 0;
}

int graded_bad_released_again(struct device_node *parent) {  // expect-in-function: linux-over-release
  struct device_node *np = of_get_child_by_name(parent, "port");
  if (!np) return -ENODEV;
  of_node_put(np);
  of_node_put(np);
  return 0;
}

int graded_bad_found_and_kept(struct device_node *parent, int wanted) {  // expect-in-function: linux-leak
  struct device_node *np = of_get_child_by_name(parent, "port");
  if (!np) return -ENODEV;
  if (wanted > 3) return -EINVAL;
  of_node_put(np);
  return 0;
}
