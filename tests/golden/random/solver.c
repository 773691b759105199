// flags: --specs ../../random/thing.spec -- -I../../random
// Conditions that ranges and differences alone cannot decide: what is impossible is not reported. no_solver.c is the same
// without the solver.
#include "thing.h"

// ---- One bit, asked for in two ways.

void ok_odd_both_ways(unsigned n) {
  struct thing *t = NULL;
  if (n & 1) t = thing_new();
  if (n % 2 == 1) thing_xput(t);
}

void odd_then_multiple_of_three(unsigned n) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (n & 1) t = thing_new();
  if (n % 3 == 0) thing_xput(t);
}

// ---- A mask with two bits holds each of them.

void ok_both_bits(int flags) {
  struct thing *t = NULL;
  if ((flags & 6) == 6) t = thing_new();
  if (flags & 2)
    if (flags & 4) thing_xput(t);
}

void one_of_two_bits(int flags) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (flags & 6) t = thing_new();
  if (flags & 2)
    if (flags & 4) thing_xput(t);
}

// ---- A shift and a mask are about the same bits.

void ok_shifted(unsigned mode) {
  struct thing *t = NULL;
  if (((mode >> 4) & 3) == 2) t = thing_new();
  if ((mode & 0x30) == 0x20) thing_xput(t);
}

void shifted_too_far(unsigned mode) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (((mode >> 4) & 3) == 2) t = thing_new();
  if ((mode & 0x60) == 0x20) thing_xput(t);
}

// ---- Products.

void ok_product_of_both(int a, int b) {
  struct thing *t = NULL;
  if (a != 0 && b != 0 && a < 100 && b < 100 && a > -100 && b > -100) t = thing_new();
  if (a * b != 0) thing_xput(t);
}

void square_above(int a) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (a * a > 16) t = thing_new();
  if (a > 4) thing_xput(t);
}

// ---- Remainders of the same number by different ones.

void ok_multiple_of_six(unsigned n) {
  struct thing *t = NULL;
  if (n % 6 == 0) t = thing_new();
  if (n % 2 == 0 && n % 3 == 0) thing_xput(t);
}

void multiple_of_four(unsigned n) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (n % 2 == 0) t = thing_new();
  if (n % 4 == 0) thing_xput(t);
}

// ---- Three differences in a circle.

void ok_less_is_transitive(int a, int b, int c) {
  struct thing *t = NULL;
  if (a < b && b < c) t = thing_new();
  if (a < c) thing_xput(t);
}

void less_goes_one_way(int a, int b, int c) {  // expect-in-function: thing-leak
  struct thing *t = NULL;
  if (a < c && b < c) t = thing_new();
  if (a < b) thing_xput(t);
}

// ---- A sum of two, and bounds on each.

void ok_sum_of_small(int a, int b) {
  struct thing *t = NULL;
  if (a < 0 || b < 0 || a > 9 || b > 9) return;
  if (a + b >= 18) t = thing_new();
  if (a == 9 && b == 9) thing_xput(t);
}

// ---- What a call gives is a number like any other.

void ok_of_a_result(void) {
  struct thing *t = NULL;
  int n = choose();
  if ((n & 3) == 3) t = thing_new();
  if ((n & 1) && (n & 2)) thing_xput(t);
}
