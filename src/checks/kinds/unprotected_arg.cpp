// unprotected-arg: an unprotected object is passed to a function that may collect it.
//
// The engine says where an object may have been collected and where it is used after that; here that becomes a
// sentence, and nothing is decided again. Where the object is new only for a kind of argument that nobody has shown
// (names of what might be a pairlist), the finding is of low confidence.

#include "checks/collected.h"
#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "unprotected-arg";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::High;
  const std::string callee = v.event().callee.empty() ? "a function" : v.event().callee + "()";
  f.message = v.quoted_object() + " is passed unprotected to " + callee +
              ", which may collect garbage before it is done with it";
  if (v.event().assumed_kind) f.confidence = report::Confidence::Low;
  explain_history(v, f);
  return f;
}

constexpr Rule kRules[] = {{EventKind::UnprotectedArgument, report}};

}  // namespace

constinit const Check check_unprotected_arg{
    .kind = kKind,
    .summary = "an unprotected object is passed to a function that may collect it",
    .rules = kRules,
    .grouping = Grouping::ByMaker,
    .repair = report::Repair::ProtectArgument,
    .harm = report::Harm::Collected,
};

}  // namespace reckon::checks
