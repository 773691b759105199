/* The mock API of dev.h as the programs run with it: two runs with equal arguments and result that leave the count
 * differently are an inconsistent pair. Choices and their search are as in runtime.c.
 * Output: one line per function, "name primary secondary bounded".
 */
#include "dev_runtime.h"

#include <stdio.h>
#include <string.h>

#define MAX_CHOICES 40
#define MAX_SEEN 4000

static struct dev device;
static int count;
static unsigned primary, secondary;
static char choice[MAX_CHOICES];
static int num_choices, next_choice, bounded;

static int decide(void) {
  if (next_choice == MAX_CHOICES) {
    bounded = 1;
    return 0;
  }
  if (next_choice == num_choices) choice[num_choices++] = 0;
  return choice[next_choice++];
}

struct dev *mock_argument(void) { return &device; }

/* More than one error: callers cannot tell by the number which call it was. */
static int failure(void) { return decide() ? -1 : -2; }

int dev_get(struct dev *d) {
  (void)d;
  if (decide()) return failure();
  ++count;
  return 0;
}
int dev_sync(struct dev *d) {
  (void)d;
  ++count;
  return decide() ? failure() : 0;
}
void dev_hold(struct dev *d) { (void)d, ++count; }
void dev_put(struct dev *d) { (void)d, --count; }
int dev_work(struct dev *d) {
  (void)d;
  return decide() ? failure() : 0;
}
int choose(void) { return decide(); }

static struct { int key[3]; int delta; } seen[MAX_SEEN];
static int num_seen;

void mock_end(int result, const int *inputs) {
  const int key[3] = {result, inputs[0], inputs[1]};
  for (int i = 0; i < num_seen; ++i) {
    if (memcmp(seen[i].key + 1, key + 1, 2 * sizeof key[0]) != 0) continue;
    if (seen[i].key[0] == result) {
      /* To be found: the count changed or not. By how much is more than the analyser promises. */
      if (seen[i].delta != count) *(seen[i].delta && count ? &secondary : &primary) |= E_PAIR;
      if (seen[i].delta == count) return;
      continue;
    }
    /* Failing, it keeps what it gives back when it succeeds: may be said. */
    if ((result < 0) != (seen[i].key[0] < 0) && seen[i].delta != count) secondary |= E_PAIR;
  }
  if (num_seen == MAX_SEEN) return;
  memcpy(seen[num_seen].key, key, sizeof key);
  seen[num_seen++].delta = count;
}

int main(void) {
  static const int values[] = {0, 1, 2, 3, -1, 4, 5};
  const int n = sizeof values / sizeof *values;
  for (const struct driven *d = driven_functions; d->name; ++d) {
    long runs = 0;
    primary = secondary = 0;
    num_seen = bounded = 0;
    for (int a = 0; a < (d->inputs > 0 ? n : 1); ++a)
      for (int b = 0; b < (d->inputs > 1 ? n : 1); ++b) {
        const int inputs[2] = {values[a], values[b]};
        num_choices = 0;
        for (;;) {
          next_choice = count = 0;
          d->drive(inputs);
          if (++runs > 60000) {
            bounded = 1;
            break;
          }
          num_choices = next_choice;
          while (num_choices > 0 && choice[num_choices - 1] == 1) --num_choices;
          if (num_choices == 0) break;
          choice[num_choices - 1] = 1;
        }
      }
    printf("%s %u %u %d\n", d->name, primary, secondary, bounded);
  }
  return 0;
}
