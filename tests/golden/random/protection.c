// flags: --specs ../../random/node.spec -- -I../../random
// What random programs over a protection stack (tests/random/run_mock.py node) showed to be answered wrongly once.
#include "node.h"

// ---- Pushed, never popped, and no variable names it any more.

void pushed_and_forgotten(void) {  // expect-in-function: node-imbalance
  struct node *t = node_new();
  node_peek(t);
  protect(t);
  if (choose()) node_collect();
}

int pushed_behind_a_condition(struct node *x, int b) {  // expect-in-function: node-imbalance
  struct node *m = 0;
  if (b) m = protect(node_new());
  node_collect();
  if (b) node_peek(m);
  node_eval(x);
  return 0;
}

void ok_pushes_what_it_was_given(struct node *x) {
  protect(x);
  node_collect();
  node_peek(x);
}

// ---- Counted, but not pushed, on one of two ways.

struct node *counted_and_not_pushed(void) {
  int np = 0;
  struct node *t = protect(node_new());
  np++;
  if (choose()) {
    node_peek(node_new());
    np++;
  }
  unprotect(np);  // expect: node-negative-depth
  return t;
}

// Counted in a loop that pushes nothing: popped as often as it went round.
void counted_in_a_loop(struct node *x, int a) {  // expect-in-function: node-imbalance
  int np = 0, i;
  for (i = 0; i < a; i++) {
    node_collect();
    np++;
  }
  protect(x);
  np++;
  unprotect(np);
}

void ok_pushed_and_counted_in_a_loop(struct node *x, int a) {
  int np = 0, i;
  for (i = 0; i < a; i++) {
    protect(x);
    np++;
  }
  unprotect(np);
}
