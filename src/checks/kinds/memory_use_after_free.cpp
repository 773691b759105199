// memory-use-after-free: memory is read, written or passed on after it was freed.
//
// The problem: it may belong to somebody else by then. The method: as for a second free; a use is an access through the
// pointer, or a call that accesses it. Limits: code of which nothing is known may put another block where the freed one
// was, so a member is not followed across such a call.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("memory-use-after-free");
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  const std::string use = v.event().callee.empty() ? "used" : "passed to " + v.event().callee + "()";
  f.message = "memory of " + v.quoted_object() + " is " + use + " after it was freed";
  // The few that were read in drivers were not real: until a draw shows more, they are told to those who ask.
  if (v.event().doubtful || v.fails_by_errno()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::BlockUsed, report}};

}  // namespace

constinit const Check check_memory_use_after_free{
    .kind = "memory-use-after-free",
    .summary = "memory is used after it was freed",
    .rules = kRules,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
