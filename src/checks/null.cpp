// null-deref, null-arg, uninit, missing-exception: failures that were not looked at, or not passed on.

#include "checks/checks.h"
#include "engine/properties/exceptions/ignored_failures.h"

namespace reckon::checks {

namespace {
std::string because(const View& v) {
  const std::string failing = v.event().giver.empty() ? v.failing_call() : v.event().giver;
  return failing.empty() ? std::string() : " when " + failing + "() fails";
}
}  // namespace

std::optional<report::Finding> report_null_dereference(const View& v) {
  if (v.event().by_contract) {
    report::Finding f = v.finding("null-deref");
    f.message = v.event().callee.empty() ? "an argument is dereferenced that callers give as NULL"
                                         : "an argument is dereferenced that " + v.event().callee + "() may leave NULL";
    return f;
  }
  // Not a NULL that a failed call gave us, nor one given to what the API calls a function.
  if (v.failing_call().empty() && v.event().note.empty()) return std::nullopt;
  report::Finding f = v.finding("null-deref");
  f.message = "NULL is dereferenced" + because(v);
  if (v.failed_by_member(true)) f.confidence = report::Confidence::Low;
  return f;
}

std::optional<report::Finding> report_null_argument(const View& v) {
  report::Finding f = v.finding("null-arg");
  f.message = "NULL is passed to " + v.event().callee + "() as argument " + std::to_string(v.event().argument + 1) +
              (v.event().ends_list ? ", which ends the list of arguments there," : ", which dereferences it,") +
              because(v);
  if (f.message.ends_with(",")) {
    f.message.pop_back();
    // No call gave this NULL: a member was tested, together with others perhaps, and may never be it here.
    if (v.argument_from_memory()) f.confidence = report::Confidence::Low;
  }
  if (v.failed_by_member(true)) f.confidence = report::Confidence::Low;
  if (v.event().by_contract)
    f.message = "an argument that callers give as NULL is passed to " + v.event().callee + "(), which dereferences it";
  return f;
}

std::optional<report::Finding> report_uninitialised(const View& v) {
  report::Finding f = v.finding("uninit");
  f.severity = report::Severity::High;
  f.message = v.event().callee.empty() ? "an uninitialised pointer is dereferenced"
                                       : "an uninitialised pointer is passed to " + v.event().callee + "()";
  if (v.event().detail == "returned") f.message = "an uninitialised pointer is returned";
  if (!v.event().note.empty()) f.message = v.quoted_object() + " is released, and " + v.event().note;
  return f;
}

std::optional<report::Finding> report_value_with_exception(const View& v) {
  report::Finding f = v.finding("exception-set");
  const std::string failing = v.failing_call();
  f.message = (v.event().callee.empty() ? "a value is returned" : v.event().callee + "() is called") +
              " while an exception is set" + (failing.empty() ? std::string() : ", after " + failing + "() failed");
  if (v.event().detail == engine::kNeverAsked) {
    f.message = "nobody asks whether " + v.event().callee + "() fails: the function goes on with an exception set";
    return f;
  }
  // A call made although another failed is harmless often enough; not so one that follows a raise by name.
  const bool goes_on = !v.event().callee.empty() && !failing.empty() && v.event().detail != engine::kAskedLater;
  if (goes_on || v.failed_by_member(false) || v.code_unknown()) f.confidence = report::Confidence::Low;
  return f;
}

std::optional<report::Finding> report_no_lock(const View& v) {
  report::Finding f = v.finding("gil");
  f.severity = report::Severity::High;
  f.message = v.event().callee.empty()
                  ? "the function returns without having taken the lock back"
                  : v.event().callee + (v.event().note.empty() ? "()" : "(), which uses " + v.event().note + "(),") +
                        " is called while the lock is released";
  return f;
}

std::optional<report::Finding> report_missing_exception(const View& v) {
  report::Finding f = v.finding("missing-exception");
  f.message = "failure is returned without an exception set";
  // A helper of which one end gives the failure without an exception: such an end is often not possible after all,
  // unless memory running out leads there.
  // A member handed out as it is may never be NULL.
  if (!v.event().oom && (v.event().by_contract || v.decided_out_of_sight())) f.confidence = report::Confidence::Low;
  return f;
}

std::optional<report::Finding> report_free_threading(const View& v) {
  report::Finding f = v.finding("free-threading");
  f.message = v.event().callee.empty() ? v.event().note : v.event().callee + "() " + v.event().note;
  return f;
}

}  // namespace reckon::checks
