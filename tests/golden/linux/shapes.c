// General shapes: GS01 to GS21.
#include "mock.h"

struct tree;
struct node {
  struct kref ref;
  void *value;
  struct node *next;
};
struct node *node_search(struct tree *t, int key);
static void node_free(struct kref *ref) { kfree(container_of(ref, struct node, ref)); }
static void node_put(struct node *n) {
  if (n) kref_put(&n->ref, node_free);
}
bool node_stale(struct node *n);
int node_use(struct node *n);
bool dt_is(struct device_node *np, const char *what);
int dt_read(struct device_node *np);
int dt_walk(struct device_node *np);
void dt_use(struct device_node *np);

// +1 or an error pointer.
static struct node *node_lookup(struct tree *t, int key) {
  struct node *n = node_search(t, key);
  if (!n) return ERR_PTR(-ENOENT);
  kref_get(&n->ref);
  return n;
}

// +1 or NULL.
static struct node *node_find(struct tree *t, int key) {
  struct node *n = node_search(t, key);
  if (n) kref_get(&n->ref);
  return n;
}

void *GS01_error_pointer_chain(struct tree *t, int key) {
  struct node *n = node_lookup(t, key);
  void *v;
  if (IS_ERR(n)) return ERR_CAST(n);
  v = n->value;
  node_put(n);
  return v;
}

struct device_node *dt_get_soc(void);

struct clk *of_clk_get(struct device_node *np, int index);
void clk_put(struct clk *clk);

int GS01_error_pointer_of_new(struct device_node *np) {
  struct clk *c = of_clk_get(np, 0);
  if (IS_ERR(c)) return PTR_ERR(c);
  clk_put(c);
  return 0;
}

int GS01_bad_error_pointer_of_new(struct device_node *np) {  // expect-in-function: linux-leak
  struct clk *c = of_clk_get(np, 0);
  int r;
  if (IS_ERR(c)) return PTR_ERR(c);
  r = clk_prepare_enable(c);
  if (r) return r;
  clk_disable_unprepare(c);
  clk_put(c);
  return 0;
}

struct zinc {
  struct device *dev;
  struct clk *clk;
  struct kref ref;
  int src;
};
int zinc_init(struct zinc *z);
int zinc_enable(struct zinc *z);
void zinc_step(struct zinc *z);
bool zinc_ready(struct zinc *z);

int GS02_dev_err_probe(struct zinc *z) {
  int r = clk_prepare_enable(z->clk);
  if (r < 0) return dev_err_probe(z->dev, r, "clk\n");
  r = zinc_init(z);
  if (r < 0) {
    clk_disable_unprepare(z->clk);
    return dev_err_probe(z->dev, -EINVAL, "init\n");
  }
  return 0;
}

int GS02_bad_dev_err_probe(struct zinc *z) {  // expect-in-function: linux-path-pair; maybe-in-function: linux-path-pair -- prepare and enable
  int r = clk_prepare_enable(z->clk);
  if (r < 0) return dev_err_probe(z->dev, r, "clk\n");
  r = zinc_init(z);
  if (r < 0) return dev_err_probe(z->dev, r, "init\n");
  return 0;
}

struct device_node *GS03_retry(struct device_node *np) {
  struct device_node *n;
again:
  n = of_get_child_by_name(np, "x");
  if (n && dt_is(n, "stale")) {
    of_node_put(n);
    goto again;
  }
  return n;
}

struct node *GS03_retry_kref(struct tree *t, int key) {
  struct node *n;
again:
  n = node_find(t, key);
  if (n && node_stale(n)) {
    node_put(n);
    goto again;
  }
  return n;
}

struct device_node *GS04_retry_forgets(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *n;
again:
  n = of_get_child_by_name(np, "x");
  if (n && dt_is(n, "stale")) goto again;
  return n;
}

struct head {
  struct node *first;
};

static struct node *GS05_first_get(struct head *h) {
  struct node *n = h->first;
  if (n) kref_get(&n->ref);
  return n;
}

static struct node *GS05_next_put_get(struct head *h, struct node *p) {
  struct node *n = p->next;
  if (n) kref_get(&n->ref);
  node_put(p);
  return n;
}

void GS05_update_in_loop(struct head *h) {
  struct node *p;
  for (p = GS05_first_get(h); p; p = GS05_next_put_get(h, p)) node_use(p);
}

int GS06_fallthrough(struct device_node *np) {
  struct device_node *a, *b = NULL, *c = NULL;
  int lvl = 0, r = -ENODEV;
  a = of_get_child_by_name(np, "a");
  if (!a) goto out;
  lvl = 1;
  b = of_get_child_by_name(np, "b");
  if (!b) goto out;
  lvl = 2;
  c = of_get_child_by_name(np, "c");
  if (!c) goto out;
  lvl = 3;
  r = dt_read(c);
out:
  switch (lvl) {
    case 3: of_node_put(c); fallthrough;
    case 2: of_node_put(b); fallthrough;
    case 1: of_node_put(a);
  }
  return r;
}

enum { SRC_PIN, SRC_XTAL };

int GS07_one_case(struct zinc *z) {  // maybe-in-function: linux-path-pair, linux-failure-keeps
  int r;
  switch (z->src) {
    case SRC_PIN:
      r = pm_runtime_resume_and_get(z->dev);
      if (r) return r;
      break;
    case SRC_XTAL: break;
  }
  return zinc_enable(z);
}

int GS08_owned_local(struct device_node *n, struct device_node *np) {
  bool mine = false;
  int r;
  if (!n) {
    n = of_get_child_by_name(np, "x");
    mine = true;
  }
  r = dt_read(n);
  if (mine) of_node_put(n);
  return r;
}

int GS09_optional_argument(struct device_node *np) {
  int r;
  if (np)
    of_node_get(np);
  else
    np = of_find_compatible_node(NULL, NULL, "acme,soc");
  r = np ? dt_walk(np) : -ENODEV;
  of_node_put(np);
  return r;
}

void GS10_reassigned(struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *n = of_get_child_by_name(np, "a");
  if (!dt_is(n, "x")) n = of_get_child_by_name(np, "b");
  dt_use(n);
  of_node_put(n);
}

void GS10_ok_reassigned(struct device_node *np) {
  struct device_node *n = of_get_child_by_name(np, "a");
  if (!dt_is(n, "x")) {
    of_node_put(n);
    n = of_get_child_by_name(np, "b");
  }
  dt_use(n);
  of_node_put(n);
}

int GS11_put_before_reuse(struct device_node *np) {
  bool ok = false;
  struct device_node *n = of_get_child_by_name(np, "north");
  if (dt_read(n)) goto end;
  of_node_put(n);
  n = of_get_child_by_name(np, "south");
  if (!dt_read(n)) ok = true;
end:
  of_node_put(n);
  return ok ? 0 : -EINVAL;
}

struct mus {
  struct device *controller;
};
void mus_setup(struct mus *m);

void GS12_alias(struct mus *m) {
  struct device *d = m->controller;
  pm_runtime_get_sync(d);
  mus_setup(m);
  pm_runtime_put_noidle(m->controller);
}

void GS12_container_and_drvdata(struct platform_device *pdev) {
  struct mus *m = platform_get_drvdata(pdev);
  m->controller = &pdev->dev;
  pm_runtime_get_sync(&pdev->dev);
  mus_setup(m);
  pm_runtime_put_noidle(m->controller);
}

static int zinc_get(struct zinc *z) {
  int r = pm_runtime_get_sync(z->dev);
  if (r < 0) {
    pm_runtime_put_noidle(z->dev);
    return r;
  }
  return 0;
}
static void zinc_put(struct zinc *z) { pm_runtime_put(z->dev); }
struct zinc *zinc_of(struct inode *i);

static int GS13_open(struct inode *i, struct file *f) {
  struct zinc *z = zinc_of(i);
  int r = zinc_get(z);
  if (r) return r;
  f->private_data = z;
  return 0;
}

static int GS13_release(struct inode *i, struct file *f) {
  zinc_put(f->private_data);
  return 0;
}

static int GS14_open_fails_after_get(struct inode *i, struct file *f) {  // expect-in-function: linux-path-pair|linux-failure-keeps|linux-leak
  struct zinc *z = f->private_data;
  int r = zinc_get(z);
  if (r) return r;
  if (!zinc_ready(z)) return -EBUSY;
  return 0;
}

static int GS14_ok_open(struct inode *i, struct file *f) {
  struct zinc *z = f->private_data;
  int r = zinc_get(z);
  if (r) return r;
  if (!zinc_ready(z)) {
    zinc_put(z);
    return -EBUSY;
  }
  return 0;
}

const struct file_operations zinc_fops = {.open = GS13_open, .release = GS13_release};
const struct file_operations zinc_fops_bad = {.open = GS14_open_fails_after_get, .release = GS13_release};
const struct file_operations zinc_fops_ok = {.open = GS14_ok_open, .release = GS13_release};

struct zoo {
  struct net_device *dev;
  struct rcu_head rcu;
};

void GS15_only_a_put(struct rcu_head *h) {
  struct zoo *z = container_of(h, struct zoo, rcu);
  dev_put(z->dev);
  kfree(z);
}

struct zed16 {
  refcount_t ref;
};
int zed16_use(struct zed16 *z);
static void zed16_put(struct zed16 *z) {
  if (refcount_dec_and_test(&z->ref)) kfree(z);
}

static inline int GS16_inline_wrapper(struct zed16 *z) { return z && refcount_inc_not_zero(&z->ref); }

int GS16_caller(struct zed16 *z) {
  int r;
  if (!GS16_inline_wrapper(z)) return -ENOENT;
  r = zed16_use(z);
  zed16_put(z);
  return r;
}

int GS16_bad_caller(struct zed16 *z) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int r;
  if (!GS16_inline_wrapper(z)) return -ENOENT;
  r = zed16_use(z);
  if (r) return -ENOENT;
  zed16_put(z);
  return 0;
}

struct slot17 {
  struct device *owner;
};
int slot17_add(struct slot17 *s);

int GS17_returns_its_argument(struct slot17 *s, struct device *dev) {
  int r;
  s->owner = get_device(dev);
  r = slot17_add(s);
  if (r) {
    s->owner = NULL;
    put_device(dev);
  }
  return r;
}

struct acme;
#ifndef CONFIG_ACME
static inline struct acme *acme_get(int id) { return NULL; }
static inline void acme_put(struct acme *a) {}
#endif
int acme_use(struct acme *a);

int GS18_stub(void) {
  struct acme *a = acme_get(1);
  int r;
  if (!a) return -ENODEV;
  r = acme_use(a);
  acme_put(a);
  return r;
}

int GS19_panic(struct device_node *other) {
  struct device_node *n = of_find_compatible_node(NULL, NULL, "acme,pmc");
  int r;
  if (!n) panic("no pmc\n");
  r = dt_read(n);
  if (r > 1000) panic("bad pmc\n");
  of_node_put(n);
  return r;
}

static int __init GS20_never_unwinds(void) {  // maybe-in-function: linux-leak
  struct device_node *np = of_find_node_by_path("/soc");
  of_platform_populate(np, NULL, NULL, NULL);
  return 0;
}

int (*const board_initcall)(void) = GS20_never_unwinds;

int GS21_step_ignored(struct zinc *z) {
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  zinc_step(z);
  return 0;
}
