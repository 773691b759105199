// Which pairs of ends are evidence, and which only show that state is kept where callers do not look.
// flags: --checks=* --checks=-linux-noreturn
#include "mock.h"

struct rig {
  struct device *dev;
  struct clk *clk;
  struct rig *peer;
  u32 *regs;
  int mode[4];
};
u32 rig_read(struct rig *r);
int rig_start(struct rig *r);
int rig_setup(struct rig *r);
int rig_stop(struct rig *r);

// A register decides whether the device is in use; both ends succeed.
int state_in_register(struct rig *r) {  // expect-in-function: linux-state-pair
  if (rig_read(r) & 1) return 0;
  pm_runtime_get_noresume(r->dev);
  return 0;
}

void dropped_by_register(struct rig *r) {  // expect-in-function: linux-state-pair
  if (rig_read(r) & 1) pm_runtime_put(r->dev);
}

// The same, but one end passes the put that the other makes.
int early_success_forgets(struct rig *r) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_resume_and_get(r->dev);
  if (ret < 0) return ret;
  if (rig_read(r) & 1) return 0;
  rig_stop(r);
  pm_runtime_put(r->dev);
  return 0;
}

// Failing by one way keeps what failing by the other never took.
int failure_after_the_get(struct rig *r) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret = rig_setup(r);
  if (ret < 0) return ret;
  pm_runtime_get_noresume(r->dev);
  ret = rig_start(r);
  if (ret < 0) return ret;
  return 0;
}

// State that no outcome can name (an element of an array behind two pointers) tells the ways apart.
int by_state_out_of_reach(struct rig *r) {
  int ret;
  if (r->peer->peer->peer->mode[1] == 3) {
    pm_runtime_get_noresume(r->dev);
    ret = rig_start(r);
    return ret < 0 ? -EIO : 0;
  }
  ret = rig_setup(r);
  return ret < 0 ? -EIO : 0;
}

// A helper whose ends disagree is told; its callers are not told the same again.
static int helper_that_forgets(struct rig *r) {  // expect-in-function: linux-path-pair
  if (pm_runtime_get_sync(r->dev) < 0) return -EIO;
  if (rig_start(r)) {
    pm_runtime_put(r->dev);
    return -EIO;
  }
  pm_runtime_put(r->dev);
  return 0;
}

int caller_of_helper(struct rig *r) { return helper_that_forgets(r); }

// What the caller does wrong itself is not hidden by that.
int caller_forgets_too(struct rig *r) {  // expect-in-function: linux-path-pair
  int ret = helper_that_forgets(r);
  if (ret) return ret;
  pm_runtime_get_noresume(r->dev);
  if (rig_start(r)) return -EINVAL;
  if (rig_setup(r)) {
    pm_runtime_put(r->dev);
    return -EINVAL;
  }
  return 0;
}

