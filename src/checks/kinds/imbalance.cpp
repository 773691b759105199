// imbalance: the protection stack is not as deep at the end as at the start, or after each round of a loop.
//
// The engine says how deep the protection stack is; here that becomes a sentence, and nothing is decided again.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "imbalance";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const int d = v.event().get<engine::DepthFacts>().left;
  f.depth_left = d;
  if (v.event().assumed_kind || v.no_case_fits()) f.confidence = report::Confidence::Low;
  if (d > 0)
    f.message =
        "returns with " + std::to_string(d) + (d == 1 ? " object" : " objects") + " left on the protection stack";
  else if (d < 0)
    f.message = "returns with the protection stack " + std::to_string(-d) + " lower than it was at the start";
  else
    f.message = "the protection stack is not as deep at this return as it was at the start";
  return f;
}

std::optional<report::Finding> report_in_loop(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = "the protection stack does not come back to the same depth in each round of this loop";
  return f;
}

constexpr Rule kRules[] = {{EventKind::DepthAtExit, report}, {EventKind::DepthInLoop, report_in_loop}};

}  // namespace

constinit const Check check_imbalance{
    .kind = kKind,
    .summary = "the protection stack is not as deep at the end as at the start",
    .rules = kRules,
    .repair = report::Repair::Balance,
};

}  // namespace reckon::checks
