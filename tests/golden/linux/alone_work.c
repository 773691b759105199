// Work and releases that nothing in the file makes up for.
#include "mock.h"

struct gear {
  struct device *dev;
  struct work_struct work;
  struct kref ref;
  int speed;
};
static void gear_stop(struct gear *g) { g->speed = 0; }

static void work_ok(struct work_struct *w) {
  struct gear *g = container_of(w, struct gear, work);
  pm_runtime_get_sync(g->dev);
  gear_stop(g);
  pm_runtime_put(g->dev);
}
static void work_keeps(struct work_struct *w) {  // expect-in-function: linux-halves
  struct gear *g = container_of(w, struct gear, work);
  if (g->speed) return;
  pm_runtime_get_sync(g->dev);
  gear_stop(g);
}
static void work_takes_two(struct work_struct *w) {  // expect-in-function: linux-count-left|linux-halves
  struct gear *g = container_of(w, struct gear, work);
  pm_runtime_get_sync(g->dev);
  pm_runtime_get_sync(g->dev);
  gear_stop(g);
  pm_runtime_put(g->dev);
}
void works(struct gear *g) {
  g->work.func = work_ok;
  g->work.func = work_keeps;
  g->work.func = work_takes_two;
}
static void gear_release(struct kref *ref) {  // expect-in-function: linux-halves
  struct gear *g = container_of(ref, struct gear, ref);
  pm_runtime_get_sync(g->dev);
  gear_stop(g);
  kfree(g);
}
void gear_put(struct gear *g) { kref_put(&g->ref, gear_release); }

// A function behind a pointer that turns on and off by its argument.
struct gear_ops {
  int (*power)(struct gear *g, bool on);
};
static int gear_on(struct gear *g) {
  int ret = pm_runtime_resume_and_get(g->dev);
  return ret < 0 ? ret : 0;
}
static int gear_power_ok(struct gear *g, bool on) {
  if (on) return gear_on(g);
  pm_runtime_put(g->dev);
  return 0;
}
static int gear_power_gives_two(struct gear *g, bool on) {  // expect-in-function: linux-halves
  if (on) return gear_on(g);
  pm_runtime_put(g->dev);
  pm_runtime_put(g->dev);
  return 0;
}
static int gear_power_keeps(struct gear *g, bool on) {  // expect-in-function: linux-halves
  if (on) return gear_on(g);
  gear_stop(g);
  return 0;
}
const struct gear_ops gears_ok = {.power = gear_power_ok}, gears_two = {.power = gear_power_gives_two},
                      gears_kept = {.power = gear_power_keeps};
