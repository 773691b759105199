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

// ---- what is undone in any case --------------------------------------------------------------------------------------

// The PM core prints what resuming a system answers, and suspends the device again all the same: what an end left on is
// switched off then, and a supply that could not be switched on costs a warning.
struct graded_chip {
  struct clk *clk;
  struct clk *bus;
};
int chip_wake(struct graded_chip *c);
static int graded_resume_undoes_nothing(struct device *dev) {
  struct graded_chip *c = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(c->clk);
  if (ret) return ret;
  ret = chip_wake(c);
  if (ret) return ret;
  return 0;
}
static int graded_suspend_clk(struct device *dev) {
  struct graded_chip *c = dev_get_drvdata(dev);
  clk_disable_unprepare(c->clk);
  return 0;
}
const struct dev_pm_ops graded_system_sleep = {
    .suspend = graded_suspend_clk,
    .resume = graded_resume_undoes_nothing,
    .thaw = graded_resume_undoes_nothing,
};

// One failure is undone and another is not: the suspend that follows is wrong after one of the two.
static int graded_bad_resume_undoes_some(struct device *dev) {  // expect-in-function: linux-path-pair
  struct graded_chip *c = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(c->clk);
  if (ret) return ret;
  ret = chip_wake(c);
  if (ret) return ret;
  ret = clk_prepare_enable(c->bus);
  if (ret) {
    clk_disable_unprepare(c->clk);
    return ret;
  }
  return 0;
}
static int graded_suspend_both(struct device *dev) {
  struct graded_chip *c = dev_get_drvdata(dev);
  clk_disable_unprepare(c->bus);
  clk_disable_unprepare(c->clk);
  return 0;
}
const struct dev_pm_ops graded_bad_system_sleep = {
    .suspend = graded_suspend_both,
    .resume = graded_bad_resume_undoes_some,
};

// A device that runtime PM could not resume is not suspended: nobody switches the clock off.
static int graded_bad_runtime_resume(struct device *dev) {  // expect-in-function: linux-path-pair
  struct graded_chip *c = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(c->clk);
  if (ret) return ret;
  ret = chip_wake(c);
  if (ret) return ret;
  return 0;
}
const struct dev_pm_ops graded_runtime = {
    .runtime_suspend = graded_suspend_clk,
    .runtime_resume = graded_bad_runtime_resume,
};

// Reached through a member of a local struct the clock has no name, and such findings are of low confidence.
static int FN_chip_in_a_struct(struct device *dev) {
  struct {
    struct graded_chip *c;
  } at;
  at.c = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(at.c->clk);
  if (ret) return ret;
  ret = chip_wake(at.c);
  if (ret) return ret;  // expect-not-yet: linux-path-pair
  return 0;
}
const struct dev_pm_ops graded_struct_runtime = {
    .runtime_suspend = graded_suspend_clk,
    .runtime_resume = FN_chip_in_a_struct,
};

// The same function for both: what runtime PM makes of its failures decides.
static int graded_bad_resume_of_both(struct device *dev) {  // expect-in-function: linux-path-pair
  struct graded_chip *c = dev_get_drvdata(dev);
  int ret = clk_prepare_enable(c->clk);
  if (ret) return ret;
  ret = chip_wake(c);
  if (ret) return ret;
  return 0;
}
const struct dev_pm_ops graded_both = {
    .suspend = graded_suspend_clk,
    .resume = graded_bad_resume_of_both,
    .runtime_suspend = graded_suspend_clk,
    .runtime_resume = graded_bad_resume_of_both,
    .thaw = graded_bad_resume_of_both,
};

// ---- what a function leads to ------------------------------------------------------------------------------------------

struct graded_engine {
  struct device *dev;
  int regs;
};
// The device goes with its private data, from which the put comes back to it.
struct graded_engine *graded_engine_get(struct device_node *np) {
  struct platform_device *pdev = of_find_device_by_node(np);
  struct graded_engine *e;
  if (!pdev) return ERR_PTR(-ENODEV);
  e = platform_get_drvdata(pdev);
  if (!e) {
    put_device(&pdev->dev);
    return ERR_PTR(-EPROBE_DEFER);
  }
  return e;
}
void graded_engine_put(struct graded_engine *e) { put_device(e->dev); }

int graded_bad_engine_regs(struct device_node *np) {  // expect-in-function: linux-leak
  struct platform_device *pdev = of_find_device_by_node(np);
  struct graded_engine *e;
  if (!pdev) return -ENODEV;
  e = platform_get_drvdata(pdev);
  return e->regs;
}

// ---- what a bus holds as well ------------------------------------------------------------------------------------------

void graded_note(struct device *dev);
void graded_after_its_put(struct device_node *np) {
  struct platform_device *pdev = of_find_device_by_node(np);
  if (!pdev) return;
  put_device(&pdev->dev);
  graded_note(&pdev->dev);
}
struct acpi_device;
struct acpi_device *acpi_dev_get_first_match_dev(const char *hid, const char *uid, long hrv);
void acpi_dev_put(struct acpi_device *adev);
int graded_count_of(struct acpi_device *adev);
int graded_firmware_after_its_put(void) {
  struct acpi_device *adev = acpi_dev_get_first_match_dev("ACME0001", NULL, -1);
  if (!adev) return -ENODEV;
  acpi_dev_put(adev);
  return graded_count_of(adev);
}
// Who holds it besides is known of what found it, not of a helper around that.
static struct platform_device *found_by_helper(struct device_node *np) { return of_find_device_by_node(np); }
void FP_found_by_helper(struct device_node *np) {
  struct platform_device *pdev = found_by_helper(np);
  if (!pdev) return;
  put_device(&pdev->dev);
  graded_note(&pdev->dev);  // false-alarm: linux-use-after-release
}
void graded_bad_node_after_its_put(struct device_node *np) {
  struct device_node *child = of_get_child_by_name(np, "port");
  if (!child) return;
  of_node_put(child);
  of_node_get(child);  // expect: linux-use-after-release
}

// ---- what has a count of its own ----------------------------------------------------------------------------------------

// The interface that was read from the node is counted itself: whoever ends it waits for its users.
struct device_link_node {
  struct device_node node;
  struct net_device *out;
};
unsigned int graded_mtu(struct net_device *dev);
unsigned int graded_counted_itself(struct device_node *parent) {
  struct device_node *np = of_get_child_by_name(parent, "port");
  struct net_device *out;
  if (!np) return 0;
  out = container_of(np, struct device_link_node, node)->out;
  of_node_put(np);
  return graded_mtu(out);
}
// The name has no count: it is the node's.
int graded_length(const char *name);
int graded_bad_a_part_of_it(struct device_node *parent) {
  struct device_node *np = of_get_child_by_name(parent, "port");
  if (!np) return 0;
  of_node_put(np);
  return graded_length(np->name);  // expect: linux-use-after-release
}

// ---- what changes hands with pointers, lists and flags -------------------------------------------------------------

struct proto;
struct sock *sk_alloc(struct net *net, int family, gfp_t priority, struct proto *prot, int kern);
void sk_free(struct sock *sk);
int graded_bind(int family);
int graded_socket_kept(struct net *net, struct proto *proto) {
  struct sock *sk = sk_alloc(net, 2, GFP_KERNEL, proto, 0);
  if (!sk) return -ENOMEM;
  if (graded_bind(2)) return -EINVAL;
  sk_free(sk);
  return 0;
}
// So are those that were found, and of which another reference was taken, or one is given back on another path.
void sock_hold(struct sock *sk);
void sock_put(struct sock *sk);
struct sock *graded_found(struct net *net);
int graded_socket_held_twice(struct net *net) {
  struct sock *sk = graded_found(net);
  sock_hold(sk);
  sock_hold(sk);
  return graded_bind(2);
}
int graded_found_kept(struct net *net) {
  struct sock *sk = graded_found(net);
  if (graded_bind(2)) return -EINVAL;
  sock_put(sk);
  return 0;
}
int graded_bad_interface_kept(struct net *net) {  // expect-in-function: linux-leak
  struct net_device *dev = dev_get_by_name(net, "eth0");
  if (!dev) return -ENODEV;
  if (graded_bind(2)) return -EINVAL;
  dev_put(dev);
  return 0;
}

// ---- what a search has asked for ----------------------------------------------------------------------------------------

struct graded_port {
  struct device dev;
  int number;
};
int graded_is_port(struct device *dev);
// A warning that a search makes impossible: the device goes with the port.
struct graded_port *to_graded_port(struct device *dev) {
  if (!graded_is_port(dev)) {
    dev_warn(dev, "not a port\n");
    return NULL;
  }
  return container_of(dev, struct graded_port, dev);
}
struct graded_port *graded_find_port(const struct bus_type *bus) {
  struct device *dev = bus_find_device_by_name(bus, NULL, "port");
  if (!dev) return NULL;
  return to_graded_port(dev);
}
// Whether the end gives what a conversion makes of that device is not found through a member of a local struct.
struct graded_port *FP_port_in_a_struct(const struct bus_type *bus) {
  struct {
    struct device *dev;
  } at;
  at.dev = bus_find_device_by_name(bus, NULL, "port");
  if (!at.dev) return NULL;
  return to_graded_port(at.dev);  // false-alarm: linux-leak
}
// Who asks what it gives has to see to both answers.
int graded_bad_port_number(const struct bus_type *bus) {  // expect-in-function: linux-leak
  struct device *dev = bus_find_device_by_name(bus, NULL, "port");
  struct graded_port *port;
  int number;
  if (!dev) return -ENODEV;
  port = to_graded_port(dev);
  if (!port) return -EINVAL;
  number = port->number;
  put_device(dev);
  return number;
}
