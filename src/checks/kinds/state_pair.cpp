// state-pair: as path-pair, where both ways succeed, and only state that nobody here sees decides between them.

#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "state-pair";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = pair_finding(v, kKind);
  f.severity = report::Severity::Note;
  return f;
}

constexpr Rule kRules[] = {{EventKind::StatePair, report}};

}  // namespace

constinit const Check check_state_pair{
    .kind = kKind,
    .summary = "two successful paths change a count differently by state out of sight",
    .rules = kRules,
    .on_request = true,
};

}  // namespace reckon::checks
