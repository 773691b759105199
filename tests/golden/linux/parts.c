// A pointer to a part of a counted object that is kept, or returned, stands for the object: who has it comes back to
// the whole and gives the reference back.
#include "mock.h"

struct link_device {
  struct net_device dev;
  long priv[];
};
struct tunnel {
  struct net_device *dev;
  int mode;
};
struct node_with_handle {
  struct device_node node;
  struct fwnode_handle fwnode;
};
struct port_priv {
  struct fwnode_handle *fwnode;
  struct net_device *net;
  int id;
};
static inline void *link_priv(struct net_device *dev) { return (char *)dev + sizeof(struct net_device); }

// The private part that lies behind the device is what callers get; they put tunnel->dev.
struct tunnel *part_behind_returned(struct net *net, const char *name) {
  struct net_device *dev = dev_get_by_name(net, name);
  if (!dev) return ERR_PTR(-ENODEV);
  if (dev->flags & IFF_UP) {
    dev_put(dev);
    return ERR_PTR(-EBUSY);
  }
  return link_priv(dev);
}

struct tunnel *part_bad_not_returned(struct net *net, const char *name) {  // expect-in-function: linux-leak
  struct net_device *dev = dev_get_by_name(net, name);
  struct tunnel *t;
  if (!dev) return ERR_PTR(-ENODEV);
  t = link_priv(dev);
  if (t->mode) return NULL;
  dev_put(dev);
  return NULL;
}

// A member's address is remembered in the driver's structure.
int part_stored(struct port_priv *p, struct device_node *np) {
  struct device_node *found = of_parse_phandle(np, "handle", 0);
  if (!found) return -EINVAL;
  p->fwnode = &container_of(found, struct node_with_handle, node)->fwnode;
  return 0;
}

// Nobody else has a pointer that the object holds to a part of itself.
int part_bad_stored_in_itself(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *found = of_parse_phandle(np, "handle", 0);
  if (!found) return -EINVAL;
  found->kobj.parent = &found->kobj;
  return 0;
}

// A counter in a structure: a function out of sight that gets the structure may give the count back.
struct share {
  int users;
  struct kref refs;
};
void share_put(struct share *s);
void share_note(int users);
int share_fill(struct share *s);
int share_check(void);
int part_put_out_of_sight(struct share *s) {
  struct share *held = NULL;
  int ret = share_check();
  if (ret < 0) goto out;
  kref_get(&s->refs);
  held = s;
  ret = share_fill(s);
out:
  share_put(held);
  return ret;
}

int part_bad_kept(struct share *s) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret;
  kref_get(&s->refs);
  ret = share_fill(s);
  if (ret < 0) {
    share_note(s->users);
    return ret;
  }
  refcount_dec_and_test(&s->refs.refcount);
  return 0;
}
