// unchecked-get: the result of a call that takes a count is not looked at, and the count is given back anyway.
// flags: --checks=*
#include "mock.h"

struct tap {
  struct clk *clk, *bus;
  struct device *dev;
};
void clk_disable(struct clk *clk);
int tap_write(struct tap *t);

// Nobody looks at the result.
void unchecked_around(struct tap *t) {
  clk_enable(t->clk);
  tap_write(t);
  clk_disable(t->clk);
}  // expect: linux-unchecked-get

// A warning is printed and that is all.
void unchecked_warned(struct tap *t) {
  int ret = clk_prepare_enable(t->clk);
  if (ret) dev_warn(t->dev, "cannot enable: %d\n", ret);
  tap_write(t);
  clk_disable_unprepare(t->clk);
}  // expect: linux-unchecked-get

// The other half gives it back, and cannot know either.
int unchecked_kept(struct device *dev) {  // expect-in-function: linux-unchecked-get
  struct tap *t = dev_get_drvdata(dev);
  clk_enable(t->clk);
  return 0;
}

// An answer that only the one question is asked of: whether it is zero.
void unchecked_if_in_use(struct device *dev, struct tap *t) {  // expect-in-function: linux-unchecked-get
  if (!pm_runtime_get_if_in_use(dev)) return;
  tap_write(t);
  pm_runtime_put(dev);
}

// It is looked at, and then given back all the same: no want of a look.
int unchecked_ok_is_a_pair(struct tap *t) {  // expect-in-function: linux-path-pair
  int ret = clk_enable(t->clk);
  if (ret) goto out;
  ret = tap_write(t);
  if (ret > 0) ret = -EIO;
out:
  clk_disable(t->clk);
  return ret;
}

int unchecked_ok_tested(struct tap *t) {
  int ret = clk_enable(t->clk);
  if (ret) return ret;
  tap_write(t);
  clk_disable(t->clk);
  return 0;
}

// A leak on another path of the same count comes first.
int unchecked_and_leaked(struct tap *t) {  // expect-in-function: linux-path-pair
  clk_enable(t->clk);
  if (tap_write(t)) return -EIO;
  if (tap_write(t)) {
    clk_disable(t->clk);
    return -EIO;
  }
  clk_disable(t->clk);
  return 0;
}

// The get fails, and nobody looks, before a failure that gives back.
int unchecked_before_a_failure(struct tap *t) {  // expect-in-function: linux-unchecked-get
  int r;
  clk_enable(t->clk);
  r = tap_write(t);
  if (r) {
    clk_disable(t->clk);
    return r;
  }
  return 0;
}

// The same where the function answers what was written, as camera sensors do.
int PM28_three_outcomes(struct device *d, struct tap *t) {  // expect-in-function: linux-unchecked-get
  int r;
  if (!pm_runtime_get_if_in_use(d)) return 0;
  r = tap_write(t);
  pm_runtime_put(d);
  return r;
}

// Switched on, off and on again, and nobody looks either time.
int unchecked_get_twice(struct clk *clk) {  // expect-in-function: linux-unchecked-get
  clk_prepare_enable(clk);
  clk_disable_unprepare(clk);
  clk_prepare_enable(clk);
  return 0;
}
