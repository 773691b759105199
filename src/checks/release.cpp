// over-release, use-after-release, borrowed-return: references given up that were not ours to give, or used
// after they were (PyRefcon's lifecycle states).

#include "checks/checks.h"

namespace reckon::checks {

using engine::ObjKind;

// A count of an object that nothing can free: wrong by contract, without effect.
void grade_immortal(report::Finding& f) {
  f.severity = report::Severity::Note;
  f.message += " (without effect, as it is immortal in this version)";
}

std::optional<report::Finding> report_over_release(const View& v) {
  report::Finding f = v.finding("over-release");
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  const engine::Obj& o = v.object();
  if (o.life == engine::Life::Released)
    f.message = v.quoted_object() + " is released again after its last reference was given up";
  else if (o.kind == ObjKind::Param)
    f.message = "argument " + v.quoted_object() + " is released here, but " +
                (v.event().other_path != model::kNone ? "not on another path that callers cannot tell apart"
                                                      : "belongs to the caller");
  else if (o.singleton || o.kind == ObjKind::Global || (o.kind == ObjKind::Loaded && o.stolen))
    f.message = "reference to " + v.quoted_object() + " is " + (o.stolen ? "handed over" : "released") +
                " that was not taken" + v.event().detail;
  else if (o.kind == ObjKind::Borrowed)
    f.message = "borrowed reference " + v.reference() + " is released";
  else
    f.message = "reference to " + v.quoted_object() + " is released after it was handed over";
  if (!v.event().note.empty())
    f.message =
        (o.kind == ObjKind::Param ? "argument " : "") + v.quoted_object() + " is released, but " + v.event().note;
  // A type that is ready is held by itself as well, as the first of those it inherits from.
  if (o.kind == ObjKind::Global && !o.singleton) f.severity = report::Severity::Low;
  if (v.event().other_path != model::kNone) f.other_path = v.other_path();
  if (!v.event().callee.empty()) f.message += " (by " + v.event().callee + "())";
  // An object of which nothing is known may have come with a reference.
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  if (v.is_immortal()) grade_immortal(f);
  return f;
}

std::optional<report::Finding> report_count_left(const View& v) {
  const bool up = v.object().owned > 0;
  report::Finding f = v.finding(up ? "leak" : "over-release");
  f.message = up ? "reference taken to argument " + v.quoted_object() + " is never released"
                 : "argument " + v.quoted_object() + " is released, but belongs to the caller";
  return f;
}

std::optional<report::Finding> report_use_after_release(const View& v) {
  report::Finding f = v.finding("use-after-release");
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  const std::string use = v.event().callee.empty() ? "used" : "passed to " + v.event().callee + "()";
  if (v.event().died_with_owner)
    f.message = v.quoted_object() + " is " + use + " after the object it was borrowed from was released";
  else
    f.message = v.quoted_object() + " is " + use +
                (v.object().life == engine::Life::Released ? " after its last reference was given up"
                                                           : " after it was handed over");
  // What it was found in holds it, as a rule for longer than the function runs.
  if (v.found_elsewhere()) f.confidence = report::Confidence::Low;
  return f;
}

std::optional<report::Finding> report_borrowed_return(const View& v) {
  if (v.is_immortal()) return std::nullopt;  // that is how headers of such versions return it themselves
  report::Finding f = v.finding("borrowed-return");
  f.message = v.event().note.empty()
                  ? "borrowed reference " + v.reference() + " is returned where a new reference is expected"
                  : "borrowed reference " + v.reference() + " is stored in `" + v.event().note + "`, which " +
                        (v.event().by_contract ? "goes on pointing to it" : "is released with its object");
  if (v.object().kind == ObjKind::New && !v.event().note.empty())
    f.message = "`" + v.event().note + "` goes on pointing to " + v.quoted_object() + ", whose last reference was " +
                (v.object().stolen      ? "handed over"
                 : v.object().owned > 0 ? "returned"
                                        : "given up");
  if (v.object().immortal) f.severity = report::Severity::Low;
  return f;
}

std::optional<report::Finding> report_mixed_result(const View& v) {
  report::Finding f = v.finding("ownership-mix");
  f.message = "a borrowed reference is returned here, but a new one elsewhere in the same function";
  return f;
}

std::optional<report::Finding> report_buffer_leak(const View& v) {
  report::Finding f = v.finding(v.event().count + "-leak");
  f.message = v.event().count + " " + v.quoted_object() + " is not released";
  return f;
}

std::optional<report::Finding> report_borrow_across_call(const View& v) {
  report::Finding f = v.finding("borrow-across-call");
  f.severity = report::Severity::Low;
  const engine::Event& e = v.event();
  if (!e.note.empty()) {
    f.message = v.quoted_object() + " is released before it is replaced: " + e.note;
    if (e.doubtful) f.confidence = report::Confidence::Low;
    return f;
  }
  const std::string call = v.source_name(e.other_instr);
  f.message = "borrowed reference " + v.reference() + " is used after " + (call.empty() ? "a call" : call + "()") +
              ", which may run code that removes it";
  return f;
}

std::optional<report::Finding> report_type_kept(const View& v) {
  report::Finding f = v.finding("type-dealloc");
  f.message = "the object is freed, but its reference to its type is not released";
  return f;
}

}  // namespace reckon::checks
