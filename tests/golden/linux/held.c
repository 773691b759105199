// A member says whether a count is held: it is set where the count is taken, asked and cleared where it is given back.
#include "mock.h"

struct mix {
  struct clk *clk;
  struct device *dev;
  bool on;
  bool tuned;
};
int mix_setup(struct mix *m);
int mix_tune(struct device *dev);

static void mix_off(struct mix *m) {
  if (!m->on) return;
  clk_disable_unprepare(m->clk);
  m->on = false;
}

// Where enabling failed, the member is set only if it was before.
int held_flag_says_so(struct mix *m) {
  int ret = clk_prepare_enable(m->clk);
  if (ret)
    dev_err(m->dev, "cannot enable\n");
  else
    m->on = true;
  ret = mix_setup(m);
  if (ret < 0) goto off;
  ret = mix_tune(m->dev);
  if (ret) goto off;
  return 0;
off:
  mix_off(m);
  return ret;
}

// The member is asked, and another one is cleared: that says nothing.
int held_bad_given_back_twice(struct mix *m) {  // expect-in-function: linux-path-pair
  int ret = clk_prepare_enable(m->clk);
  if (ret) goto off;
  ret = mix_tune(m->dev);
  if (ret < 0) goto off;
  return 0;
off:
  clk_disable_unprepare(m->clk);
  return ret;
}

// The member was clear, is set with the count and stays set where a later step fails: whoever asks it gives it back.
int held_flag_set(struct mix *m) {
  int ret;
  if (!m->on) {
    ret = clk_prepare_enable(m->clk);
    if (ret) return ret;
    m->on = true;
  }
  ret = mix_tune(m->dev);
  if (ret < 0) {
    mix_off(m);
    return ret;
  }
  return mix_tune(m->dev);
}

// Whatever it was before, it is set with the count: mix_off() goes by it, whoever calls that.
int held_flag_set_unasked(struct mix *m, int wanted) {
  int ret;
  if (wanted) {
    ret = clk_prepare_enable(m->clk);
    if (ret) return ret;
    m->on = true;
  }
  ret = mix_tune(m->dev);
  if (ret < 0) return ret;
  return 0;
}

// A member that nobody goes by says nothing.
int held_bad_other_member(struct mix *m, int wanted) {  // expect-in-function: linux-path-pair
  int ret;
  if (wanted) {
    ret = clk_prepare_enable(m->clk);
    if (ret) return ret;
    m->tuned = true;
  }
  ret = mix_tune(m->dev);
  if (ret < 0) return ret;
  return 0;
}

// The same with a bit among others.
struct bits {
  struct clk *clk;
  unsigned int other : 1;
  unsigned int used : 1;
};
int bits_write(struct bits *b, int what);
int held_bit_set(struct bits *b, int want) {
  int ret;
  if (want && !b->used) {
    ret = clk_prepare(b->clk);
    if (ret < 0) return ret;
    b->used = 1;
  }
  ret = bits_write(b, 1);
  if (ret < 0) {
    if (b->used) {
      clk_unprepare(b->clk);
      b->used = 0;
    }
    return ret;
  }
  return bits_write(b, 2);
}
void held_bit_cleared(struct bits *b) {
  if (b->used) {
    clk_unprepare(b->clk);
    b->used = 0;
  }
}

// Another bit is set than the one that was asked.
int held_bad_another_bit(struct bits *b, int want) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int ret;
  if (!b->used) {
    ret = clk_prepare(b->clk);
    if (ret < 0) return ret;
    b->other = 1;
    ret = bits_write(b, 1);
    if (ret < 0) return ret;
    clk_unprepare(b->clk);
  }
  return 0;
}
