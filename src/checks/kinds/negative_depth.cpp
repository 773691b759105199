// negative-depth: more is taken off the protection stack than the function has put there.
//
// The engine says how deep the protection stack is; here that becomes a sentence, and nothing is decided again.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "negative-depth";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::High;
  f.message = "more is taken off the protection stack than this function has put there";
  if (v.no_case_fits()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::DepthNegative, report}};

}  // namespace

constinit const Check check_negative_depth{
    .kind = kKind,
    .summary = "more is unprotected than was protected",
    .rules = kRules,
    .repair = report::Repair::PopLess,
};

}  // namespace reckon::checks
