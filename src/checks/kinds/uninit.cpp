// uninit: a pointer is used that was never set.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;
using engine::UninitFacts;

constexpr std::string_view kKind = "uninit";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::High;
  f.message = v.event().callee.empty() ? "an uninitialised pointer is dereferenced"
                                       : "an uninitialised pointer is passed to " + v.event().callee + "()";
  switch (v.event().get<UninitFacts>().use) {
    case UninitFacts::Use::Access: break;
    case UninitFacts::Use::Return: f.message = "an uninitialised pointer is returned"; break;
    case UninitFacts::Use::Dealloc:
      f.message = v.quoted_object() + " is released, and its deallocator reads a field that has not been set";
      break;
  }
  // Which values callers pass, and what they fill whenever they succeed, is not told by error numbers.
  if (v.unproven_pointer()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::UninitUse, report}};

}  // namespace

constinit const Check check_uninit{
    .kind = kKind,
    .summary = "an uninitialised pointer is used",
    .rules = kRules,
    .harm = report::Harm::Crash,
};

}  // namespace reckon::checks
