// count-left: a function that owes the count it found leaves another, or gives back more or less than it took.

#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "count-left";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const auto& e = v.event().get<engine::CountFacts>();
  f.message = "the `" + e.count + "` count of " + v.quoted_object();
  if (e.delta < 0)
    f.message += " is given back more often than it was taken";
  else if (e.other_instr == model::kNone && e.other_delta > 0)
    f.message += " is taken more often than it is given back, on every way through the function";
  else
    f.message += e.other_instr == model::kNone ? " is taken and never given back, and nobody is left to do it"
                                               : " is kept on this way, and nobody is left to give it back";
  if (e.other_instr != model::kNone) f.other_path = v.other_path();
  grade_unnamed(v, f);
  return f;
}

constexpr Rule kRules[] = {{EventKind::CountKept, report}};

}  // namespace

constinit const Check check_count_left{
    .kind = kKind,
    .summary = "a function that owes the count it found leaves another, or gives back more or less than it took",
    .rules = kRules,
    .grouping = Grouping::ByCount,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
