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


// The put at the label is made by both ways, the get by one.
int label_gives_back_for_both(struct rig *r) {  // expect-in-function: linux-path-pair
  if (rig_setup(r) < 0) goto out;
  if (pm_runtime_resume_and_get(r->dev) < 0) return 0;
  rig_start(r);
out:
  pm_runtime_put(r->dev);
  return 0;
}

// As many gets as there are elements in use: one or none is a matter of state, and more rounds are not compared.
struct rig_set {
  int n;
  struct device *dev;
  struct rig all[8];
};
int count_per_element(struct rig_set *s) {  // expect-in-function: linux-state-pair
  int i;
  for (i = 0; i < s->n; i++)
    if (rig_read(&s->all[i]) & 1) pm_runtime_get_noresume(s->dev);
  return 0;
}

// Starts a job that gives the count back when it ends; if the device cannot be had, there is no job.
void starts_a_job(struct rig *r) {  // expect-in-function: linux-state-pair
  if (pm_runtime_resume_and_get(r->dev) < 0) {
    rig_stop(r);
    return;
  }
  rig_start(r);
}

// The caller's structure remembers whether the count was taken.
struct rig_flag {
  struct device *dev;
  bool taken;
};
void remembered_in_a_flag(struct rig_flag *f) { f->taken = pm_runtime_get_if_in_use(f->dev) > 0; }

// What a caller gave is returned for success; it may be the number that failure returns.
ssize_t success_is_the_callers_number(struct rig *r, const char *buf, size_t count) {  // expect-in-function: linux-path-pair
  int error;
  pm_runtime_get_sync(r->dev);
  error = rig_setup(r);
  if (error) return error;
  rig_start(r);
  pm_runtime_put(r->dev);
  return count;
}

// Functions behind one pointer, of which one takes a count: nobody knows which of them it is.
struct link_ops {
  int (*start)(struct rig *r);
};
static int link_with_power(struct rig *r) {
  int ret = pm_runtime_get_sync(r->dev);
  if (ret < 0) pm_runtime_put_noidle(r->dev);
  return ret < 0 ? ret : 0;
}
static int link_plain(struct rig *r) { return rig_start(r); }
const struct link_ops powered_links = {.start = link_with_power};
const struct link_ops plain_links = {.start = link_plain};

int start_some_link(struct rig *r, const struct link_ops *ops) {
  int ret = ops->start(r);
  if (ret) return ret;
  ret = rig_setup(r);
  if (ret) pm_runtime_put(r->dev);
  return ret;
}

// A converter's answer to NULL is no failure.
static struct rig *peer_of(struct rig *r) { return r->peer ? r->peer : NULL; }
static void reset_rig(struct rig *r) { r->mode[0] = 0; }
void reset_peer(struct rig *r) { reset_rig(peer_of(r)); }

// ---- references to devices: pairs as RID defines them, and failures that keep what success gives back -----------------

int device_kept_by_one_answer(struct device *d, struct rig *r) {
  get_device(d);
  if (rig_start(r) == 3) return -EIO;  // expect: linux-leak
  int ret = rig_setup(r);
  put_device(d);
  return ret;
}

int device_kept_by_failure(struct device *d, struct rig *r) {
  get_device(d);
  int ret = rig_start(r);
  if (ret) return ret;  // expect: linux-leak
  put_device(d);
  return 0;
}

int member_kept_by_failure(struct rig *r) {
  get_device(r->dev);
  int ret = rig_start(r);
  if (ret < 0) return ret;  // expect: linux-leak
  put_device(r->dev);
  return 0;
}

int member_kept_on_purpose(struct rig *r) {
  get_device(r->dev);
  int ret = rig_start(r);
  if (ret < 0) put_device(r->dev);
  return ret;
}

// What a struct holds is given up by what its state says.
void member_given_up(struct rig *r) {
  if (rig_read(r) & 1) put_device(r->dev);
}

// ---- a device that is several reads away from the argument --------------------------------------------------------------

struct far_master { struct rig *rig; };
struct far_spi { struct far_master *master; };
struct far_mem { struct far_spi *spi; };

int device_far_away(struct far_mem *mem) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  struct rig *r = mem->spi->master->rig;
  int ret = pm_runtime_get_sync(r->dev);
  if (ret < 0) return ret;
  ret = rig_setup(r);
  pm_runtime_put(r->dev);
  return ret;
}

int device_far_away_right(struct far_mem *mem) {
  struct rig *r = mem->spi->master->rig;
  int ret = pm_runtime_resume_and_get(r->dev);
  if (ret < 0) return ret;
  ret = rig_setup(r);
  pm_runtime_put(r->dev);
  return ret;
}
