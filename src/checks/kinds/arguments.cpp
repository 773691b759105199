// arguments: an argument may be collected while another one is evaluated (rchk's maacheck and ueacheck).
//
// The engine says where an object may have been collected and where it is used after that; here that becomes a
// sentence, and nothing is decided again. Where the object is new only for a kind of argument that nobody has shown
// (names of what might be a pairlist), the finding is of low confidence.

#include "checks/collected.h"
#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "arguments";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::Medium;
  const std::string callee =
      v.event().callee.empty() ? "another argument" : v.event().callee + "(), another argument of the same call,";
  f.message = v.quoted_object() + " is not protected while " + callee +
              " may collect garbage: the order of evaluation is not specified";
  if (v.event().assumed_kind) f.confidence = report::Confidence::Low;
  explain_history(v, f);
  return f;
}

constexpr Rule kRules[] = {{EventKind::ArgumentOrder, report}};

}  // namespace

constinit const Check check_arguments{
    .kind = kKind,
    .summary = "an argument may be collected while another one is evaluated",
    .rules = kRules,
    .repair = report::Repair::ProtectArgument,
    .harm = report::Harm::Collected,
};

}  // namespace reckon::checks
