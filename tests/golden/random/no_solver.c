// flags: --no-smt --specs ../../random/thing.spec -- -I../../random
// alone
// What solver.c has right by asking the solver, wrong without: these are what it is for.
#include "thing.h"

void FP_odd_both_ways(unsigned n) {
  struct thing *t = NULL;
  if (n & 1) t = thing_new();
  if (n % 2 == 1) thing_xput(t);
}  // false-alarm: thing-leak

void FP_both_bits(int flags) {
  struct thing *t = NULL;
  if ((flags & 6) == 6) t = thing_new();
  if (flags & 2)
    if (flags & 4) thing_xput(t);  // false-alarm: thing-leak
}

void FP_shifted(unsigned mode) {
  struct thing *t = NULL;
  if (((mode >> 4) & 3) == 2) t = thing_new();
  if ((mode & 0x30) == 0x20) thing_xput(t);
}  // false-alarm: thing-leak

void FP_product_of_both(int a, int b) {
  struct thing *t = NULL;
  if (a != 0 && b != 0 && a < 100 && b < 100 && a > -100 && b > -100) t = thing_new();
  if (a * b != 0) thing_xput(t);
}  // false-alarm: thing-leak

void FP_multiple_of_six(unsigned n) {
  struct thing *t = NULL;
  if (n % 6 == 0) t = thing_new();
  if (n % 2 == 0 && n % 3 == 0) thing_xput(t);
}  // false-alarm: thing-leak

void FP_less_is_transitive(int a, int b, int c) {
  struct thing *t = NULL;
  if (a < b && b < c) t = thing_new();
  if (a < c) thing_xput(t);
}  // false-alarm: thing-leak

void FP_sum_of_small(int a, int b) {
  struct thing *t = NULL;
  if (a < 0 || b < 0 || a > 9 || b > 9) return;
  if (a + b >= 18) t = thing_new();
  if (a == 9 && b == 9) thing_xput(t);
}  // false-alarm: thing-leak

void FP_of_a_result(void) {
  struct thing *t = NULL;
  int n = choose();
  if ((n & 3) == 3) t = thing_new();
  if ((n & 1) && (n & 2)) thing_xput(t);
}  // false-alarm: thing-leak
