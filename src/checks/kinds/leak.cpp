// leak: on some path the function ends, or the last pointer is overwritten, while it still owns a reference that nobody
// else can release (Pungi's rule: change of the count != references that escaped); or an entry function takes a
// reference to its argument for good.

#include "checks/immortal.h"
#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;
using engine::LeakFacts;
using engine::ObjKind;

constexpr std::string_view kKind = "leak";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const std::string what = v.object().kind == ObjKind::Param ? "reference to argument " : "reference to ";
  f.message = what + v.quoted_object() + " is leaked";
  const auto& facts = v.event().get<LeakFacts>();
  const bool again = facts.reason == LeakFacts::Reason::InitialisedAgain;
  const std::string failing = v.failing_call();
  if (!failing.empty() && failing != v.origin_call() && v.event().failed) f.message += " when " + failing + "() fails";
  if (again) f.message += " when the object is initialised again";
  if (facts.reason == LeakFacts::Reason::GivenBackElsewhere) f.message += ": another path gives it back";
  if (facts.ends.other_path != model::kNone) {
    f.message += facts.success_releases ? ": the function fails and keeps it, and gives it back where it succeeds"
                                        : ", but not on another path that callers cannot tell apart";
    f.other_path = v.other_path();
  }
  const bool replaced = facts.reason == LeakFacts::Reason::GlobalReplaced;
  if (replaced) f.message += " when the variable is given another object";
  if (!v.event().oom) f.severity = again || replaced ? report::Severity::Low : report::Severity::Medium;
  if (v.object().kind == ObjKind::New) f.confidence = report::Confidence::High;
  // A number that is kept ready, or a static object as None is.
  const bool static_object = v.object().kind == ObjKind::Global && v.object().singleton;
  if (v.object().preexisting || (static_object && !v.is_immortal())) {
    const bool counts = !v.is_immortal() && !v.event().failed;
    f.severity = counts ? report::Severity::Low : report::Severity::Note;
    f.confidence = report::Confidence::Low;
    f.message += counts ? " (only its count is lost, no memory: that object is there anyway)"
                        : " (which costs nothing, as that object is there anyway)";
  } else if (v.is_immortal()) {
    grade_immortal(f);
  }
  // What main() has when it returns goes with the process.
  if (f.function == "main" && facts.reason == LeakFacts::Reason::NotReleased && v.callee_of(v.event().instr).empty())
    f.confidence = report::Confidence::Low;
  if (v.fails_by_errno()) grade_unnamed(v, f);
  // What one path keeps of an argument, or another path does not, a list or a callback of the kernel's may have.
  if (v.fails_by_errno() && (facts.ends.other_path != model::kNone || v.object().kind == ObjKind::Param))
    f.confidence = report::Confidence::Low;
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  return f;
}

// An entry function leaves the count of its argument changed.
std::optional<report::Finding> report_count(const View& v) {
  if (v.object().owned <= 0) return std::nullopt;
  report::Finding f = v.finding(kKind);
  f.message = "reference taken to argument " + v.quoted_object() + " is never released";
  return f;
}

constexpr Rule kRules[] = {{EventKind::Leak, report}, {EventKind::CountLeft, report_count}};

}  // namespace

constinit const Check check_leak{
    .kind = kKind,
    .summary = "a reference is owned at the end and nobody can release it",
    .rules = kRules,
    .grouping = Grouping::ByObject,
    .repair = report::Repair::Release,
    .harm = report::Harm::Grows,
    .of_named_counts = true,
};

}  // namespace reckon::checks
