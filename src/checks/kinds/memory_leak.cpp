// memory-leak: memory that a function got from an allocator is never freed.
//
// The problem: memory has no count; whoever has the last pointer has to free it. The method: the property of blocks
// follows each one from the call that gives it, and tells of those that nobody can free any more where the function
// ends. Limits: a block that was given to somebody of whom nothing is known is his from then on.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("memory-leak");
  f.message = "memory of " + v.quoted_object() + " is never freed";
  const std::string failing = v.failing_call(), leaving = v.callee_of(v.event().instr);
  if (!leaving.empty() && v.event().instr != v.object().origin)
    f.message += ": " + leaving + "() leaves the function";
  else if (!failing.empty() && failing != v.origin_call() && v.event().failed)
    f.message += " when " + failing + "() fails";
  if (!v.event().oom) f.severity = report::Severity::Medium;
  // The few that were read in drivers were not real: until a draw shows more, they are told to those who ask.
  if (v.event().doubtful || v.fails_by_errno()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::BlockLost, report}};

}  // namespace

constinit const Check check_memory_leak{
    .kind = "memory-leak",
    .summary = "memory is not freed, and nobody can free it any more",
    .rules = kRules,
    .grouping = Grouping::ByObject,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
