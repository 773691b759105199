// unchecked-get: the result of a call that takes a count is not looked at, and the count is given back anyway.
//
// Of counts that stop at zero (clocks, regulators, runtime PM) that costs a warning, and it needs a get that fails: so
// this is a note, and runs on request. engine/properties/counts/unchecked_gets.cpp says when it is noticed.

#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "unchecked-get";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const auto& e = v.event().get<engine::CountFacts>();
  const std::string get = v.callee_of(e.unchecked);
  f.message = "the result of " + (get.empty() ? "a call that takes it" : get + "()") + " is not checked: the `" +
              e.count + "` count of " + v.quoted_object() +
              (e.delta < 0 ? " is given back also where it was not taken" : " is not taken where that fails");
  f.other_path = v.other_path();
  f.severity = report::Severity::Note;
  grade_unnamed(v, f);
  return f;
}

constexpr Rule kRules[] = {{EventKind::UncheckedGet, report}};

}  // namespace

constinit const Check check_unchecked_get{
    .kind = kKind,
    .summary = "the result of a call that takes a count is not looked at",
    .rules = kRules,
    .grouping = Grouping::ByCount,
    .on_request = true,
};

}  // namespace reckon::checks
