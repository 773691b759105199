// ownership-mix: a result is sometimes a new reference and sometimes a borrowed one, and callers cannot tell which.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "ownership-mix";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = "a borrowed reference is returned here, but a new one elsewhere in the same function";
  return f;
}

constexpr Rule kRules[] = {{EventKind::MixedResult, report}};

}  // namespace

constinit const Check check_ownership_mix{
    .kind = kKind,
    .summary = "a result is sometimes new and sometimes borrowed",
    .rules = kRules,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
