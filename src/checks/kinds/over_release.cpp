// over-release: a reference is given up that was not ours to give (PyRefcon's lifecycle states).

#include "checks/immortal.h"
#include "checks/kinds.h"
#include "checks/pair.h"

namespace reckon::checks {

namespace {

using engine::EventKind;
using engine::ObjKind;
using engine::OverReleaseFacts;

constexpr std::string_view kKind = "over-release";

// What nobody owns, of an object that somebody lent.
std::string not_there(OverReleaseFacts::Reason reason) {
  return reason == OverReleaseFacts::Reason::LentOnce ? "the one reference to it was given up before"
                                                      : "its contents were moved to another place";
}

std::string other_types(std::uint32_t n) {
  return n == 0 ? std::string() : ", nor to " + std::to_string(n) + " other type" + (n > 1 ? "s" : "");
}

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  const engine::EventObject& o = v.object();
  const auto& facts = v.event().get<OverReleaseFacts>();
  if (o.life == engine::Life::Released)
    f.message = v.quoted_object() + " is released again after its last reference was given up";
  else if (o.kind == ObjKind::Param)
    f.message = "argument " + v.quoted_object() + " is released here, but " +
                (facts.ends.other_path != model::kNone ? "not on another path that callers cannot tell apart"
                                                       : "belongs to the caller");
  else if (o.singleton || o.kind == ObjKind::Global || (o.kind == ObjKind::Loaded && o.stolen))
    f.message = "reference to " + v.quoted_object() + " is " + (o.stolen ? "handed over" : "released") +
                " that was not taken" + other_types(facts.other_types);
  else if (o.kind == ObjKind::Borrowed)
    f.message = "borrowed reference " + v.reference() + " is released";
  else
    f.message = "reference to " + v.quoted_object() + " is released after it was handed over";
  if (facts.reason != OverReleaseFacts::Reason::NotOwned)
    f.message = (o.kind == ObjKind::Param ? "argument " : "") + v.quoted_object() + " is released, but " +
                not_there(facts.reason);
  // A type that is ready is held by itself as well, as the first of those it inherits from.
  if (o.kind == ObjKind::Global && !o.singleton) f.severity = report::Severity::Low;
  if (facts.ends.other_path != model::kNone) f.other_path = v.other_path();
  if (!v.event().callee.empty()) f.message += " (by " + v.event().callee + "())";
  // An object of which nothing is known may have come with a reference.
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  if (v.is_immortal()) grade_immortal(f);
  if (v.fails_by_errno()) grade_unnamed(v, f);
  // A kernel's callers lend references by rules of their own: a packet is consumed, a socket is let go of with the
  // entry of a table that named it.
  if (v.fails_by_errno() && o.life != engine::Life::Released && (o.kind == ObjKind::Param || o.stolen))
    f.confidence = report::Confidence::Low;
  return f;
}

// An entry function leaves the count of its argument changed.
std::optional<report::Finding> report_count(const View& v) {
  if (v.object().owned > 0) return std::nullopt;
  report::Finding f = v.finding(kKind);
  f.message = "argument " + v.quoted_object() + " is released, but belongs to the caller";
  return f;
}

constexpr Rule kRules[] = {{EventKind::OverRelease, report}, {EventKind::CountLeft, report_count}};

}  // namespace

constinit const Check check_over_release{
    .kind = kKind,
    .summary = "a reference is released that is not owned",
    .rules = kRules,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
