// borrow-across-call: a borrowed reference is used after code ran that may have ended it.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "borrow-across-call";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::Low;
  const auto& facts = v.event().get<engine::BorrowAcrossFacts>();
  if (facts.replaced_too_late) {
    f.message =
        v.quoted_object() + " is released before it is replaced: code that the release runs still finds it there";
    if (v.event().doubtful) f.confidence = report::Confidence::Low;
    return f;
  }
  const std::string call = v.source_name(facts.ran_code);
  f.message = "borrowed reference " + v.reference() + " is used after " + (call.empty() ? "a call" : call + "()") +
              ", which may run code that removes it";
  return f;
}

constexpr Rule kRules[] = {{EventKind::BorrowAcross, report}};

}  // namespace

constinit const Check check_borrow_across_call{
    .kind = kKind,
    .summary = "a borrowed reference is used after code that may end it",
    .rules = kRules,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
