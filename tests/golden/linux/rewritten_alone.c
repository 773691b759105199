// One file in two: what tests/metamorphic finds to be judged in another way, in the smallest input.
#include "mock.h"

struct wheel {
  struct clk *clk;
  struct work_struct work, done;
};
void wheel_start(struct wheel *w);

// Work that gives the clock back when all is done, and that stands in another file.
void wheel_done(struct work_struct *w);
static void FP_starts_here(struct work_struct *w) {  // false-alarm: linux-halves
  struct wheel *x = container_of(w, struct wheel, work);
  if (clk_prepare_enable(x->clk)) return;
  wheel_start(x);
}
void wheel_works(struct wheel *w) {
  w->work.func = FP_starts_here;
  w->done.func = wheel_done;
}
