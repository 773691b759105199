// A lookup hands on its argument on one path: a test for an error value is about the other one.
#include "mock.h"

struct net *get_net(struct net *net);
void put_net(struct net *net);
struct net *get_net_ns_by_fd(int fd);
int space_use(struct net *net);

int passed_argument_is_no_error(struct net *src, int fd) {
  struct net *net = fd ? get_net_ns_by_fd(fd) : get_net(src);
  if (IS_ERR(net)) return PTR_ERR(net);
  space_use(net);
  put_net(net);
  return 0;
}

int passed_bad_kept(struct net *src, int fd) {  // expect-in-function: linux-leak
  struct net *net = get_net(src);
  if (space_use(net)) return -EINVAL;
  put_net(net);
  return 0;
}

// The work that was queued has the reference; if it was queued already, the reference is given back.
struct group {
  struct device *asked;
  struct work_struct work;
};
void passed_to_work(struct group *g, struct device *dev) {
  get_device(dev);
  if (schedule_work(&g->work)) dev = NULL;
  if (dev) put_device(dev);
}

int group_ready(struct group *g);
int passed_bad_to_nobody(struct group *g, struct device *dev) {  // expect-in-function: linux-leak
  get_device(dev);
  if (group_ready(g)) dev = NULL;
  if (dev) put_device(dev);
  return 0;
}

// One object, stored for the caller and returned: outcomes have no words for that where it lives by a part of it.
struct i2c_client {
  int addr;
  struct device dev;
};
struct i2c_client *i2c_find_device_by_fwnode(struct fwnode_handle *fwnode);
static struct i2c_client *client_found(struct fwnode_handle *fwnode, struct i2c_client **out) {
  *out = i2c_find_device_by_fwnode(fwnode);
  if (!*out) return NULL;
  return *out;
}
int FP_found_and_stored(struct fwnode_handle *fwnode) {
  struct i2c_client *client = NULL;
  int addr;
  if (!client_found(fwnode, &client)) return 0;  // false-alarm: linux-leak
  addr = client->addr;
  put_device(&client->dev);
  return addr;
}

// ---- more references than go with what is returned ---------------------------------------------------------------

// The reference that is one too many is this function's mistake and is told here, once: callers get one, as from any
// other function that returns a node.
struct device_node *found_and_taken_again(struct device_node *parent) {  // expect-in-function: linux-leak
  struct device_node *np = of_get_child_by_name(parent, "port");
  if (!np) return NULL;
  of_node_get(np);
  return np;
}
bool ok_told_in_the_helper(struct device_node *parent) {
  struct device_node *np = found_and_taken_again(parent);
  bool there = np != NULL;
  of_node_put(np);
  return there;
}
int bad_and_a_leak_of_its_own(struct device_node *parent) {  // expect-in-function: linux-leak
  struct device_node *np = found_and_taken_again(parent);
  return np ? 0 : -ENODEV;
}
