// Attributes at declarations are all that is known here: no header names a domain, and no spec is given.
struct thing;
struct thing *thing_make(int n) __attribute__((ownership_returns(thing)));
void thing_drop(struct thing *t) __attribute__((ownership_takes(thing, 1)));
void shelf_add(struct thing *t) __attribute__((ownership_holds(thing, 1)));
struct thing *thing_like(struct thing *t) __attribute__((annotate("reckon: -> new | NULL fails")));
void thing_start(struct thing *t) __attribute__((annotate("reckon: -> void arg0.use+1")));
void thing_stop(struct thing *t) __attribute__((annotate("reckon: -> void arg0.use-1")));
int thing_size(struct thing *t);

// cleanup: of functions with a body, and of one out of sight.
static inline void thing_dropp(struct thing **t) {
  if (*t) thing_drop(*t);
}
void thing_freep(struct thing **t);
#define AUTO_DROP __attribute__((cleanup(thing_dropp)))
#define AUTO_FREE __attribute__((cleanup(thing_freep)))
struct lock;
struct lock *lock_of(struct thing *t);
void unlockp(struct lock **l);

int B01_returns(void) {  // expect-in-function: attribute-leak
  struct thing *t = thing_make(1);
  if (!t) return -1;
  if (thing_size(t) == 0) return 0;
  thing_drop(t);
  return 1;
}

int B02_ok(void) {
  struct thing *t = thing_make(1);
  if (!t) return -1;
  if (thing_size(t) == 0) {
    thing_drop(t);
    return 0;
  }
  shelf_add(t);
  return 1;
}

int B03_holds(void) {
  struct thing *t = thing_make(1);
  if (!t) return -1;
  shelf_add(t);
  thing_drop(t);  // expect: attribute-over-release
  return 1;
}

int B04_takes(void) {
  struct thing *t = thing_make(1);
  if (!t) return -1;
  thing_drop(t);
  return thing_size(t);  // expect: attribute-use-after-release
}

int B05_annotated(struct thing *model) {  // expect-in-function: attribute-leak
  struct thing *t = thing_like(model);
  return t ? thing_size(t) : 0;
}

// A count with a name is not the reference: nothing is wrong with what `t` is owned by.
int B06_ok_named_count(void) {
  struct thing *t = thing_make(1);
  if (!t) return -1;
  thing_start(t);
  thing_stop(t);
  thing_drop(t);
  return 0;
}

int B07_ok_cleanup(void) {
  AUTO_DROP struct thing *t = thing_make(1);
  AUTO_FREE struct thing *u = thing_make(2);
  return thing_size(t) + thing_size(u);
}

int B08_cleanup_again(void) {
  AUTO_DROP struct thing *t = thing_make(1);
  if (!t) return 0;
  thing_drop(t);
  return 1;  // expect: attribute-over-release
}

struct thing *B09_cleanup_returned(void) {
  AUTO_DROP struct thing *t = thing_make(1);
  if (thing_size(t) == 3) return 0;
  return t;  // expect: attribute-use-after-release
}

struct thing *B10_cleanup_out_of_sight(void) {
  AUTO_FREE struct thing *t = thing_make(1);
  if (thing_size(t) == 3) return 0;
  return t;  // expect: attribute-use-after-release
}

struct thing *B11_ok_taken_from_cleanup(void) {
  AUTO_FREE struct thing *t = thing_make(1);
  struct thing *out = t;
  if (thing_size(t) == 3) return 0;
  t = 0;
  return out;
}

// Nobody counts locks.
int B12_ok_unlocks(struct thing *t) {
  __attribute__((cleanup(unlockp))) struct lock *l = lock_of(t);
  return l == lock_of(t);
}
