// Ends that are wrong by what they took themselves, whatever callers could tell them by.
// flags: --checks=* --checks=-linux-noreturn --checks=-linux-state-pair
#include "mock.h"

struct mill {
  struct device *dev;
  struct mutex lock;
  int users, mode, ready;
};
int mill_grind(struct mill *m);
void mill_poke(struct mill *m);
void mill_halt(struct mill *m);
u32 mill_read(struct mill *m);
int mutex_lock_interruptible(struct mutex *lock);
struct clk *devm_clk_get(struct device *dev, const char *id);

// ---- a failing end keeps what other ends give back ------------------------------------------------------------------

// The argument that decides tells the failing way from the succeeding one; nobody gives back what a failed call took.
int failure_by_argument(struct mill *m, int which) {  // expect-in-function: linux-failure-keeps
  pm_runtime_get_sync(m->dev);
  switch (which) {
    case 1: mill_poke(m); break;
    case 2: mill_halt(m); break;
    default: return -EINVAL;
  }
  pm_runtime_put(m->dev);
  return 0;
}

int failure_by_argument_gives_back(struct mill *m, int which) {
  int ret = 0;
  pm_runtime_get_sync(m->dev);
  switch (which) {
    case 1: mill_poke(m); break;
    default: ret = -EINVAL;
  }
  pm_runtime_put(m->dev);
  return ret;
}

// The same by a member, with what success leaves in memory besides.
int failure_by_member(struct mill *m) {  // expect-in-function: linux-failure-keeps
  pm_runtime_get_sync(m->dev);
  if (m->mode == 3) return -EBUSY;
  m->ready = 1;
  pm_runtime_put(m->dev);
  return 0;
}

// An error label for all failures but one.
int one_failure_leaves_past_the_label(struct mill *m, int how) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  int ret = pm_runtime_resume_and_get(m->dev);
  if (ret < 0) return ret;
  if (how > 4) return -EINVAL;
  ret = mill_grind(m);
  if (ret) goto put;
  return 0;
put:
  pm_runtime_put(m->dev);
  return ret;
}

// Taken for one way only: nothing to give back on the other.
int taken_by_argument(struct mill *m, int on) {
  if (on) {
    int ret = pm_runtime_resume_and_get(m->dev);
    if (ret < 0) return ret;
    mill_poke(m);
  } else {
    mill_halt(m);
    pm_runtime_put(m->dev);
  }
  return 0;
}

// ---- a get that failed is kept, and success keeps on purpose ----------------------------------------------------------

// A driver's own count is taken back on failure, the device's is not.
int beside_a_count_of_its_own(struct mill *m) {  // expect-in-function: linux-failure-keeps
  if (m->users++ == 0) {
    int ret = pm_runtime_get_sync(m->dev);
    if (ret < 0) {
      m->users--;
      return ret;
    }
  }
  return 0;
}

int leaves_because_the_get_failed(struct mill *m) {  // expect-in-function: linux-failure-keeps
  int ret = pm_runtime_get_sync(m->dev);
  if (ret < 0) return ret;
  mill_poke(m);
  return 0;
}

// So is its caller, which could put instead.
int caller_of_what_leaves(struct mill *m) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  int ret = leaves_because_the_get_failed(m);
  if (ret < 0) return ret;
  mill_halt(m);
  pm_runtime_put(m->dev);
  return 0;
}

// Wrappers pass on what the get said: its callers know it keeps the count.
int wrapper_of_get(struct mill *m) { return pm_runtime_get_sync(m->dev); }

int talking_wrapper_of_get(struct mill *m) {
  int ret = pm_runtime_get_sync(m->dev);
  if (ret < 0) _dev_err(m->dev, "no power\n");
  return ret;
}

int undoes_the_failed_get(struct mill *m) {
  int ret = pm_runtime_get_sync(m->dev);
  if (ret < 0) {
    pm_runtime_put_noidle(m->dev);
    return ret;
  }
  mill_poke(m);
  return 0;
}

// ---- callbacks that owe their callers the count they found ----------------------------------------------------------

struct device_attribute {
  ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *buf);
  ssize_t (*store)(struct device *dev, struct device_attribute *attr, const char *buf, size_t count);
};

static ssize_t speed_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count) {  // expect-in-function: linux-count-left|linux-path-pair|linux-failure-keeps
  struct mill *m = dev_get_drvdata(dev);
  if (count == 0) return -EINVAL;
  pm_runtime_get_sync(dev);
  if (m->mode == 2) return count;
  m->mode = buf[0];
  pm_runtime_put(dev);
  return count;
}

static ssize_t mode_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  struct mill *m = dev_get_drvdata(dev);
  int error;
  if (buf == NULL || count == 0) return -EINVAL;
  pm_runtime_get_sync(dev);
  error = mutex_lock_interruptible(&m->lock);
  if (error) return error;
  m->mode = buf[0];
  mutex_unlock(&m->lock);
  pm_runtime_put(dev);
  return count;
}

static ssize_t speed_show(struct device *dev, struct device_attribute *attr, char *buf) {  // expect-in-function: linux-count-left
  struct mill *m = dev_get_drvdata(dev);
  pm_runtime_get_sync(dev);
  buf[0] = (char)mill_read(m);
  return 1;
}

static ssize_t twice_show(struct device *dev, struct device_attribute *attr, char *buf) {  // expect-in-function: linux-count-left
  struct mill *m = dev_get_drvdata(dev);
  if (pm_runtime_resume_and_get(dev) < 0) return -EIO;
  if (mill_grind(m)) {
    pm_runtime_put(dev);
    pm_runtime_put(dev);
    return 0;
  }
  buf[0] = (char)mill_read(m);
  pm_runtime_put(dev);
  return 1;
}

struct device_attribute speed_attribute = {.show = speed_show, .store = speed_store};
struct device_attribute mode_attribute = {.show = twice_show, .store = mode_store};

static void mill_remove(struct platform_device *pdev) {  // expect-in-function: linux-count-left|linux-path-pair
  struct mill *m = platform_get_drvdata(pdev);
  pm_runtime_get_sync(&pdev->dev);
  if (!m->ready) return;
  mill_halt(m);
  pm_runtime_put_noidle(&pdev->dev);
}

// The label is for ways that have taken it.
static int FN_mill_probe(struct platform_device *pdev) {  // expect-not-yet: linux-count-left|linux-path-pair -- a put of what the way never took could give back what an earlier call took
  struct mill *m = platform_get_drvdata(pdev);
  int ret = mill_grind(m);
  if (ret < 0) goto put;
  pm_runtime_get_noresume(&pdev->dev);
  mill_poke(m);
  return 0;
put:
  pm_runtime_put(&pdev->dev);
  return ret;
}

struct platform_driver mill_driver = {.probe = FN_mill_probe, .remove = mill_remove};

// Two ways to the same device.
static int other_name_probe(struct platform_device *pdev) {
  struct mill *m = platform_get_drvdata(pdev);
  int ret;
  pm_runtime_get_noresume(&pdev->dev);
  ret = mill_grind(m);
  if (ret < 0) {
    pm_runtime_put_noidle(m->dev);
    return ret;
  }
  return 0;
}

struct platform_driver other_name_driver = {.probe = other_name_probe};

// ---- more often than given back -------------------------------------------------------------------------------------

int twice_and_once(struct mill *m) {  // expect-in-function: linux-count-left
  int ret;
  pm_runtime_get_sync(m->dev);
  pm_runtime_get_sync(m->dev);
  ret = mill_grind(m);
  pm_runtime_put(m->dev);
  return ret;
}

// Taken over for another: success keeps one of two.
int one_for_the_stream(struct mill *m) {
  int ret = pm_runtime_resume_and_get(m->dev);
  if (ret < 0) return ret;
  ret = mill_grind(m);
  if (ret == 0) pm_runtime_get_noresume(m->dev);
  pm_runtime_put(m->dev);
  return ret;
}

int failing_gives_back_twice(struct mill *m, int how) {  // expect-in-function: linux-count-left|linux-path-pair
  int ret = pm_runtime_resume_and_get(m->dev);
  if (ret < 0) return ret;
  if (how > 3) {
    pm_runtime_put(m->dev);
    pm_runtime_put(m->dev);
    return -EINVAL;
  }
  mill_poke(m);
  pm_runtime_put(m->dev);
  return 0;
}

// Returns nothing, and leaves early because the get failed: no caller can know that a count is left.
static void submit_or_leave(struct mill *m) {  // expect-in-function: linux-failure-keeps
  int ret = pm_runtime_get_sync(m->dev);
  if (ret < 0) return;
  mill_poke(m);
}
void submits(struct mill *m) { submit_or_leave(m); }

// In a table it is half of a pair: the other half gives back whatever came of it.
struct mill_ops {
  void (*enable)(struct mill *m);
  void (*disable)(struct mill *m);
};
static void mill_enable(struct mill *m) {
  if (pm_runtime_get_sync(m->dev) < 0) return;
  mill_poke(m);
}
static void mill_disable(struct mill *m) { pm_runtime_put(m->dev); }
const struct mill_ops mill_table = {.enable = mill_enable, .disable = mill_disable};

// A question with a body, whose answer is the same when it is asked again.
struct work_struct *current_work(void);
int mill_reset(struct mill *m);
static void mill_poll(struct work_struct *work) { mill_reset(NULL); }
static bool mill_is_poll_worker(void) {
  struct work_struct *now = current_work();
  return now && now->func == mill_poll;
}
int asked_twice(struct mill *m) {
  int ret;
  if (!mill_is_poll_worker()) {
    ret = pm_runtime_get_sync(m->dev);
    if (ret < 0) {
      pm_runtime_put_autosuspend(m->dev);
      return 0;
    }
  }
  ret = mill_grind(m);
  if (!mill_is_poll_worker()) pm_runtime_put_autosuspend(m->dev);
  return ret;
}

// What several functions behind a pointer do later says nothing about the end that comes before.
struct mill_bus {
  int (*move)(struct mill *m);
};
static int move_keeping(struct mill *m) {
  pm_runtime_get_noresume(m->dev);
  return 0;
}
static int move_plain(struct mill *m) { return mill_grind(m); }
const struct mill_bus bus_keeping = {.move = move_keeping};
const struct mill_bus bus_plain = {.move = move_plain};
int leaves_before_the_pointer(struct mill *m, const struct mill_bus *bus) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  int ret;
  pm_runtime_get_sync(m->dev);
  if (m->mode == 3) return -EBUSY;
  ret = bus->move(m);
  pm_runtime_put(m->dev);
  return ret;
}

// What fails keeps it, what succeeds gives it back twice: two mistakes.
int kept_and_given_twice(struct mill *m) {  // expect-in-function: linux-path-pair, linux-count-left
  int ret = mill_grind(m);
  if (ret < 0) return ret;
  pm_runtime_get_noresume(m->dev);
  ret = mill_grind(m);
  if (ret < 0) return ret;
  pm_runtime_put(m->dev);
  pm_runtime_put(m->dev);
  return 0;
}

// Filled by somebody out of sight, two locals need not hold the same number.
struct wire {
  u8 *buffer;
};
int wire_move(struct wire *w);
static int mill_ask(u8 *value) {
  struct wire w = {value};
  return wire_move(&w);
}
int behind_two_answers(struct mill *m) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  u8 high, low;
  int ret;
  if (mill_ask(&high) < 0 || high != 0x56) return -ENODEV;
  if (mill_ask(&low) < 0 || low != 0x45) return -ENODEV;
  pm_runtime_get_sync(m->dev);
  ret = mill_grind(m);
  if (ret < 0) return ret;
  pm_runtime_put(m->dev);
  return 0;
}

// What a failing end wrote before is not looked at by callers who are told that nothing was done.
int remembers_and_fails(struct mill *m) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_resume_and_get(m->dev);
  if (ret < 0) return ret;
  m->mode = 1;
  ret = mill_grind(m);
  if (ret < 0) {
    m->mode = 0;
    return ret;
  }
  return 0;
}

// ---- given back twice ------------------------------------------------------------------------------------------------

// Without the get, once too often; with it, too: two mistakes, of which either is told.
void unread_and_given_twice(struct mill *m) {  // expect-in-function: linux-count-left
  pm_runtime_resume_and_get(m->dev);
  mill_poke(m);
  pm_runtime_put(m->dev);
  pm_runtime_put(m->dev);
}

// Ends that fail with whatever calls said, and did or did not get that far, are one where they meet.
int given_twice_in_the_end(struct mill *m, struct device *parent, int *answers) {  // expect-in-function: linux-count-left
  struct clk *clk = devm_clk_get(parent, 0);
  int ret;
  if (IS_ERR(clk)) {
    ret = PTR_ERR(clk);
    goto out;
  }
  ret = clk_prepare_enable(clk);
  if (ret < 0) goto out;
  ret = mill_grind(m);
  if (ret) goto undo;
  ret = mill_grind(m);
  if (ret < 0) goto undo;
  clk_disable_unprepare(clk);
  clk_disable_unprepare(clk);
  return ret;
undo:
  clk_disable_unprepare(clk);
out:
  mill_halt(m);
  return ret;
}

// The loop lets go of counts of its elements, not of this one.
struct mills {
  struct device *bus;
  struct mill *all;
  int used;
};
int mills_start(struct mills *ms) {  // expect-in-function: linux-count-left
  int ret, i;
  ret = pm_runtime_get_sync(ms->bus);
  if (ret < 0) {
    pm_runtime_put_noidle(ms->bus);
    return ret;
  }
  for (i = 0; i < ms->used; i++) {
    ret = pm_runtime_get_sync(ms->all[i].dev);
    if (ret < 0) {
      pm_runtime_put_noidle(ms->all[i].dev);
      goto fail;
    }
  }
  return 0;
fail:
  for (i--; i >= 0; i--) pm_runtime_put(ms->all[i].dev);
  pm_runtime_put(ms->bus);
  pm_runtime_put(ms->bus);
  return ret;
}
int mills_start_ok(struct mills *ms) {
  int ret, i;
  ret = pm_runtime_get_sync(ms->bus);
  if (ret < 0) {
    pm_runtime_put_noidle(ms->bus);
    return ret;
  }
  for (i = 0; i < ms->used; i++) {
    ret = pm_runtime_get_sync(ms->all[i].dev);
    if (ret < 0) {
      pm_runtime_put_noidle(ms->all[i].dev);
      goto fail;
    }
  }
  return 0;
fail:
  for (i--; i >= 0; i--) pm_runtime_put(ms->all[i].dev);
  pm_runtime_put(ms->bus);
  return ret;
}
const struct mills_ops {
  int (*suspend)(struct mills *ms);
} mills_table[] = {{mills_start}, {mills_start_ok}};

// A work may end the count that it was queued with, but not because a get of its own failed.
struct waker {
  struct work_struct work;
  struct device *dev;
};
static void wake_twice_on_failure(struct work_struct *work) {  // expect-in-function: linux-path-pair
  struct waker *w = container_of(work, struct waker, work);
  int ret = pm_runtime_get_sync(w->dev);
  if (ret < 0) {
    pm_runtime_put(w->dev);
    pm_runtime_put(w->dev);
    return;
  }
  pm_runtime_put(w->dev);
}
static void wake_ends_its_own(struct work_struct *work) {
  struct waker *w = container_of(work, struct waker, work);
  pm_runtime_get_sync(w->dev);
  pm_runtime_put(w->dev);
  pm_runtime_put(w->dev);
}
void wakers(struct waker *w, struct waker *v) {
  w->work.func = wake_twice_on_failure;
  v->work.func = wake_ends_its_own;
}

// ---- two counts at one end -------------------------------------------------------------------------------------------

int forgets_two(struct mill *m, struct clk *clk) {  // expect-in-function: linux-path-pair, linux-path-pair
  int ret = mill_grind(m);
  if (ret < 0) return ret;
  pm_runtime_get_noresume(m->dev);
  ret = clk_prepare_enable(clk);
  if (ret < 0) {
    pm_runtime_put(m->dev);
    return ret;
  }
  ret = mill_grind(m);
  if (ret < 0) return ret;
  clk_disable_unprepare(clk);
  pm_runtime_put(m->dev);
  return 0;
}

// ---- what a function of a table must not do --------------------------------------------------------------------------

// One driver's mistake is not that of all who call through the table.
struct i2c_algorithm {
  int (*xfer)(struct mill *m, int n);
};
static int xfer_wrong(struct mill *m, int n) {  // expect-in-function: linux-path-pair
  int ret = pm_runtime_resume_and_get(m->dev);
  if (ret < 0) return ret;
  ret = mill_grind(m);
  if (ret < 0) {
    pm_runtime_put(m->dev);
    pm_runtime_put(m->dev);
    return ret;
  }
  pm_runtime_put(m->dev);
  return n;
}
const struct i2c_algorithm xfers = {.xfer = xfer_wrong};
int transfer(const struct i2c_algorithm *algo, struct mill *m, int n) { return algo->xfer(m, n); }
int transfers(const struct i2c_algorithm *algo, struct mill *m, struct device *dev) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  int ret;
  pm_runtime_get_noresume(dev);
  ret = transfer(algo, m, 1);
  if (ret < 0) return ret;
  pm_runtime_put(dev);
  return 0;
}
