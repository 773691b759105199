// failure-keeps: the failing way keeps a count that the succeeding way gives back.

#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "failure-keeps";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const auto& e = v.event().get<engine::CountFacts>();
  grade_unnamed(v, f);
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  if (e.other_instr == model::kNone) {
    f.message = (e.count.empty() ? "the reference count of " : "the `" + e.count + "` count of ") + v.quoted_object() +
                " is kept when the function fails, and whoever called it will not give it back";
    return f;
  }
  f.message = "the `" + e.count + "` count of " + v.quoted_object() +
              " is kept when the function fails, but given back when it succeeds";
  f.other_path = v.other_path();
  return f;
}

constexpr Rule kRules[] = {{EventKind::FailureKeeps, report}};

}  // namespace

constinit const Check check_failure_keeps{
    .kind = kKind,
    .summary = "failure keeps a count that success gives back",
    .rules = kRules,
    .grouping = Grouping::ByCount,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
