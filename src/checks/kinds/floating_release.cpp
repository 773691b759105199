// floating-release: a reference that floats is released as if it were owned.
//
// The problem: nobody owns a floating reference, so releasing it is not this function's business until it has sunk it;
// an object that is made to be sunk says so in a warning when it ends that way. The method: the property of floating
// references knows which ones float. Limits: the memory is given back all the same, so the severity is low; what may
// be released while it floats (`unfloats P P-1` in a spec) is not reported.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("floating-release");
  f.severity = report::Severity::Low;
  f.message = "floating reference to " + v.quoted_object() + " is released (by " + v.event().callee +
              "()): nobody has sunk it, so nobody owns it";
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::FloatingReleased, report}};

}  // namespace

constinit const Check check_floating_release{
    .kind = "floating-release",
    .summary = "a floating reference is released that nobody has sunk",
    .rules = kRules,
};

}  // namespace reckon::checks
