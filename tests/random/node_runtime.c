/* The mock API of node.h as the programs run with it, and the search through all runs.
 *
 * Whether a call collects and what choose() says are the choices of a run; the runs of a function are the walk through
 * all of them, for all small inputs. A collection takes every node that neither the stack nor a caller's argument
 * reaches. Output: one line per function, "name primary secondary bounded".
 */
#include "node_runtime.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define MAX_NODES 120
#define MAX_KEPT 12
#define MAX_STACK 120
#define MAX_CHOICES 40

struct object {
  struct node node;
  int dead, argument, mark, num_kept;
  struct object *kept[MAX_KEPT];
};

static struct object objects[MAX_NODES];
static int num_objects;
static struct object *stack[MAX_STACK];
static int depth;
static struct object *root; /* held by a call while it runs */
static unsigned primary, secondary;
static int failed_before, spoilt;
static jmp_buf out_of_run;
static char choice[MAX_CHOICES];
static int num_choices, next_choice;

static void error(unsigned what) {
  *(failed_before ? &secondary : &primary) |= what;
  failed_before = 1;
}

static void give_up(void) {
  spoilt = 1;
  longjmp(out_of_run, 1);
}

static int decide(void) {
  if (next_choice == MAX_CHOICES) return 0;
  if (next_choice == num_choices) choice[num_choices++] = 0;
  return choice[next_choice++];
}

static struct object *make(void) {
  if (num_objects == MAX_NODES) give_up();
  struct object *o = &objects[num_objects++];
  memset(o, 0, sizeof *o);
  return o;
}

struct node *mock_argument(void) {
  struct object *o = make();
  o->argument = 1;
  return &o->node;
}

static void mark(struct object *o) {
  if (o->mark) return;
  o->mark = 1;
  for (int i = 0; i < o->num_kept; ++i) mark(o->kept[i]);
}

static void maybe_collect(void) {
  if (decide()) return; /* the first choice is the one that finds things */
  for (int i = 0; i < num_objects; ++i) objects[i].mark = 0;
  for (int i = 0; i < num_objects; ++i)
    if (objects[i].argument) mark(&objects[i]);
  for (int i = 0; i < depth; ++i) mark(stack[i]);
  if (root) mark(root);
  for (int i = 0; i < num_objects; ++i)
    if (!objects[i].mark) objects[i].dead = 1;
}

static struct object *used(struct node *x) {
  struct object *o = (struct object *)x;
  if (!o) give_up();
  if (o->dead) error(E_UNPROTECTED);
  return o;
}

static void keep(struct object *x, struct object *v) {
  if (x->num_kept == MAX_KEPT) give_up();
  x->kept[x->num_kept++] = v;
}

struct node *node_new(void) {
  maybe_collect();
  return &make()->node;
}
struct node *node_pair(struct node *a) {
  used(a);
  maybe_collect();
  struct object *v = used(a), *o = make();
  keep(o, v);
  return &o->node;
}
int node_eval(struct node *x) {
  used(x);
  maybe_collect();
  used(x);
  return decide();
}
void node_collect(void) { maybe_collect(); }
int node_peek(struct node *x) {
  used(x);
  return decide();
}
void node_set(struct node *x, struct node *v) { keep(used(x), used(v)); }
struct node *node_get(struct node *x) {
  struct object *o = used(x), *v = make();
  v->dead = o->dead;
  keep(o, v);
  return &v->node;
}
struct node *protect(struct node *x) {
  if (depth == MAX_STACK) give_up();
  stack[depth++] = used(x);
  return x;
}
void unprotect(int n) {
  if (n < 0) {
    error(E_BALANCE);
    return;
  }
  if (n > depth) {
    error(E_BALANCE);
    n = depth;
  }
  depth -= n;
}
int choose(void) { return decide(); }

void mock_end(struct node *result) {
  if (result) used(result);
  if (depth != 0) error(E_BALANCE);
}

static void all_choices(const struct driven *d, const int *inputs, long *runs, int *bounded) {
  num_choices = 0;
  for (;;) {
    next_choice = num_objects = failed_before = spoilt = depth = 0;
    if (setjmp(out_of_run) == 0) d->drive(inputs);
    if (next_choice == MAX_CHOICES) *bounded = 1;
    if (++*runs > 40000) {
      *bounded = 1;
      return;
    }
    num_choices = next_choice;
    while (num_choices > 0 && choice[num_choices - 1] == 1) --num_choices;
    if (num_choices == 0) return;
    choice[num_choices - 1] = 1;
  }
}

int main(void) {
  static const int values[] = {0, 1, 2, 3, -1, 4, 5};
  const int n = sizeof values / sizeof *values;
  for (const struct driven *d = driven_functions; d->name; ++d) {
    long runs = 0;
    int bounded = 0;
    primary = secondary = 0;
    for (int a = 0; a < (d->inputs > 0 ? n : 1); ++a)
      for (int b = 0; b < (d->inputs > 1 ? n : 1); ++b) {
        const int inputs[2] = {values[a], values[b]};
        all_choices(d, inputs, &runs, &bounded);
      }
    printf("%s %u %u %d\n", d->name, primary, secondary, bounded);
  }
  return 0;
}
