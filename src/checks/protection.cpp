// imbalance, negative-depth, unprotected, unprotected-arg, arguments: objects of a collector that has to be told what
// is in use (rchk's bcheck, maacheck and ueacheck).
//
// The engine says where an object may have been collected and where it is used after that, and how deep the protection
// stack is at each end. Here that becomes a sentence; nothing is decided again. Where the object is new only for a kind
// of argument that nobody has shown (names of what might be a pairlist), the finding is of low confidence.

#include "checks/checks.h"

namespace reckon::checks {

using model::kNone;

namespace {

std::string call_name(const View& v, std::uint32_t instr) {
  const std::string name = v.callee_of(instr);
  return name.empty() ? "the call" : name + "()";
}

// "made here", "no longer protected", "may be collected": what leads to the use.
void tell_history(const View& v, report::Finding& f) {
  std::vector<report::Step> steps;
  auto add = [&](std::uint32_t instr, std::string text) {
    if (instr == kNone) return;
    report::Step step;
    step.loc = v.loc(instr);
    step.text = std::move(text);
    steps.push_back(std::move(step));
  };
  const engine::Obj& o = v.object();
  add(o.origin, v.quoted_object() + " is made here");
  add(o.touched, v.quoted_object() + " is no longer protected from here on");
  add(o.released, call_name(v, o.released) + " may collect garbage");
  for (report::Step& s : f.path) s.essential = s.essential && !s.text.starts_with("when ");
  f.path.insert(f.path.end(), steps.begin(), steps.end());
}

}  // namespace

std::optional<report::Finding> report_unprotected(const View& v) {
  report::Finding f = v.finding("unprotected");
  f.severity = report::Severity::High;
  const std::string at = call_name(v, v.object().released);
  f.message = v.quoted_object() + " is not protected while " + at + " may collect garbage, and is used here";
  if (v.event().supposed) f.confidence = report::Confidence::Low;
  tell_history(v, f);
  return f;
}

std::optional<report::Finding> report_unprotected_argument(const View& v) {
  report::Finding f = v.finding("unprotected-arg");
  f.severity = report::Severity::High;
  const std::string callee = v.event().callee.empty() ? "a function" : v.event().callee + "()";
  f.message = v.quoted_object() + " is passed unprotected to " + callee +
              ", which may collect garbage before it is done with it";
  if (v.event().supposed) f.confidence = report::Confidence::Low;
  tell_history(v, f);
  return f;
}

std::optional<report::Finding> report_argument_order(const View& v) {
  report::Finding f = v.finding("arguments");
  f.severity = report::Severity::Medium;
  const std::string callee =
      v.event().callee.empty() ? "another argument" : v.event().callee + "(), another argument of the same call,";
  f.message = v.quoted_object() + " is not protected while " + callee +
              " may collect garbage: the order of evaluation is not specified";
  if (v.event().supposed) f.confidence = report::Confidence::Low;
  tell_history(v, f);
  return f;
}

std::optional<report::Finding> report_depth_at_exit(const View& v) {
  report::Finding f = v.finding("imbalance");
  const int d = v.event().delta;
  f.depth_left = d;
  if (v.event().supposed || v.no_case_fits()) f.confidence = report::Confidence::Low;
  if (d > 0)
    f.message =
        "returns with " + std::to_string(d) + (d == 1 ? " object" : " objects") + " left on the protection stack";
  else if (d < 0)
    f.message = "returns with the protection stack " + std::to_string(-d) + " lower than it was at the start";
  else
    f.message = "the protection stack is not as deep at this return as it was at the start";
  return f;
}

std::optional<report::Finding> report_depth_negative(const View& v) {
  report::Finding f = v.finding("negative-depth");
  f.severity = report::Severity::High;
  f.message = "more is taken off the protection stack than this function has put there";
  if (v.no_case_fits()) f.confidence = report::Confidence::Low;
  return f;
}

std::optional<report::Finding> report_depth_in_loop(const View& v) {
  report::Finding f = v.finding("imbalance");
  f.message = "the protection stack does not come back to the same depth in each round of this loop";
  return f;
}

std::optional<report::Finding> report_depth_by_data(const View& v) {
  report::Finding f = v.finding("protect-overflow");
  f.severity = report::Severity::Low;
  f.message =
      "each round of this loop leaves an object on the protection stack, and an object's length says how often: the "
      "stack is not made for that";
  return f;
}

std::optional<report::Finding> report_preserve_leak(const View& v) {
  report::Finding f = v.finding("preserve-leak");
  f.severity = report::Severity::Low;
  const std::string callee = v.event().callee.empty() ? "the call" : v.event().callee + "()";
  f.message = v.quoted_object() + " is kept for good if " + callee + " fails: an error skips what releases it";
  return f;
}

std::optional<report::Finding> report_barrier_bypassed(const View& v) {
  report::Finding f = v.finding("write-barrier");
  f.severity = report::Severity::Medium;
  f.message =
      "elements are written through a pointer: the collector is not told that an older object now holds newer ones";
  return f;
}

}  // namespace reckon::checks
