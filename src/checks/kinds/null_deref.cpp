// null-deref: NULL from a failed call is dereferenced, or an argument that callers give as NULL.

#include "checks/failing.h"
#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "null-deref";

std::optional<report::Finding> report(const View& v) {
  const auto& null = v.event().get<engine::NullFacts>();
  if (null.by_contract) {
    report::Finding f = v.finding(kKind);
    f.message = v.event().callee.empty() ? "an argument is dereferenced that callers give as NULL"
                                         : "an argument is dereferenced that " + v.event().callee + "() may leave NULL";
    return f;
  }
  // Not a NULL that a failed call gave us, nor one given to what the API calls a function.
  if (v.failing_call().empty() && !null.of_header) return std::nullopt;
  report::Finding f = v.finding(kKind);
  f.message = "NULL is dereferenced" + because(v);
  if (v.failed_by_member(true) || v.unproven_pointer()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::NullDereference, report}};

}  // namespace

constinit const Check check_null_deref{
    .kind = kKind,
    .summary = "NULL from a failed call is dereferenced",
    .rules = kRules,
    .harm = report::Harm::Crash,
};

}  // namespace reckon::checks
