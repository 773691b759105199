// null-arg: NULL is passed to a function that dereferences it, or where it ends a list of arguments too early.

#include "checks/failing.h"
#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "null-arg";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const auto& null = v.event().get<engine::NullFacts>();
  const std::string cause = because(v);
  f.message = "NULL is passed to " + v.event().callee + "() as argument " + std::to_string(null.argument + 1) +
              (null.ends_list ? ", which ends the list of arguments there" : ", which dereferences it") +
              (cause.empty() ? "" : "," + cause);
  // No call gave this NULL: a member was tested, together with others perhaps, and may never be it here.
  if (cause.empty() && v.argument_from_memory()) f.confidence = report::Confidence::Low;
  if (v.failed_by_member(true) || v.unproven_pointer()) f.confidence = report::Confidence::Low;
  if (null.by_contract)
    f.message = "an argument that callers give as NULL is passed to " + v.event().callee + "(), which dereferences it";
  return f;
}

constexpr Rule kRules[] = {{EventKind::NullArgument, report}};

}  // namespace

constinit const Check check_null_arg{
    .kind = kKind,
    .summary = "NULL is passed where it is dereferenced",
    .rules = kRules,
    .harm = report::Harm::Crash,
};

}  // namespace reckon::checks
