// exception-set: a function goes on, or returns a value, while an exception is set.

#include "checks/kinds.h"
#include "engine/properties/exceptions/ignored_failures.h"

namespace reckon::checks {

namespace {

using engine::EventKind;
using engine::ExceptionFacts;

constexpr std::string_view kKind = "exception-set";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  const std::string failing = v.failing_call();
  f.message = (v.event().callee.empty() ? "a value is returned" : v.event().callee + "() is called") +
              " while an exception is set" + (failing.empty() ? std::string() : ", after " + failing + "() failed");
  const ExceptionFacts::Asked asked = v.event().get<ExceptionFacts>().asked;
  if (asked == ExceptionFacts::Asked::Never) {
    f.message = "nobody asks whether " + v.event().callee + "() fails: the function goes on with an exception set";
    return f;
  }
  // A call made although another failed is harmless often enough; not so one that follows a raise by name.
  const bool goes_on = !v.event().callee.empty() && !failing.empty() && asked != ExceptionFacts::Asked::Later;
  if (goes_on || v.failed_by_member(false) || v.code_unknown()) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::ValueWithException, report}};

}  // namespace

constinit const Check check_exception_set{
    .kind = kKind,
    .summary = "a value is returned while an exception is set",
    .rules = kRules,
    .harm = report::Harm::Exception,
};

}  // namespace reckon::checks
