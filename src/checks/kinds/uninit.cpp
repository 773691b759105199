// uninit: a pointer is used that was never set.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "uninit";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::High;
  f.message = v.event().callee.empty() ? "an uninitialised pointer is dereferenced"
                                       : "an uninitialised pointer is passed to " + v.event().callee + "()";
  if (v.event().detail == "returned") f.message = "an uninitialised pointer is returned";
  if (!v.event().note.empty()) f.message = v.quoted_object() + " is released, and " + v.event().note;
  return f;
}

constexpr Rule kRules[] = {{EventKind::UninitUse, report}};

}  // namespace

constinit const Check check_uninit{
    .kind = kKind,
    .summary = "an uninitialised pointer is used",
    .rules = kRules,
};

}  // namespace reckon::checks
