// Device tree nodes and firmware nodes: OF01 to OF26, FW01 to FW04.
#include "mock.h"

struct bank {
  int n;
};
int bank_add(struct bank *b, struct device_node *np);
void bank_free(struct bank *b);
int bank_finish(struct bank *b);
void bank_use(struct device_node *np);
int bank_check(struct device_node *np);
bool node_is_match(const struct device_node *np);
int node_read(struct device_node *np);

// ---- OF01 to OF08: iterators ----------------------------------------------------------------------------------------

int OF01_left_by_return(struct device_node *np, struct bank *b) {  // expect-in-function: linux-leak
  struct device_node *kid;
  int r;
  for_each_child_of_node(np, kid) {
    r = bank_add(b, kid);
    if (r) return r;
  }
  return 0;
}

int OF01_ok_put_before_return(struct device_node *np, struct bank *b) {
  struct device_node *kid;
  int r;
  for_each_child_of_node(np, kid) {
    r = bank_add(b, kid);
    if (r) {
      of_node_put(kid);
      return r;
    }
  }
  return 0;
}

int OF02_left_by_goto(struct device_node *np, struct bank *b) {  // expect-in-function: linux-leak
  struct device_node *kid;
  int r;
  for_each_child_of_node(np, kid) {
    r = bank_add(b, kid);
    if (r) goto undo;
  }
  r = bank_finish(b);
undo:
  if (r) bank_free(b);
  return r;
}

int OF02_ok_put_before_goto(struct device_node *np, struct bank *b) {
  struct device_node *kid;
  int r;
  for_each_child_of_node(np, kid) {
    r = bank_add(b, kid);
    if (r) {
      of_node_put(kid);
      goto undo;
    }
  }
  r = bank_finish(b);
undo:
  if (r) bank_free(b);
  return r;
}

struct dom {
  int id;
};
void dom_add(struct dom *d, struct device_node *np);

int OF03_left_by_break(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *kid;
  struct dom *d;
  for_each_available_child_of_node(np, kid) {
    d = kzalloc(sizeof(*d), GFP_KERNEL);
    if (!d) break;
    dom_add(d, kid);
  }
  return 0;
}

int OF03_ok_put_before_break(struct device_node *np) {
  struct device_node *kid;
  struct dom *d;
  for_each_available_child_of_node(np, kid) {
    d = kzalloc(sizeof(*d), GFP_KERNEL);
    if (!d) {
      of_node_put(kid);
      break;
    }
    dom_add(d, kid);
  }
  return 0;
}

int OF04_break_keeps_found(struct device_node *np) {
  struct device_node *kid;
  int r;
  for_each_child_of_node(np, kid)
    if (of_node_name_eq(kid, "bus")) break;
  if (!kid) return -ENODEV;
  r = bank_check(kid);
  of_node_put(kid);
  return r;
}

struct device_node *OF05_found_returned(struct device_node *np) {
  struct device_node *kid;
  for_each_child_of_node(np, kid)
    if (node_is_match(kid)) return kid;
  return NULL;
}

int OF05_caller_puts(struct device_node *np) {
  struct device_node *kid = OF05_found_returned(np);
  int r;
  if (!kid) return -ENODEV;
  r = bank_check(kid);
  of_node_put(kid);
  return r;
}

int OF05_bad_caller(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *kid = OF05_found_returned(np);
  if (!kid) return -ENODEV;
  return bank_check(kid);
}

void *find_phy(struct device_node *np);

int OF06_put_and_go_on(struct device_node *np) {  // expect-in-function: linux-over-release|linux-use-after-release
  struct device_node *kid;
  void *phy;
  for_each_child_of_node(np, kid) {
    phy = find_phy(kid);
    of_node_put(kid);
    if (IS_ERR(phy)) return PTR_ERR(phy);
  }
  return 0;
}

int OF06_ok_put_only_to_leave(struct device_node *np) {
  struct device_node *kid;
  void *phy;
  for_each_child_of_node(np, kid) {
    phy = find_phy(kid);
    if (IS_ERR(phy)) {
      of_node_put(kid);
      return PTR_ERR(phy);
    }
  }
  return 0;
}

int OF07_continue_skips_put(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *kid, *tgt;
  for_each_child_of_node(np, kid) {
    tgt = of_parse_phandle(kid, "link", 0);
    if (!tgt) continue;
    if (!of_device_is_available(tgt)) continue;
    bank_use(tgt);
    of_node_put(tgt);
  }
  return 0;
}

int OF07_ok_continue(struct device_node *np) {
  struct device_node *kid, *tgt;
  for_each_child_of_node(np, kid) {
    tgt = of_parse_phandle(kid, "link", 0);
    if (!tgt) continue;
    if (!of_device_is_available(tgt)) {
      of_node_put(tgt);
      continue;
    }
    bank_use(tgt);
    of_node_put(tgt);
  }
  return 0;
}

int OF08_nested(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *a, *b;
  for_each_child_of_node(np, a)
    for_each_child_of_node(a, b) {
      if (bank_check(b)) {
        of_node_put(b);
        return -EINVAL;
      }
    }
  return 0;
}

int OF08_ok_nested(struct device_node *np) {
  struct device_node *a, *b;
  for_each_child_of_node(np, a)
    for_each_child_of_node(a, b) {
      if (bank_check(b)) {
        of_node_put(b);
        of_node_put(a);
        return -EINVAL;
      }
    }
  return 0;
}

// ---- OF09 to OF11: searches that consume where they start -----------------------------------------------------------

int OF09_start_consumed(struct device *dev) {
  struct device_node *led = of_find_node_by_name(dev->of_node, "leds");  // expect: linux-over-release
  if (!led) return -ENODEV;
  bank_use(led);
  of_node_put(led);
  return 0;
}

int OF09_parameter_consumed(struct device_node *np) {
  struct device_node *led = of_find_compatible_node(np, NULL, "acme,leds");  // expect: linux-over-release
  if (!led) return -ENODEV;
  bank_use(led);
  of_node_put(led);
  return 0;
}

int OF10_start_taken(struct device *dev) {
  struct device_node *led;
  of_node_get(dev->of_node);
  led = of_find_node_by_name(dev->of_node, "leds");
  if (!led) return -ENODEV;
  bank_use(led);
  of_node_put(led);
  return 0;
}

void use_or_null(struct device_node *np);

void OF11_loop_by_hand(void) {
  struct device_node *np = NULL;
  while ((np = of_find_compatible_node(np, NULL, "acme,x"))) {
    if (node_is_match(np)) break;
  }
  use_or_null(np);
  of_node_put(np);
}

// ---- OF12 to OF16: lookups ------------------------------------------------------------------------------------------

struct ctl {
  void *base;
};

int OF12_never_dropped(struct device *dev) {  // expect-in-function: linux-leak
  struct device_node *np = of_parse_phandle(dev->of_node, "ctl", 0);
  void *base;
  if (!np) return -ENODEV;
  base = of_iomap(np, 0);
  return base ? 0 : -ENOMEM;
}

int OF12_ok_dropped(struct device *dev) {
  struct device_node *np = of_parse_phandle(dev->of_node, "ctl", 0);
  void *base;
  if (!np) return -ENODEV;
  base = of_iomap(np, 0);
  of_node_put(np);
  return base ? 0 : -ENOMEM;
}

int OF13_one_of_equal_codes(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *a, *b;
  a = of_parse_phandle(np, "dma", 0);
  if (bank_check(a)) {
    of_node_put(a);
    return -EINVAL;
  }
  b = of_get_parent(a);
  if (bank_check(b)) {
    of_node_put(b);
    return -EINVAL;
  }
  of_node_put(b);
  of_node_put(a);
  return 0;
}

int OF13_ok_both(struct device_node *np) {
  struct device_node *a, *b;
  a = of_parse_phandle(np, "dma", 0);
  if (bank_check(a)) {
    of_node_put(a);
    return -EINVAL;
  }
  b = of_get_parent(a);
  if (bank_check(b)) {
    of_node_put(b);
    of_node_put(a);
    return -EINVAL;
  }
  of_node_put(b);
  of_node_put(a);
  return 0;
}

void *provider_find(struct of_phandle_args *a);
int provider_use(struct of_phandle_args *a);

void *OF14_out_struct(struct device_node *np) {  // expect-in-function: linux-leak
  struct of_phandle_args a;
  void *c;
  if (of_parse_phandle_with_args(np, "clks", "#c", 0, &a)) return NULL;
  if (!a.args_count) return NULL;
  c = provider_find(&a);
  of_node_put(a.np);
  return c;
}

void *OF14_ok_out_struct(struct device_node *np) {
  struct of_phandle_args a;
  void *c;
  if (of_parse_phandle_with_args(np, "clks", "#c", 0, &a)) return NULL;
  if (!a.args_count) {
    of_node_put(a.np);
    return NULL;
  }
  c = provider_find(&a);
  of_node_put(a.np);
  return c;
}

int FN_OF15_out_struct_in_loop(struct device_node *np, int n) {  // expect-not-yet: linux-leak -- ownership handed to a structure
  struct of_phandle_args a;
  int i;
  for (i = 0; i < n; i++) {
    if (of_parse_phandle_with_args(np, "p", "#p", i, &a)) return -EINVAL;
    if (provider_use(&a)) return -EIO;
  }
  return 0;
}

int OF15_ok_out_struct_in_loop(struct device_node *np, int n) {
  struct of_phandle_args a;
  int i, r;
  for (i = 0; i < n; i++) {
    if (of_parse_phandle_with_args(np, "p", "#p", i, &a)) return -EINVAL;
    r = provider_use(&a);
    of_node_put(a.np);
    if (r) return -EIO;
  }
  return 0;
}

int OF16_out_struct_null(struct device_node *np) {
  int r = of_parse_phandle_with_args(np, "p", "#p", 0, NULL);
  return r;
}

// ---- OF17 to OF21: stored, kept -------------------------------------------------------------------------------------

struct port {
  struct device_node *mdio_np;
};
int port_register(struct port *p);

int OF17_stored(struct port *p, struct device_node *np) {
  int r;
  p->mdio_np = of_get_child_by_name(np, "mdio");
  r = port_register(p);
  if (r) {
    of_node_put(p->mdio_np);
    return r;
  }
  return 0;
}

static int OF18_stored_ladder_forgets(struct platform_device *pdev) {  // expect-in-function: linux-leak|linux-path-pair
  struct port *p = devm_kzalloc(&pdev->dev, sizeof(*p), GFP_KERNEL);
  if (!p) return -ENOMEM;
  p->mdio_np = of_get_child_by_name(pdev->dev.of_node, "mdio");
  if (!p->mdio_np) return -ENODEV;
  dev_set_drvdata(&pdev->dev, p);
  return port_register(p);
}

static int OF18_ok_probe(struct platform_device *pdev) {
  struct port *p = devm_kzalloc(&pdev->dev, sizeof(*p), GFP_KERNEL);
  int r;
  if (!p) return -ENOMEM;
  p->mdio_np = of_get_child_by_name(pdev->dev.of_node, "mdio");
  if (!p->mdio_np) return -ENODEV;
  dev_set_drvdata(&pdev->dev, p);
  r = port_register(p);
  if (r) of_node_put(p->mdio_np);
  return r;
}

static void OF18_ok_remove(struct platform_device *pdev) {
  struct port *p = platform_get_drvdata(pdev);
  of_node_put(p->mdio_np);
}

struct platform_driver port_forgets = {.probe = OF18_stored_ladder_forgets, .remove = OF18_ok_remove};
struct platform_driver port_ok = {.probe = OF18_ok_probe, .remove = OF18_ok_remove};

void OF19_kept_from_iterator(struct device *dev) {
  struct device_node *np, *first = NULL;
  for_each_compatible_node(np, NULL, "acme,core")
    if (!first) first = np;
  if (first) of_dma_configure(dev, first, true);  // expect: linux-use-after-release
}

void OF19_ok_taken_from_iterator(struct device *dev) {
  struct device_node *np, *first = NULL;
  for_each_compatible_node(np, NULL, "acme,core")
    if (!first) first = of_node_get(np);
  if (first) of_dma_configure(dev, first, true);
  of_node_put(first);
}

void OF20_walk_to_parent(struct device_node *np) {
  of_node_get(np);
  while (np && !node_is_match(np)) np = of_get_next_parent(np);
  use_or_null(np);
  of_node_put(np);
}

struct slave {
  struct device dev;
};
struct slave_bus {
  struct device_node *node;
};

static void slave_release(struct device *dev) { kfree(container_of(dev, struct slave, dev)); }

int OF21_release_without_put(struct slave *s, struct slave_bus *bus, const struct of_device_id *ids) {  // expect-in-function: linux-leak|linux-failure-keeps
  int r;
  s->dev.release = slave_release;
  s->dev.of_node = of_find_matching_node(of_node_get(bus->node), ids);
  r = device_register(&s->dev);
  if (r) {
    put_device(&s->dev);
    return r;
  }
  return 0;
}

static void slave_release_ok(struct device *dev) {
  of_node_put(dev->of_node);
  kfree(container_of(dev, struct slave, dev));
}

int OF21_ok_release_with_put(struct slave *s, struct slave_bus *bus, const struct of_device_id *ids) {
  int r;
  s->dev.release = slave_release_ok;
  s->dev.of_node = of_find_matching_node(of_node_get(bus->node), ids);
  r = device_register(&s->dev);
  if (r) {
    put_device(&s->dev);
    return r;
  }
  return 0;
}

// ---- OF22 to OF26: cleanup at the end of the scope ------------------------------------------------------------------

int OF22_scoped(struct device_node *np, struct bank *b) {
  int r;
  for_each_child_of_node_scoped(np, kid) {
    r = bank_add(b, kid);
    if (r) return r;
  }
  return 0;
}

int OF23_scoped_with_put(struct device_node *np, struct bank *b) {  // expect-in-function: linux-over-release|linux-use-after-release
  for_each_child_of_node_scoped(np, kid) {
    if (bank_add(b, kid)) {
      of_node_put(kid);
      return -EIO;
    }
  }
  return 0;
}

struct device_node *OF24_scoped_handed_out(struct device_node *np) {
  for_each_child_of_node_scoped(np, kid)
    if (node_is_match(kid)) return_ptr(kid);
  return NULL;
}

int OF24_caller(struct device_node *np) {
  struct device_node *kid = OF24_scoped_handed_out(np);
  int r = kid ? bank_check(kid) : -ENODEV;
  of_node_put(kid);
  return r;
}

struct device_node *OF25_scoped_not_disarmed(struct device_node *np) {  // expect-in-function: linux-use-after-release|linux-over-release|linux-borrowed-return
  for_each_child_of_node_scoped(np, kid)
    if (node_is_match(kid)) return kid;
  return NULL;
}

void OF26_free_reassigned(struct device_node *p) {  // expect-in-function: linux-leak, linux-leak
  struct device_node *np __free(device_node) = of_get_child_by_name(p, "a");
  if (!np) np = of_get_child_by_name(p, "b");
  np = of_get_parent(np);
  use_or_null(np);
}

void OF26_ok_free_was_null(struct device_node *p) {
  struct device_node *np __free(device_node) = of_get_child_by_name(p, "a");
  if (!np) np = of_get_child_by_name(p, "b");
  use_or_null(np);
}

// ---- FW01 to FW04 ---------------------------------------------------------------------------------------------------

int read_u32(struct fwnode_handle *f, const char *name, u32 *out);
int fw_score(struct fwnode_handle *f);
int fw_use(struct fwnode_handle *f);
#define N_EV 4
static const char *const ev_names[N_EV] = {"a", "b", "c", "d"};

int FW01_named_child_in_loop(struct fwnode_handle *ch) {  // expect-in-function: linux-leak
  struct fwnode_handle *ev;
  u32 v;
  int i;
  for (i = 0; i < N_EV; i++) {
    ev = fwnode_get_named_child_node(ch, ev_names[i]);
    if (!ev) continue;
    if (read_u32(ev, "thr", &v)) return -EINVAL;
  }
  return 0;
}

// The address of a number in a struct: the code that is given it fills the number, and nothing beside it.
int FW01_in_a_struct(struct fwnode_handle *ch) {  // expect-in-function: linux-leak
  struct {
    struct fwnode_handle *ev;
    u32 v;
  } at;
  at.ev = fwnode_get_named_child_node(ch, ev_names[0]);
  if (!at.ev) return -ENODEV;
  if (read_u32(at.ev, "thr", &at.v)) return -EINVAL;
  fwnode_handle_put(at.ev);
  return at.v;
}

int FW01_ok_in_a_struct(struct fwnode_handle *ch) {
  struct {
    struct fwnode_handle *ev;
    u32 v;
  } at;
  at.ev = fwnode_get_named_child_node(ch, ev_names[0]);
  if (!at.ev) return -ENODEV;
  if (read_u32(at.ev, "thr", &at.v)) at.v = 0;
  fwnode_handle_put(at.ev);
  return at.v;
}

int FW01_ok_named_child_in_loop(struct fwnode_handle *ch) {
  struct fwnode_handle *ev;
  u32 v;
  int i, r;
  for (i = 0; i < N_EV; i++) {
    ev = fwnode_get_named_child_node(ch, ev_names[i]);
    if (!ev) continue;
    r = read_u32(ev, "thr", &v);
    fwnode_handle_put(ev);
    if (r) return -EINVAL;
  }
  return 0;
}

struct fwnode_handle *FW02_best_match(struct device *dev) {
  struct fwnode_handle *kid, *win = NULL;
  int top = 0;
  device_for_each_child_node(dev, kid) {
    if (fw_score(kid) > top) {
      top = fw_score(kid);
      fwnode_handle_put(win);
      win = fwnode_handle_get(kid);
    }
  }
  return win;
}

int FW03_error_pointer(struct fwnode_handle *np) {
  struct fwnode_handle *fw = fwnode_find_reference(np, "src", 0);
  int r;
  if (IS_ERR(fw)) return PTR_ERR(fw);
  r = fw_use(fw);
  fwnode_handle_put(fw);
  return r;
}

int FW03_bad_error_pointer(struct fwnode_handle *np) {  // expect-in-function: linux-leak
  struct fwnode_handle *fw = fwnode_find_reference(np, "src", 0);
  if (IS_ERR(fw)) return PTR_ERR(fw);
  return fw_use(fw);
}

int add_link(struct bank *b, struct device_node *np);

int FW04_return_in_do_while(struct bank *b, struct device_node *x) {  // expect-in-function: linux-leak
  struct device_node *a;
  do {
    a = of_get_parent(x);
    if (!a) break;
    if (add_link(b, a)) return -ENOMEM;
  } while (0);
  of_node_put(a);
  return 0;
}

int FW04_ok_break_in_do_while(struct bank *b, struct device_node *x) {
  struct device_node *a;
  int r = 0;
  do {
    a = of_get_parent(x);
    if (!a) break;
    if (add_link(b, a)) {
      r = -ENOMEM;
      break;
    }
  } while (0);
  of_node_put(a);
  return r;
}

// ---- what a function of another module finds -------------------------------------------------------------------------

// Whether it gives a reference is not known, but the caller takes it for its own wherever it succeeds. At the failing end
// nothing is known of it any more: a result of unknown origin is forgotten with its last use.
struct device_node *shelf_find(int number);
int shelf_ready(int number);
int FN_found_dropped(int number) {
  struct device_node *np = shelf_find(number);
  int ret;
  if (!np) return -ENODEV;
  ret = shelf_ready(number);
  if (ret < 0) return ret;  // expect-not-yet: linux-leak
  of_node_put(np);
  return 0;
}

int found_ok_put(int number) {
  struct device_node *np = shelf_find(number);
  int ret;
  if (!np) return -ENODEV;
  ret = shelf_ready(number);
  if (ret < 0) {
    of_node_put(np);
    return ret;
  }
  of_node_put(np);
  return 0;
}

// Success drops it as well: it was lent, and the put is of another reference.
int found_ok_lent(int number) {
  struct device_node *np = shelf_find(number);
  int ret;
  if (!np) return -ENODEV;
  ret = shelf_ready(number);
  if (ret < 0) return ret;
  if (ret > 0) of_node_put(np);
  return 0;
}

// ---- compared with what somebody else holds -----------------------------------------------------------------------

// A lookup counts for whoever asked, also where it gives what was known before. But then it may be given back by its
// other name, of which nothing is known: the end of both names is not followed.
int FN_same_as_known(struct bank *b, struct device_node *known, struct device_node *np) {
  struct device_node *n = of_parse_phandle(np, "bank", 0);
  if (n == known) return 1;  // expect-not-yet: linux-leak
  of_node_put(n);
  return 0;
}

struct row {
  struct device_node *np;
  int number;
};
int FN_searched_in_table(struct row *rows, int count, struct device_node *np) {
  struct device_node *n = of_parse_phandle(np, "row", 0);
  for (int i = 0; i < count; i++)
    if (rows[i].np == n) return rows[i].number;  // expect-not-yet: linux-leak
  of_node_put(n);
  return -ENOENT;
}

int same_ok_answer_kept(struct device_node *known, struct device_node *np) {
  struct device_node *n = of_parse_phandle(np, "bank", 0);
  int same = 0;
  if (n == known) same = 1;
  of_node_put(n);
  return same;
}

// Given back by its other name.
int same_ok_put_by_other_name(struct row *r, struct device_node *np) {
  struct device_node *n = of_parse_phandle(np, "bank", 0);
  if (n == r->np) {
    of_node_put(r->np);
    return 1;
  }
  of_node_put(n);
  return 0;
}

// The walk ends at the last one, and its reference is given back by the name that the caller gave it.
int FP_walk_to_the_last(struct device_node *parent, struct device_node *last) {
  struct device_node *child;
  int n = 0;
  for_each_child_of_node(parent, child) {
    if (child == last) {
      of_node_put(last);  // false-alarm: linux-over-release
      break;
    }
    n++;
  }
  return n;
}
