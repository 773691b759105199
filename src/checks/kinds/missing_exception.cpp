// missing-exception: a function returns failure, and no exception is set.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "missing-exception";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = "failure is returned without an exception set";
  // A helper of which one end gives the failure without an exception: such an end is often not possible after all,
  // unless memory running out leads there.
  // A member handed out as it is may never be NULL.
  if (!v.event().oom && (v.event().get<engine::NoExceptionFacts>().of_member || v.decided_out_of_sight()))
    f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::NoException, report}};

}  // namespace

constinit const Check check_missing_exception{
    .kind = kKind,
    .summary = "failure is returned without an exception",
    .rules = kRules,
    .harm = report::Harm::Exception,
};

}  // namespace reckon::checks
