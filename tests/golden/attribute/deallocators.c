// GCC's attribute with a deallocator: what a function hands out is given to that one. Clang takes `malloc` without arguments
// only; the attribute may stand in a macro, too.
#define DEALLOC(free, n) __attribute__((__malloc__(free, n), __warn_unused_result__))

struct thing;
void thing_free(struct thing *t);
int thing_close(int how, struct thing *t);
void free(void *p);
struct thing *thing_make(int n) __attribute__((malloc(thing_free, 1)));
struct thing *thing_open(const char *name) __attribute__((malloc, malloc(thing_close, 2)));
extern struct thing *thing_macro(void) DEALLOC(thing_free, 1);
__attribute__((malloc(thing_free))) struct thing *thing_front(void);
[[gnu::malloc(thing_free, 1)]] struct thing *thing_square(void);
char *thing_name(struct thing *t) __attribute__((malloc(free, 1)));
void *plain(unsigned long n) __attribute__((malloc));
int thing_size(struct thing *t);

int A01_argument(void) {  // expect-in-function: attribute-leak
  struct thing *t = thing_make(1);
  if (!t) return -1;
  if (thing_size(t) == 0) return 0;
  thing_free(t);
  return 1;
}

int A02_second_argument(void) {  // expect-in-function: attribute-leak
  struct thing *t = thing_open("x");
  if (!t) return -1;
  if (thing_size(t) == 0) return 0;
  return thing_close(1, t);
}

int A03_macro(void) {  // expect-in-function: attribute-leak
  struct thing *t = thing_macro();
  return t ? thing_size(t) : 0;
}

int A04_twice(void) {
  struct thing *t = thing_front();
  thing_free(t);
  thing_free(t);  // expect: attribute-over-release
  return 1;
}

int A05_square(void) {  // expect-in-function: attribute-leak
  return thing_size(thing_square());
}

int A06_free(struct thing *t) {  // expect-in-function: attribute-leak
  char *name = thing_name(t);
  if (!name) return 0;
  if (name[0] == 7) return 1;
  free(name);
  return 0;
}

struct thing *A07_ok_handed_on(void) { return thing_front(); }

// The attribute without arguments says nothing about who gives back what.
int A08_ok_plain(void) {
  void *p = plain(8);
  return p != 0;
}

struct shelf {
  struct thing *best;
};
void A09_ok_kept(struct shelf *s) {
  struct thing *t = thing_make(2);
  if (s->best) thing_free(s->best);
  s->best = t;
}
