#include "checks/pair.h"

namespace reckon::checks {

namespace {
std::string signed_number(int n) { return n > 0 ? "+" + std::to_string(n) : std::to_string(n); }
}  // namespace

void grade_unnamed(const View& v, report::Finding& f) {
  // Nobody can look for what has no name; mostly it is an element that two paths reach in two ways.
  if (v.unnamed_in_callee() || (v.fails_by_errno() && v.object_name().empty())) f.confidence = report::Confidence::Low;
}

report::Finding pair_finding(const View& v, std::string_view kind) {
  report::Finding f = v.finding(kind);
  const auto& e = v.event().get<engine::CountFacts>();
  f.message = "the `" + e.count + "` count of " + v.quoted_object() + " changes by " + signed_number(e.delta) +
              " here and by " + signed_number(e.other_delta) + " on another path that callers cannot tell apart";
  f.other_path = v.other_path();
  return f;
}

}  // namespace reckon::checks
