// free-threading: what the interpreter's lock used to guard, in a program that runs without one.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "free-threading";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = v.event().callee.empty() ? v.event().note : v.event().callee + "() " + v.event().note;
  return f;
}

constexpr Rule kRules[] = {{EventKind::FreeThreading, report}};

}  // namespace

constinit const Check check_free_threading{
    .kind = kKind,
    .summary = "not safe without the interpreter's lock",
    .rules = kRules,
};

}  // namespace reckon::checks
