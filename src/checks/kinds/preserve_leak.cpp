// preserve-leak: an object is kept from the collector over code that may not come back.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "preserve-leak";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::Low;
  const std::string callee = v.event().callee.empty() ? "the call" : v.event().callee + "()";
  f.message = v.quoted_object() + " is kept for good if " + callee + " fails: an error skips what releases it";
  return f;
}

constexpr Rule kRules[] = {{EventKind::PreserveLeak, report}};

}  // namespace

constinit const Check check_preserve_leak{
    .kind = kKind,
    .summary = "an object is preserved over code that may not come back",
    .rules = kRules,
    .grouping = Grouping::ByObject,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
