// The kernel's own functions: what the specs promise to drivers, the bodies have to do.
// alone
#include "mock.h"

struct device_node *node_after(const struct device_node *parent, struct device_node *prev);
struct device_node *parent_of(const struct device_node *np);
bool is_called(const struct device_node *np, const char *name);
struct device *device_called(const char *name);
void node_release(struct kref *ref);
void table_lock(void);
void table_unlock(void);

// ---- primitives: the count of the object is that of a part of it ---------------------------------------------------

struct device_node *of_node_get(struct device_node *np) {
  if (np) kref_get(&np->kobj.kref);
  return np;
}

void of_node_put(struct device_node *np) {
  if (np) kref_put(&np->kobj.kref, node_release);
}

// ---- contracts -----------------------------------------------------------------------------------------------------

// The node that was given is given up, the one that is returned comes with a reference.
struct device_node *of_get_next_child(const struct device_node *np, struct device_node *prev) {
  struct device_node *next;
  table_lock();
  next = of_node_get(node_after(np, prev));
  of_node_put(prev);
  table_unlock();
  return next;
}

struct device_node *of_find_node_by_name(struct device_node *from, const char *name) {  // expect-in-function: linux-leak
  struct device_node *next;
  table_lock();
  next = parent_of(NULL);
  if (!is_called(next, name)) {
    table_unlock();
    return NULL;  // `from` is not given up
  }
  of_node_get(next);
  of_node_put(from);
  table_unlock();
  return next;
}

struct device_node *of_get_child_by_name(const struct device_node *np, const char *name) {
  struct device_node *child;
  for_each_child_of_node(np, child)
    if (is_called(child, name)) break;
  return child;
}

// The loop drops the reference that is promised.
struct device_node *of_get_compatible_child(const struct device_node *np, const char *name) {
  struct device_node *child;
  for_each_child_of_node(np, child)
    if (is_called(child, name)) {
      of_node_put(child);
      return child;  // expect: linux-annotation|linux-use-after-release
    }
  return NULL;
}

struct device_node *of_parse_phandle(const struct device_node *np, const char *name, int index) {
  struct of_phandle_args args;
  if (index < 0) return NULL;
  if (of_parse_phandle_with_args(np, name, NULL, index, &args)) return NULL;
  return args.np;
}

// Lends what drivers will give back.
struct device_node *of_get_parent(const struct device_node *np) {
  return ((struct device_node **)np)[1];  // expect: linux-annotation
}
