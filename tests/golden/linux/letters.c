// Pairs of ends by the letter, for ordinary counts, for loops, and for failures that give back together.
#include "mock.h"

struct sock;
struct sk_buff *skb_get(struct sk_buff *skb);
void sock_put(struct sock *sk);
int pulse_read(struct device *dev);
void pulse_poke(struct device *dev);

// What made the ends part is an argument; both took the reference by the same call.
int hold_fails_by_state(struct sock *sk) {  // expect-in-function: linux-leak
  sock_hold(sk);
  if (sk->state == 3) return -EINVAL;
  sock_put(sk);
  return 0;
}

int hold_fails_by_number(struct device *d, int n) {  // expect-in-function: linux-leak
  get_device(d);
  if (n > 8) return -EINVAL;
  pulse_poke(d);
  put_device(d);
  return 0;
}

int hold_ok(struct device *d, int n) {
  get_device(d);
  if (n > 8) {
    put_device(d);
    return -EINVAL;
  }
  pulse_poke(d);
  put_device(d);
  return 0;
}

// Taken on the one way only.
int hold_ok_taken_by_number(struct device *d, int n) {
  if (n > 8) {
    get_device(d);
    return 0;
  }
  return -EINVAL;
}

// ---- loops ----------------------------------------------------------------------------------------------------------

int loop_skips_a_failed_get(struct device *d, int n) {  // expect-in-function: linux-path-pair
  for (int i = 0; i < n; i++) {
    if (pm_runtime_get_sync(d) < 0) continue;
    pulse_poke(d);
    pm_runtime_put(d);
  }
  return 0;
}

int loop_tries_again(struct device *d) {  // expect-in-function: linux-path-pair|linux-failure-keeps
  int tries = 3, r;
  do {
    r = pm_runtime_get_sync(d);
    if (r >= 0) break;
  } while (--tries);
  if (r < 0) {
    pm_runtime_put_noidle(d);
    return r;
  }
  pulse_poke(d);
  pm_runtime_put(d);
  return 0;
}

int loop_ok(struct device *d, int n) {
  for (int i = 0; i < n; i++) {
    if (pm_runtime_get_sync(d) < 0) {
      pm_runtime_put_noidle(d);
      continue;
    }
    pulse_poke(d);
    pm_runtime_put(d);
  }
  return 0;
}

// ---- failures that give back together ---------------------------------------------------------------------------------

struct urb *usb_get_from_anchor(struct usb_anchor *anchor);
struct pulse {
  struct clk *clk;
  int on;
};

// Where it was suspended nothing was enabled.
int resume_gives_back_what_it_did_not_take(struct device *d, struct pulse *p) {  // expect-in-function: linux-count-left|linux-path-pair
  int r;
  if (!pm_runtime_suspended(d)) {
    r = clk_prepare_enable(p->clk);
    if (r) return r;
  }
  r = pulse_read(d);
  if (r) clk_disable_unprepare(p->clk);
  return r;
}

int resume_ok(struct device *d, struct pulse *p) {
  const bool off = pm_runtime_suspended(d);
  int r;
  if (!off) {
    r = clk_prepare_enable(p->clk);
    if (r) return r;
  }
  r = pulse_read(d);
  if (r && !off) clk_disable_unprepare(p->clk);
  return r;
}

// A member decides, and says whether there is a clock at all.
int resume_ok_by_member(struct device *d, struct pulse *p) {
  int r;
  if (p->on) {
    r = clk_prepare_enable(p->clk);
    if (r) return r;
  }
  r = pulse_read(d);
  if (r) clk_disable_unprepare(p->clk);
  return r;
}

// ---- an error pointer is no clock -------------------------------------------------------------------------------------

struct clk *devm_clk_get(struct device *dev, const char *id);

int error_pointer_ok(struct device *d, struct pulse *p) {
  int r;
  p->clk = devm_clk_get(d, "a");
  if (IS_ERR(p->clk)) {
    if (PTR_ERR(p->clk) == -EPROBE_DEFER) return -EPROBE_DEFER;
  } else {
    r = clk_prepare_enable(p->clk);
    if (r) return r;
  }
  r = pulse_read(d);
  if (r) clk_disable_unprepare(p->clk);
  return r;
}

struct rack {
  struct clk *clocks[4];
};
int error_pointer_ok_in_a_row(struct rack *k) {
  int i, r;
  for (i = 0; i < 4; i++) {
    if (IS_ERR(k->clocks[i])) continue;
    r = clk_prepare_enable(k->clocks[i]);
    if (r < 0) {
      for (--i; i >= 0; i--) clk_disable_unprepare(k->clocks[i]);
      return r;
    }
  }
  return 0;
}

// ---- a helper's mistake is told there ---------------------------------------------------------------------------------

struct twins {
  struct clk *a, *b;
};
static int twins_on(struct twins *t) {  // expect-in-function: linux-path-pair
  int r = clk_prepare_enable(t->a);
  if (r) return r;
  return clk_prepare_enable(t->b);
}
static int twins_probe(struct platform_device *pdev) {
  struct twins *t = platform_get_drvdata(pdev);
  int r;
  t->a = devm_clk_get(&pdev->dev, "a");
  t->b = devm_clk_get(&pdev->dev, "b");
  r = twins_on(t);
  if (r) return r;
  return 0;
}
struct platform_driver twins_driver = {.probe = twins_probe};

// ---- an urb from an anchor --------------------------------------------------------------------------------------------

// The completion gives back the anchor's reference, not this one.
int anchored_submitted_and_kept(struct usb_anchor *from) {  // expect-in-function: linux-leak
  struct urb *u = usb_get_from_anchor(from);
  int r;
  if (!u) return 0;
  r = usb_submit_urb(u, GFP_ATOMIC);
  if (r) {
    usb_free_urb(u);
    return r;
  }
  return 0;
}

int anchored_ok(struct usb_anchor *from) {
  struct urb *u = usb_get_from_anchor(from);
  int r;
  if (!u) return 0;
  r = usb_submit_urb(u, GFP_ATOMIC);
  usb_free_urb(u);
  return r;
}

// ---- known misses -----------------------------------------------------------------------------------------------------

// Elements of an array at a variable index are not told apart.
int FN_row_enabled_in_part(struct clk **c, int n) {
  int i, r;
  for (i = 0; i < n; i++) {
    r = clk_prepare_enable(c[i]);
    if (r) return r;
    // expect-not-yet: linux-failure-keeps
  }
  return 0;
}

// Success keeps one count, failure none: so do functions whose job is to take it.
int FN_taken_twice_given_back_once(struct device *d) {
  int r;
  pm_runtime_get_noresume(d);
  r = pm_runtime_resume_and_get(d);
  if (r) {
    pm_runtime_put_noidle(d);
    return r;
  }
  pulse_poke(d);
  pm_runtime_put(d);
  // expect-not-yet: linux-count-left
  return 0;
}
