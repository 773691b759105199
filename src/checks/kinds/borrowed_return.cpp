// borrowed-return: a borrowed reference leaves the function as if it were a new one: returned, or left in a member that
// will be released.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;
using engine::ObjKind;

constexpr std::string_view kKind = "borrowed-return";

std::optional<report::Finding> report(const View& v) {
  if (v.is_immortal()) return std::nullopt;  // that is how headers of such versions return it themselves
  report::Finding f = v.finding(kKind);
  const auto& facts = v.event().get<engine::BorrowedFacts>();
  f.message = facts.stored_in.empty()
                  ? "borrowed reference " + v.reference() + " is returned where a new reference is expected"
                  : "borrowed reference " + v.reference() + " is stored in `" + facts.stored_in + "`, which " +
                        (facts.keeps_pointing ? "goes on pointing to it" : "is released with its object");
  if (v.object().kind == ObjKind::New && !facts.stored_in.empty())
    f.message = "`" + facts.stored_in + "` goes on pointing to " + v.quoted_object() + ", whose last reference was " +
                (v.object().stolen      ? "handed over"
                 : v.object().owned > 0 ? "returned"
                                        : "given up");
  if (v.object().immortal) f.severity = report::Severity::Low;
  // A member that is put where it stands is not asked for any more, by rules that only its callers know.
  if (v.fails_by_errno() && !facts.stored_in.empty()) f.confidence = report::Confidence::Low;
  // A variable that nothing reads but the function that sets it.
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::BorrowedReturned, report}};

}  // namespace

constinit const Check check_borrowed_return{
    .kind = kKind,
    .summary = "a borrowed reference is returned as a new one",
    .rules = kRules,
    .repair = report::Repair::Acquire,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
