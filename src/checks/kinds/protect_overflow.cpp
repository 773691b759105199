// protect-overflow: the protection stack grows with the length of an object.
//
// The engine says how deep the protection stack is; here that becomes a sentence, and nothing is decided again.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "protect-overflow";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::Low;
  f.message =
      "each round of this loop leaves an object on the protection stack, and an object's length says how often: the "
      "stack is not made for that";
  return f;
}

constexpr Rule kRules[] = {{EventKind::DepthByData, report}};

}  // namespace

constinit const Check check_protect_overflow{
    .kind = kKind,
    .summary = "the protection stack grows with the length of an object",
    .rules = kRules,
    .on_request = true,
};

}  // namespace reckon::checks
