// use-after-release: an object is used after its reference was given up (PyRefcon's lifecycle states).

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "use-after-release";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  const std::string use = v.event().callee.empty() ? "used" : "passed to " + v.event().callee + "()";
  if (v.event().get<engine::UseFacts>().died_with_owner)
    f.message = v.quoted_object() + " is " + use + " after the object it was borrowed from was released";
  else
    f.message = v.quoted_object() + " is " + use +
                (v.object().life == engine::Life::Released ? " after its last reference was given up"
                                                           : " after it was handed over");
  // What it was found in holds it, as a rule for longer than the function runs.
  if (v.found_elsewhere()) f.confidence = report::Confidence::Low;
  // What was read from a structure is counted itself, and outlives that by its own count: a kernel ends it elsewhere.
  if (v.fails_by_errno() && v.event().get<engine::UseFacts>().died_with_owner) f.confidence = report::Confidence::Low;
  // Whoever it was handed to has it, and as a rule gives it back later than this function's next line.
  if (v.fails_by_errno() && v.object().life != engine::Life::Released &&
      !v.event().get<engine::UseFacts>().died_with_owner)
    f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::UseAfterRelease, report}};

}  // namespace

constinit const Check check_use_after_release{
    .kind = kKind,
    .summary = "an object is used after its release",
    .rules = kRules,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
