// unprotected: an object is used after a collection that it was not protected from (rchk's bcheck).
//
// The engine says where an object may have been collected and where it is used after that; here that becomes a
// sentence, and nothing is decided again. Where the object is new only for a kind of argument that nobody has shown
// (names of what might be a pairlist), the finding is of low confidence.

#include "checks/collected.h"
#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "unprotected";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::High;
  const std::string at = call_name(v, v.object().released);
  f.message = v.quoted_object() + " is not protected while " + at + " may collect garbage, and is used here";
  if (v.event().assumed_kind) f.confidence = report::Confidence::Low;
  explain_history(v, f);
  return f;
}

constexpr Rule kRules[] = {{EventKind::Unprotected, report}};

}  // namespace

constinit const Check check_unprotected{
    .kind = kKind,
    .summary = "an object is used after a collection it was not protected from",
    .rules = kRules,
    .grouping = Grouping::ByMaker,
    .repair = report::Repair::Protect,
    .harm = report::Harm::Collected,
};

}  // namespace reckon::checks
