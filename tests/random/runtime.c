/* The mock API as the programs run with it, and the search through all runs.
 *
 * Every choice of a run (does this call fail, what does choose() say) is one digit of a string; the runs of a
 * function are the walk through all strings, for all small inputs. The first error of a run is what the analyser
 * has to find; later errors of the same run it may report or not, since after the first nothing is defined.
 * Output: one line per function, "name primary secondary without runs bounded".
 */
#include "runtime.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECTS 400
#define MAX_ELEMENTS 12
#define MAX_CHOICES 48
#define MAX_SEEN 20000

struct object {
  struct thing thing; /* what the program sees */
  int owned;          /* references of the function under test, relative to entry */
  int held;           /* by lists */
  int argument;       /* the caller holds one for good */
  int dead;
  int elements;
  struct object *element[MAX_ELEMENTS];
};

static struct object objects[MAX_OBJECTS];
static int num_objects;
static unsigned primary, secondary, without; /* of the function; without: in runs where an argument is NULL */
static int failed_before;           /* an error was seen in this run */
static int spoilt;                  /* the run left what the mock can judge */
static jmp_buf out_of_run;
static char choice[MAX_CHOICES];
static int num_choices, next_choice;

static int null_arguments, next_argument; /* a bit for each argument that is NULL in this run */

/* A function may be meant never to get NULL: what goes wrong then need not be found. */
static void error(unsigned what) {
  if (null_arguments)
    without |= what;
  else if (failed_before)
    secondary |= what;
  else
    primary |= what;
  failed_before = 1;
}

static void leave(void) { longjmp(out_of_run, 1); }

static int decide(void) {
  if (next_choice == MAX_CHOICES) return 0;
  if (next_choice == num_choices) choice[num_choices++] = 0;
  return choice[next_choice++];
}

static struct object *make(void) {
  if (num_objects == MAX_OBJECTS) {
    spoilt = 1;
    leave();
  }
  struct object *o = &objects[num_objects++];
  memset(o, 0, sizeof *o);
  return o;
}

struct thing *mock_argument(void) {
  if (null_arguments >> next_argument++ & 1) return NULL;
  struct object *o = make();
  o->argument = 1;
  return &o->thing;
}

static void die_if_unheld(struct object *o) {
  if (o->dead || o->argument || o->owned > 0 || o->held > 0) return;
  o->dead = 1;
  for (int i = 0; i < o->elements; ++i) {
    --o->element[i]->held;
    die_if_unheld(o->element[i]);
  }
}

static struct object *used(struct thing *t) {
  struct object *o = (struct object *)t;
  if (!o) {
    error(E_NULL);
    leave();
  }
  if (o->dead) error(E_USE);
  return o;
}

/* One reference of the function's goes: away, or to whoever took it. */
static int give_up(struct thing *t) {
  struct object *o = (struct object *)t;
  if (o->dead || (o->owned == 0 && !o->argument)) {
    error(E_OVER);
    return 0;
  }
  --o->owned;
  return 1;
}

static int reaches(struct object *from, struct object *to) {
  if (from == to) return 1;
  for (int i = 0; i < from->elements; ++i)
    if (reaches(from->element[i], to)) return 1;
  return 0;
}

static void hold(struct object *l, struct object *t) {
  if (l->elements == MAX_ELEMENTS || reaches(t, l)) {
    spoilt = 1;
    leave();
  }
  if (l->dead) return;
  l->element[l->elements++] = t;
  ++t->held;
}

static struct thing *fresh(void) {
  struct object *o = make();
  o->owned = 1;
  return &o->thing;
}

struct thing *thing_new(void) { return decide() ? NULL : fresh(); }
void thing_get(struct thing *t) { ++used(t)->owned; }
struct thing *thing_ref(struct thing *t) {
  ++used(t)->owned;
  return t;
}
void thing_put(struct thing *t) {
  if (!t) {
    error(E_NULL);
    return;
  }
  if (give_up(t)) die_if_unheld((struct object *)t);
}
void thing_xput(struct thing *t) {
  if (t) thing_put(t);
}
int thing_use(struct thing *t) {
  used(t);
  return decide() ? -1 : 0;
}
int thing_peek(struct thing *t) {
  used(t);
  return decide();
}
int thing_open(struct thing **out) {
  *out = decide() ? NULL : fresh();
  return *out ? 0 : -1;
}
int thing_load(struct thing **out) {
  if (decide()) return -1;
  *out = fresh();
  return 0;
}
/* Taken over by somebody out of sight, who keeps it. */
static void hand_over(struct object *o) {
  if (give_up(&o->thing)) ++o->held;
}
int thing_consume(struct thing *t) {
  struct object *o = used(t);
  if (decide()) {
    if (give_up(t)) die_if_unheld(o);
    return -1;
  }
  hand_over(o);
  return 0;
}
int thing_submit(struct thing *t) {
  struct object *o = used(t);
  if (decide()) return -1;
  hand_over(o);
  return 0;
}
struct thing *thing_turn(struct thing *t) {
  struct object *o = used(t);
  if (give_up(t)) die_if_unheld(o);
  return decide() ? NULL : fresh();
}
struct thing *list_new(void) { return decide() ? NULL : fresh(); }
int list_add(struct thing *l, struct thing *t) {
  struct object *list = used(l), *o = used(t);
  if (decide()) return -1;
  hold(list, o);
  return 0;
}
int list_push(struct thing *l, struct thing *t) {
  struct object *list = used(l), *o = used(t);
  if (decide()) return -1;
  if (give_up(t)) {
    hold(list, o);
    die_if_unheld(o);
  }
  return 0;
}
int list_take(struct thing *l, struct thing *t) {
  struct object *list = used(l), *o = used(t);
  const int fails = decide();
  if (give_up(t)) {
    if (!fails) hold(list, o);
    die_if_unheld(o);
  }
  return fails ? -1 : 0;
}
/* An element nobody else names: lists hold more than what was put into them here. */
struct thing *list_get(struct thing *l, int i) {
  (void)i;
  struct object *list = used(l);
  if (decide()) return NULL;
  struct object *o = make();
  hold(list, o);
  o->dead = list->dead;
  return &o->thing;
}
struct thing *list_dup(struct thing *l, int i) {
  (void)i;
  used(l);
  return decide() ? NULL : fresh();
}
int choose(void) { return decide(); }

/* ---- the end of a run, and all runs */

/* What a caller sees of each end, and what happened to the arguments' counts there. */
static struct { int key[8]; int delta[3]; } seen[MAX_SEEN];
static int num_seen;
static int result_lent, result_owned;

static int identity(struct thing *t, struct thing **arguments, int n) {
  if (!t) return -1;
  for (int i = 0; i < n; ++i)
    if (arguments[i] == t) return i;
  return 100;
}

void mock_end(struct thing *result, int number, const int *inputs, struct thing **arguments, int num_arguments,
              struct thing **outs, int num_outs) {
  if (spoilt) return;
  for (int i = 0; i < num_objects; ++i) {
    struct object *o = &objects[i];
    int refs = &o->thing == result;
    for (int k = 0; k < num_outs; ++k) refs += outs[k] == &o->thing;
    if (!o->argument && o->owned > refs) error(E_LEAK);
  }
  struct object *r = (struct object *)result;
  if (r && r->dead) error(E_USE);
  if (r && !r->argument && !failed_before) {
    if (r->owned > 0) result_owned = 1;
    else result_lent = 1;
  }
  int key[8] = {number, identity(result, arguments, num_arguments), inputs[0], inputs[1], -2, -2, failed_before, 0};
  for (int k = 0; k < num_outs; ++k) key[4 + k] = identity(outs[k], arguments, num_arguments);
  int delta[3] = {0, 0, 0};
  for (int k = 0; k < num_arguments; ++k)
    if (arguments[k]) delta[k] = ((struct object *)arguments[k])->owned;
  const size_t visible = 6 * sizeof key[0]; /* what a caller sees of the end; after it: was there an error before? */
  for (int i = 0; i < num_seen; ++i) {
    if (memcmp(seen[i].key, key, visible) == 0) {
      /* To be found: the count changed or not. By how much it changed is more than the analyser promises. */
      for (int k = 0; k < 3; ++k)
        if (seen[i].delta[k] != delta[k]) {
          const int maybe = failed_before || seen[i].key[6] || (seen[i].delta[k] && delta[k]);
          *(null_arguments ? &without : maybe ? &secondary : &primary) |= E_PAIR;
        }
      if (seen[i].key[6] == key[6]) return;
      continue;
    }
    /* Failing, it keeps what it gives back when it succeeds. */
    if (memcmp(seen[i].key + 2, key + 2, visible - 2 * sizeof key[0]) != 0) continue;
    for (int k = 0; k < num_arguments; ++k) {
      if (number < 0 && seen[i].key[0] >= 0 && delta[k] > 0 && seen[i].delta[k] == 0) secondary |= E_PAIR;
      if (number >= 0 && seen[i].key[0] < 0 && delta[k] == 0 && seen[i].delta[k] > 0) secondary |= E_PAIR;
    }
  }
  if (num_seen == MAX_SEEN) return;
  memcpy(seen[num_seen].key, key, sizeof key);
  memcpy(seen[num_seen++].delta, delta, sizeof delta);
}

static long runs;
static int bounded;

static void all_choices(const struct driven *d, const int *inputs) {
  const long limit = 60000;
  num_choices = 0;
  for (;;) {
    next_choice = num_objects = failed_before = spoilt = next_argument = 0;
    if (setjmp(out_of_run) == 0) d->drive(inputs);
    if (next_choice == MAX_CHOICES) bounded = 1;
    if (++runs > limit) {
      bounded = 1;
      return;
    }
    num_choices = next_choice;
    while (num_choices > 0 && choice[num_choices - 1] == 1) --num_choices;
    if (num_choices == 0) return;
    choice[num_choices - 1] = 1;
  }
}

static void all_runs(const struct driven *d) {
  static const int values[] = {0, 1, 2, 3, -1, 4, 5, 6, -2};
  const int n = sizeof values / sizeof *values;
  runs = bounded = 0;
  primary = secondary = without = 0;
  num_seen = result_lent = result_owned = 0;
  for (null_arguments = 0; null_arguments < 1 << d->arguments; ++null_arguments) {
    num_seen = 0;
    for (int a = 0; a < (d->inputs > 0 ? n : 1); ++a)
      for (int b = 0; b < (d->inputs > 1 ? n : 1); ++b) {
        const int inputs[2] = {values[a], values[b]};
        all_choices(d, inputs);
      }
  }
  if (result_lent && result_owned) primary |= E_MIX;
  printf("%s %u %u %u %ld %d\n", d->name, primary, secondary, without, runs, bounded);
}

int main(void) {
  for (const struct driven *d = driven_functions; d->name; ++d) all_runs(d);
  return 0;
}
