// Variants of the idioms: other families, other control flow, other ways to say that something failed.
#include "mock.h"

struct vat {
  struct device *dev;
  struct clk *clk;
  struct device_node *np;
  struct device *peer;
  int irq, state;
  bool on;
};
int vat_work(struct vat *v);
int vat_more(struct vat *v);
bool vat_is_wet(struct vat *v);

// ---- a condition with two parts, asked twice; flags that remember it ------------------------------------------------

int ok_two_part_condition(struct vat *v, bool sync) {
  int r;
  if (sync && v->on) pm_runtime_get_sync(v->dev);
  r = vat_work(v);
  if (sync && v->on) pm_runtime_put(v->dev);
  return r;
}

int ok_flag_remembers(struct vat *v, int mode) {
  bool held = false;
  int r;
  if (mode > 3 && v->state != 2) {
    pm_runtime_get_noresume(v->dev);
    held = true;
  }
  r = vat_work(v);
  if (held) pm_runtime_put_noidle(v->dev);
  return r;
}

int ok_either_of_two(struct vat *v, bool a, bool b) {
  if (a || b) pm_runtime_get_noresume(v->dev);
  vat_more(v);
  if (a || b) pm_runtime_put(v->dev);
  return 0;
}

// Callers know both arguments, so they know whether the count was taken.
int ok_callers_know(struct vat *v, bool a, bool b) {
  if (a && b) pm_runtime_get_noresume(v->dev);
  return 0;
}

// ---- error pointers -------------------------------------------------------------------------------------------------

int ok_error_pointer_or_null(struct device_node *np) {
  struct clk *c = of_clk_get(np, 1);
  if (IS_ERR_OR_NULL(c)) return -ENODEV;
  clk_put(c);
  return 0;
}

int ok_error_code_or_zero(struct device_node *np) {
  struct clk *c = of_clk_get(np, 1);
  int r = PTR_ERR_OR_ZERO(c);
  if (r) return r;
  clk_put(c);
  return 0;
}

int bad_error_pointer_then_forgotten(struct device_node *np, struct vat *v) {  // expect-in-function: linux-leak
  struct clk *c = of_clk_get(np, 1);
  if (IS_ERR(c)) return PTR_ERR(c);
  if (vat_work(v) < 0) return -EIO;
  clk_put(c);
  return 0;
}

// ---- a device that lives in what was found --------------------------------------------------------------------------

int bad_adapter_found(struct device_node *np, struct vat *v) {  // expect-in-function: linux-leak
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return -EPROBE_DEFER;
  if (vat_work(v)) {
    put_device(&pd->dev);
    return -EIO;
  }
  return 0;
}

struct platform_device *ok_found_and_returned(struct device_node *np, struct vat *v) {
  struct platform_device *pd = of_find_device_by_node(np);
  if (!pd) return NULL;
  if (vat_work(v)) {
    platform_device_put(pd);
    return NULL;
  }
  return pd;
}

int ok_returned_is_put(struct device_node *np, struct vat *v) {
  struct platform_device *pd = ok_found_and_returned(np, v);
  if (!pd) return -ENODEV;
  vat_more(v);
  put_device(&pd->dev);
  return 0;
}

int bad_returned_is_forgotten(struct device_node *np, struct vat *v) {  // expect-in-function: linux-leak
  struct platform_device *pd = ok_found_and_returned(np, v);
  if (!pd) return -ENODEV;
  vat_more(v);
  return 0;
}

// ---- callbacks ------------------------------------------------------------------------------------------------------

static int bad_probe_error_keeps(struct platform_device *pdev) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  int r;
  pm_runtime_enable(&pdev->dev);
  pm_runtime_get_noresume(&pdev->dev);
  r = vat_work(platform_get_drvdata(pdev));
  if (r < 0) {
    pm_runtime_disable(&pdev->dev);
    return r;
  }
  pm_runtime_put(&pdev->dev);
  return 0;
}

static int ok_probe_keeps_when_it_succeeds(struct platform_device *pdev) {
  int r;
  pm_runtime_get_noresume(&pdev->dev);
  r = vat_work(platform_get_drvdata(pdev));
  if (r < 0) {
    pm_runtime_put_noidle(&pdev->dev);
    return r;
  }
  return 0;
}

static void ok_remove_gives_back(struct platform_device *pdev) { pm_runtime_put_sync(&pdev->dev); }

const struct platform_driver vat_driver_bad = {.probe = bad_probe_error_keeps};
const struct platform_driver vat_driver = {.probe = ok_probe_keeps_when_it_succeeds, .remove = ok_remove_gives_back};

// ---- actions that run later -----------------------------------------------------------------------------------------

static void vat_clk_off(void *data) {
  struct vat *v = data;
  clk_disable_unprepare(v->clk);
}

int ok_action_on_struct(struct device *d, struct vat *v) {
  int r = clk_prepare_enable(v->clk);
  if (r) return r;
  r = devm_add_action_or_reset(d, vat_clk_off, v);
  if (r) return r;
  return vat_work(v);
}

int bad_action_too_late(struct device *d, struct vat *v) {  // expect-in-function: linux-path-pair; maybe-in-function: linux-path-pair
  int r = clk_prepare_enable(v->clk);
  if (r) return r;
  r = vat_work(v);
  if (r) return r;
  return devm_add_action_or_reset(d, vat_clk_off, v);
}

// ---- memory freed with what it holds --------------------------------------------------------------------------------

int bad_freed_with_reference(struct device_node *np) {  // expect-in-function: linux-leak
  struct vat *v = kzalloc(sizeof(*v), GFP_KERNEL);
  if (!v) return -ENOMEM;
  v->np = of_get_parent(np);
  if (vat_work(v)) {
    kfree(v);
    return -EIO;
  }
  of_node_put(v->np);
  kfree(v);
  return 0;
}

// Filled, freed or made by helpers, it is memory of this function all the same.
static void vat_fill(struct vat *v, struct device_node *np) { v->np = of_get_parent(np); }
static void vat_free_memory(struct vat *v) { kfree(v); }
static struct vat *vat_alloc(void) { return kzalloc(sizeof(struct vat), GFP_KERNEL); }

int bad_filled_by_helper(struct device_node *np) {  // expect-in-function: linux-leak
  struct vat *v = kzalloc(sizeof(*v), GFP_KERNEL);
  if (!v) return -ENOMEM;
  vat_fill(v, np);
  vat_free_memory(v);
  return 0;
}

int ok_filled_by_helper(struct device_node *np) {
  struct vat *v = vat_alloc();
  if (!v) return -ENOMEM;
  vat_fill(v, np);
  of_node_put(v->np);
  vat_free_memory(v);
  return 0;
}

int bad_all_by_helpers(struct device_node *np) {  // expect-in-function: linux-leak
  struct vat *v = vat_alloc();
  if (!v) return -ENOMEM;
  vat_fill(v, np);
  vat_free_memory(v);
  return 0;
}

int bad_used_after_helper(struct device_node *np) {
  struct vat *v = vat_alloc();
  if (!v) return -ENOMEM;
  vat_fill(v, np);
  struct device_node *own = v->np;
  of_node_put(v->np);
  kfree(v);
  return of_device_is_available(own);  // expect: linux-use-after-release
}

// Made with what it holds.
static struct vat *vat_make(struct device_node *np) {
  struct vat *v = kzalloc(sizeof(*v), GFP_KERNEL);
  if (!v) return NULL;
  v->np = of_get_parent(np);
  if (!v->np) {
    kfree(v);
    return NULL;
  }
  return v;
}

static void vat_free(struct vat *v) {
  of_node_put(v->np);
  kfree(v);
}

int bad_made_with_reference(struct device_node *np) {  // expect-in-function: linux-leak
  struct vat *v = vat_make(np);
  if (!v) return -ENOMEM;
  vat_free_memory(v);
  return 0;
}

int ok_made_with_reference(struct device_node *np) {
  struct vat *v = vat_make(np);
  if (!v) return -ENOMEM;
  int r = vat_work(v);
  vat_free(v);
  return r;
}

int bad_made_and_used_late(struct device_node *np) {
  struct vat *v = vat_make(np);
  if (!v) return -ENOMEM;
  struct device_node *own = v->np;
  vat_free(v);
  return of_device_is_available(own);  // expect: linux-use-after-release
}

// Memory that was made is no error pointer.
static struct vat *vat_make_or_error(struct device_node *np) {
  struct vat *v = kzalloc(sizeof(*v), GFP_KERNEL);
  if (!v) return ERR_PTR(-ENOMEM);
  v->np = of_get_parent(np);
  if (!v->np) {
    kfree(v);
    return ERR_PTR(-EPROBE_DEFER);
  }
  return v;
}

struct vats {
  struct vat *one;
};
int ok_error_asked(struct vats *has, struct device_node *np) {
  has->one = vat_make_or_error(np);
  if (IS_ERR(has->one)) return PTR_ERR(has->one);
  return 0;
}

int bad_lost_behind_error(struct device_node *np) {  // expect-in-function: linux-leak
  struct vat *v = vat_make_or_error(np);
  if (IS_ERR(v)) return PTR_ERR(v);
  if (vat_work(v)) {
    kfree(v);
    return -EIO;
  }
  of_node_put(v->np);
  kfree(v);
  return 0;
}

// What callers are told of is what is returned, not what an argument is set to.
static int vat_make_out(struct device_node *np, struct vat **out) {
  struct vat *v = kzalloc(sizeof(*v), GFP_KERNEL);
  if (!v) return -ENOMEM;
  v->np = of_get_parent(np);
  *out = v;
  return 0;
}

int FN_made_in_argument(struct device_node *np) {  // expect-not-yet: linux-leak -- memory that is left in an argument is told without what it holds
  struct vat *v;
  int r = vat_make_out(np, &v);
  if (r) return r;
  kfree(v);
  return 0;
}

// ---- walks ----------------------------------------------------------------------------------------------------------

int bad_walk_from_borrowed(struct vat *v) {
  struct device_node *np = of_find_compatible_node(v->np, NULL, "acme,vat");  // expect: linux-over-release
  if (!np) return -ENODEV;
  of_node_put(np);
  return 0;
}

int ok_walk_from_own(struct vat *v) {
  struct device_node *np = of_find_compatible_node(of_node_get(v->np), NULL, "acme,vat");
  if (!np) return -ENODEV;
  of_node_put(np);
  return 0;
}

// ---- questions ------------------------------------------------------------------------------------------------------

int ok_question_asked_twice(struct vat *v) {
  int r;
  if (vat_is_wet(v)) pm_runtime_get_noresume(v->dev);
  r = vat_work(v);
  if (vat_is_wet(v)) pm_runtime_put(v->dev);
  return r;
}

// ---- two ends that differ both go on: the caller's own mistake is not hidden ---------------------------------------

int bad_callee_of_two_minds(struct vat *v) {  // expect-in-function: linux-path-pair
  int r = pm_runtime_get_sync(v->dev);
  if (r < 0) return r;
  r = vat_work(v);
  if (r < 0) pm_runtime_put(v->dev);
  return r;
}

int bad_caller_forgets_as_well(struct vat *v) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int r = bad_callee_of_two_minds(v);
  if (r < 0) return r;
  if (vat_more(v) < 0) return -EIO;
  pm_runtime_put(v->dev);
  return 0;
}
