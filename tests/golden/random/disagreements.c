// flags: --specs ../../random/thing.spec -- -I../../random
// What random programs (tests/random) showed to be answered wrongly once, each cut down to its cause.
#include "thing.h"

// ---- A reference of one's own to something lent is lost like any other.

void lent_and_kept(struct thing *l) {  // expect-in-function: thing-leak
  struct thing *b = list_get(l, 0);
  if (b) thing_get(b);
}

void ok_lent_and_returned(struct thing *l) {
  struct thing *b = list_get(l, 0);
  if (b) {
    thing_get(b);
    thing_put(b);
  }
}

// ---- Lent on one way, NULL on the other: still not ours.

void lent_or_null(struct thing *l, int n) {
  struct thing *b = NULL;
  if (l) b = list_get(l, 0);
  if (b && n) thing_peek(b);
  thing_xput(b);  // expect: thing-over-release
}

// ---- A loop fills an array, another empties it: elements of rounds long gone are unknown, not NULL.

void ok_filled_and_emptied(void) {
  struct thing *many[4] = {0};
  int i, k;
  for (i = 0; i < 3; i++) {
    many[i] = thing_new();
    if (!many[i]) break;
  }
  for (k = 0; k < i; k++) thing_put(many[k]);
}

// ---- The same condition twice, where joins would forget it.

int ok_either_twice(int a, int b) {
  struct thing *t = NULL;
  if (a == 1 || b == 1) {
    t = thing_new();
    if (!t) return -1;
  }
  if (a == 1 || b == 1) thing_put(t);
  return 0;
}

int either_then_both(int a, int b) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (a == 1 || b == 1) {
    t = thing_new();
    if (!t) return -1;
  }
  if (a == 1 && b == 1) thing_put(t);
  return 0;
}

// ---- Bits of a number that is known.

void ok_bit_of_a_case(int a) {
  struct thing *t = NULL;
  switch (a) {
    case 3:
      if (a & 4) t = thing_new();
      break;
    default: break;
  }
}

// ---- Given up is given up: by release or by handing over.

void ok_submitted_or_released(struct thing *x) {
  if (thing_submit(x) < 0) thing_put(x);
}

void submitted_or_not(struct thing *x) {
  thing_submit(x);  // expect: thing-over-release
}

// ---- Callers know how their arguments compare.

int ok_compared_arguments(struct thing *l, int a, int b) {
  if (b < a) thing_put(l);
  return 0;
}

int not_compared(struct thing *l, int a, int b) {
  if (b < a && choose()) thing_put(l);  // expect: thing-over-release
  return 0;
}

// ---- Arithmetic beyond ranges.

int ok_odd_double(struct thing *l, int a) {
  int n = a * 2;
  struct thing *t;
  if (n != 1) return 0;
  t = thing_new();
  if (!t) return -1;
  return 0;  // twice a number is never odd, which the solver knows
}

// ---- Known misses of the last 10,000 programs (seed 1), each cut down. -----------------------------------------------

void take(struct thing *x) { thing_get(x); }

// The count is raised by a helper on one of two ways that callers cannot tell apart.
void taken_by_a_helper(struct thing *x) {  // expect-in-function: thing-path-pair|thing-leak
  if (!choose()) return;
  take(x);
}

// A helper ends the reference it is handed, then looks at what it was: whether that is the last one, its caller knows.
void ends_and_looks(struct thing *x) {
  thing_put(x);
  thing_peek(x);
}

void used_by_a_helper_that_ended_it(void) {
  struct thing *t = thing_new();
  if (t) ends_and_looks(t);  // expect: thing-use-after-release
}

// Two mistakes at one line: what is wrong by itself, and what is wrong beside another path.
void released_twice_or_not_its_own(struct thing *x, int b) {
  struct thing *t = 0;
  if (choose()) t = x;
  if (b) t = thing_new();
  if (t) thing_put(t);  // expect: thing-over-release
  if (b) thing_xput(t);  // expect: thing-over-release
}

// A loop puts the argument into another variable, or does not.
int taken_by_another_name(struct thing *x, int a) {  // expect-in-function: thing-path-pair|thing-leak
  struct thing *t = 0;
  int i;
  for (i = 0; i < a; i++) t = x;
  if (choose()) {
    if (a > 2) thing_get(t);
  } else {
    t = 0;
  }
  return t == 0;
}

// Left by one of several ways back to the head of a loop, through an out-parameter.
void kept_by_one_way_back(int b) {  // expect-in-function: thing-leak
  struct thing *t = 0;
  int n = 0;
  while (n++ < b) {
    if (thing_open(&t) < 0) continue;
    if (choose()) continue;
    thing_put(t);
  }
}
