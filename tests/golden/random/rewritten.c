// flags: --specs ../../random/thing.spec -- -I../../random
// One call behind a helper: what tests/metamorphic finds to be judged in another way, each in the smallest input.
#include "thing.h"

static int submitted(struct thing *x) { return thing_submit(x); }
void ok_submitted_by_helper(struct thing *x) {
  if (submitted(x) < 0) thing_put(x);
}
void FN_submitted_by_helper(struct thing *x) {
  submitted(x);  // expect-not-yet: thing-over-release -- a helper may take its argument over on one of its ways
}
