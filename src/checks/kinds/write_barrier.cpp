// write-barrier: elements of an object are written without the collector being told.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "write-barrier";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::Medium;
  f.message =
      "elements are written through a pointer: the collector is not told that an older object now holds newer ones";
  return f;
}

constexpr Rule kRules[] = {{EventKind::BarrierBypassed, report}};

}  // namespace

constinit const Check check_write_barrier{
    .kind = kKind,
    .summary = "elements of an object are written without the collector being told",
    .rules = kRules,
    .harm = report::Harm::Collected,
};

}  // namespace reckon::checks
