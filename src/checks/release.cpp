// over-release, use-after-release, borrowed-return: references given up that were not ours to give, or used
// after they were (PyRefcon's lifecycle states).

#include "checks/checks.h"

namespace reckon::checks {

using engine::ObjKind;

std::optional<report::Finding> report_over_release(const View& v) {
  report::Finding f = v.finding("over-release");
  f.severity = v.event().oom ? report::Severity::Low : report::Severity::High;
  const engine::Obj& o = v.object();
  if (o.life == engine::Life::Released)
    f.message = v.quoted_object() + " is released again after its last reference was given up";
  else if (o.kind == ObjKind::Param)
    f.message = "argument " + v.quoted_object() + " is released here, but not on another path that callers cannot tell apart";
  else if (o.kind == ObjKind::Borrowed)
    f.message = "borrowed reference " + v.reference() + " is released";
  else
    f.message = "reference to " + v.quoted_object() + " is released after it was handed over";
  if (!v.event().callee.empty()) f.message += " (by " + v.event().callee + "())";
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
    f.message = v.quoted_object() + " is " + use + " after its last reference was given up";
  return f;
}

std::optional<report::Finding> report_borrowed_return(const View& v) {
  report::Finding f = v.finding("borrowed-return");
  f.message = "borrowed reference " + v.reference() + " is returned where a new reference is expected";
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

}  // namespace reckon::checks
