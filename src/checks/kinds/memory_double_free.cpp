// memory-double-free: memory that was freed is freed again.
//
// The problem: the second time the allocator may have given it to somebody else. The method: the property of blocks
// remembers what was freed on the way, whoever made it, as long as a variable or a member names it. Limits: what a loop
// frees in each of its rounds is not compared with what the same call freed in the round before.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("memory-double-free");
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  f.message = "memory of " + v.quoted_object() + " is freed again";
  if (!v.event().callee.empty()) f.message += " (by " + v.event().callee + "())";
  // The few that were read in drivers were not real: until a draw shows more, they are told to those who ask.
  if (v.event().doubtful || v.fails_by_errno()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::BlockFreedTwice, report}};

}  // namespace

constinit const Check check_memory_double_free{
    .kind = "memory-double-free",
    .summary = "memory is freed that was freed before",
    .rules = kRules,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
