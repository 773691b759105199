/* The mock counted API of the random programs. Every call that can fail does so on some run. */
#ifndef THING_H
#define THING_H
#define NULL ((void*)0)
struct thing {
  int refs;
};
struct box {
  struct thing *a, *b;
  int n;
};

struct thing* thing_new(void);
void thing_get(struct thing* t);
struct thing* thing_ref(struct thing* t);
void thing_put(struct thing* t);
void thing_xput(struct thing* t);
int thing_use(struct thing* t);
int thing_peek(struct thing* t);
int thing_open(struct thing** out);
int thing_load(struct thing** out);
int thing_consume(struct thing* t);
int thing_submit(struct thing* t);
struct thing* thing_turn(struct thing* t);
struct thing* list_new(void);
int list_add(struct thing* l, struct thing* t);
int list_push(struct thing* l, struct thing* t);
int list_take(struct thing* l, struct thing* t);
struct thing* list_get(struct thing* l, int i);
struct thing* list_dup(struct thing* l, int i);
int choose(void);
#endif
