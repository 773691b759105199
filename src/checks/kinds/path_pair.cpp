// path-pair: two ways through a function that its callers cannot tell apart change a count differently (RID).

#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "path-pair";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = pair_finding(v, kKind);
  grade_unnamed(v, f);
  // What undoes the function comes in any case, and finds what was left on.
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::PathPair, report}};

}  // namespace

constinit const Check check_path_pair{
    .kind = kKind,
    .summary = "two paths callers cannot tell apart change a count differently",
    .rules = kRules,
    .grouping = Grouping::ByCount,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
