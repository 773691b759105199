// path-pair: two ways through a function that its callers cannot tell apart change a count differently (RID).
// state-pair: the same where both succeed, and only state that nobody here sees decides between them.
// count-left: a function that owes the count it found leaves another, or gives back more or less than it took.
// failure-keeps: the failing way keeps a count that the succeeding way gives back.

#include "checks/checks.h"

namespace reckon::checks {

namespace {
std::string signed_number(int n) { return n > 0 ? "+" + std::to_string(n) : std::to_string(n); }

// What gives the count of such an object back may reach it in another way, and nobody could tell.
void grade(const View& v, report::Finding& f) {
  if (v.unnamed_in_callee()) f.confidence = report::Confidence::Low;
}
}  // namespace

std::optional<report::Finding> report_path_pair(const View& v) {
  report::Finding f = v.finding("path-pair");
  const engine::Event& e = v.event();
  f.message = "the `" + e.count + "` count of " + v.quoted_object() + " changes by " + signed_number(e.delta) +
              " here and by " + signed_number(e.other_delta) + " on another path that callers cannot tell apart";
  f.other_path = v.other_path();
  grade(v, f);
  return f;
}

std::optional<report::Finding> report_state_pair(const View& v) {
  std::optional<report::Finding> f = report_path_pair(v);
  report::Finding out = v.finding("state-pair");
  out.message = std::move(f->message);
  out.other_path = std::move(f->other_path);
  out.severity = report::Severity::Note;
  return out;
}

std::optional<report::Finding> report_count_kept(const View& v) {
  report::Finding f = v.finding("count-left");
  const engine::Event& e = v.event();
  f.message = "the `" + e.count + "` count of " + v.quoted_object();
  if (e.delta < 0)
    f.message += " is given back more often than it was taken";
  else if (e.other_instr == model::kNone && e.other_delta > 0)
    f.message += " is taken more often than it is given back, on every way through the function";
  else
    f.message += e.other_instr == model::kNone ? " is taken and never given back, and nobody is left to do it"
                                               : " is kept on this way, and nobody is left to give it back";
  if (e.other_instr != model::kNone) f.other_path = v.other_path();
  grade(v, f);
  return f;
}

std::optional<report::Finding> report_failure_keeps(const View& v) {
  report::Finding f = v.finding("failure-keeps");
  const engine::Event& e = v.event();
  grade(v, f);
  if (e.other_instr == model::kNone) {
    f.message = (e.count.empty() ? "the reference count of " : "the `" + e.count + "` count of ") + v.quoted_object() +
                " is kept when the function fails, and whoever called it will not give it back";
    return f;
  }
  f.message = "the `" + e.count + "` count of " + v.quoted_object() +
              " is kept when the function fails, but given back when it succeeds";
  f.other_path = v.other_path();
  return f;
}

}  // namespace reckon::checks
