// One work takes the clock, and the other gives it back when all is done.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
};
static void gear_stop(struct gear *g) { g->work.data = 0; }
void gear_start(struct gear *g);

static void work_starts_ok(struct work_struct *w) {
  struct gear *g = container_of(w, struct gear, work);
  if (clk_prepare_enable(g->clk)) return;
  gear_start(g);
}
static void work_done_ok(struct work_struct *w) {
  struct gear *g = container_of(w, struct gear, done);
  clk_prepare_enable(g->clk);
  gear_stop(g);
  clk_disable_unprepare(g->clk);
  clk_disable_unprepare(g->clk);
}
void more_works(struct gear *g) {
  g->work.func = work_starts_ok;
  g->done.func = work_done_ok;
}
