// Work that gives back what nobody here has taken, and work that gives back what somebody has.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
};
static void gear_stop(struct gear *g) { g->work.data = 0; }
void gear_start(struct gear *g);

static void work_gives_two(struct work_struct *w) {  // expect-in-function: linux-halves
  struct gear *g = container_of(w, struct gear, work);
  pm_runtime_get_sync(g->dev);
  gear_stop(g);
  pm_runtime_put(g->dev);
  pm_runtime_put(g->dev);
}
void works(struct gear *g) { g->work.func = work_gives_two; }
