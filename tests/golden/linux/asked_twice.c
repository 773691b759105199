// The same question asked twice, and notes that a driver keeps about what it holds: in members, counters, states and
// bits.
#include "mock.h"

struct press_config {
  int mode;
  int stages;
};
struct press {
  struct device* dev;
  struct clk *clk, *aux;
  const struct press_config* config;
  struct mutex lock;
  unsigned int flags;
  int version, users, state;
  unsigned long bits;
};
enum { PRESS_IDLE, PRESS_RUNS };
int press_work(struct press* p);
int strcmp(const char* a, const char* b);
bool of_property_read_bool(const struct device_node* np, const char* name);
void set_bit(long nr, volatile unsigned long* addr);
void clear_bit(long nr, volatile unsigned long* addr);
bool test_bit(long nr, const volatile unsigned long* addr);

// ---- questions ------------------------------------------------------------------------------------------------------

static bool is_second(const struct press* p) { return p->config->mode == 2; }
static int has_power(const struct press* p) { return p->flags & 4 ? 1 : 0; }

int asked_ok_helper(struct press* p) {
  int r;
  if (is_second(p)) {
    r = clk_prepare_enable(p->clk);
    if (r) return r;
  }
  mutex_lock(&p->lock);
  r = p->version + 1;
  mutex_unlock(&p->lock);
  if (is_second(p)) clk_disable_unprepare(p->clk);
  return r < 0 ? r : 0;
}

int asked_ok_bit_around_a_loop(struct press* p, int n) {
  int r = 0;
  if (p->flags & BIT(3)) {
    r = clk_prepare_enable(p->aux);
    if (r) return r;
  }
  for (int i = 0; i < n; i++) r += i;
  if (p->flags & BIT(3)) clk_disable_unprepare(p->aux);
  return 0;
}

int asked_ok_answer_compared(struct press* p) {
  int r;
  if (has_power(p) > 0) {
    r = pm_runtime_resume_and_get(p->dev);
    if (r < 0) return r;
  }
  dev_err(p->dev, "pressing\n");
  if (has_power(p) > 0) pm_runtime_put(p->dev);
  return 0;
}

int asked_ok_two_members(struct press* p) {
  int r;
  if (p->config->stages > 1 && p->aux) {
    r = clk_prepare_enable(p->aux);
    if (r) return r;
  }
  r = clk_prepare_enable(p->clk);
  if (r) {
    if (p->config->stages > 1 && p->aux) clk_disable_unprepare(p->aux);
    return r;
  }
  clk_disable_unprepare(p->clk);
  if (p->config->stages > 1 && p->aux) clk_disable_unprepare(p->aux);
  return 0;
}

int asked_ok_property(struct press* p, struct device_node* np) {
  int r;
  if (of_property_read_bool(np, "acme,fast")) {
    r = clk_prepare_enable(p->aux);
    if (r) return r;
  }
  r = press_work(p);
  if (of_property_read_bool(np, "acme,fast")) clk_disable_unprepare(p->aux);
  return r;
}

int asked_ok_text(struct press* p, const char* name) {
  int r;
  if (!strcmp(name, "fast")) {
    r = clk_prepare_enable(p->aux);
    if (r) return r;
  }
  r = press_work(p);
  if (!strcmp(name, "fast")) clk_disable_unprepare(p->aux);
  return r;
}

int asked_bad_another_bit(struct press* p) {  // expect-in-function: linux-path-pair
  int r;
  if (p->flags & 1) {
    r = clk_prepare_enable(p->clk);
    if (r) return r;
  }
  r = press_work(p);
  if (p->flags & 2) clk_disable_unprepare(p->clk);
  return r;
}

// Without a result, and with no get that both ways pass, it is a pair by state, which no rule tells from a register.
void FN_another_bit_without_result(struct press* p) {  // expect-not-yet: linux-path-pair
  if (p->flags & 1) clk_prepare_enable(p->clk);
  if (p->flags & 2) clk_disable_unprepare(p->clk);
}

// ---- notes ----------------------------------------------------------------------------------------------------------

int noted_ok_users(struct press* p) {
  int r = 0;
  mutex_lock(&p->lock);
  if (p->users == 0) {
    r = pm_runtime_resume_and_get(p->dev);
    if (r < 0) goto out;
  }
  p->users++;
out:
  mutex_unlock(&p->lock);
  return r;
}
void noted_ok_users_put(struct press* p) {
  mutex_lock(&p->lock);
  if (--p->users == 0) pm_runtime_put(p->dev);
  mutex_unlock(&p->lock);
}

int noted_ok_state(struct press* p) {
  int r;
  if (p->state == PRESS_RUNS) return 0;
  r = pm_runtime_resume_and_get(p->dev);
  if (r < 0) return r;
  r = press_work(p);
  if (r) {
    pm_runtime_put(p->dev);
    return r;
  }
  p->state = PRESS_RUNS;
  return 0;
}
int noted_bad_state(struct press* p) {  // expect-in-function: linux-path-pair
  int r;
  if (p->state == PRESS_RUNS) return 0;
  r = pm_runtime_resume_and_get(p->dev);
  if (r < 0) return r;
  r = press_work(p);
  if (r) return r;
  p->state = PRESS_RUNS;
  return 0;
}

// Bits that functions of the kernel set and ask are no members that are read and written: nobody knows what they note.
int FP_noted_by_bit(struct press* p) {
  int r;
  if (test_bit(5, &p->bits)) return 0;
  r = clk_prepare_enable(p->clk);
  if (r) return r;
  set_bit(5, &p->bits);
  r = press_work(p);
  if (r) return r;  // false-alarm: linux-path-pair
  return 0;
}
void noted_ok_bit_off(struct press* p) {
  if (!test_bit(5, &p->bits)) return;
  clk_disable_unprepare(p->clk);
  clear_bit(5, &p->bits);
}
