// error-missing: a function returns failure and has not set the error that its caller asked for.
//
// The problem: callers look at the error without asking whether it is there, once the result says that the function
// failed. The method: the value that a function returns whenever it has set the error means failure; the property of
// error objects finds exits that return it and have not touched the error. Limits: NULL may also say that there is
// nothing to give, and FALSE or 0 may be an answer where nothing has failed, so the confidence is low there. It is low,
// too, where an error was there and was given up: somebody has decided that it is nobody's business.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("error-missing");
  f.message = "failure is returned, and the caller's error is not set";
  if (v.event().doubtful || f.trigger == report::Trigger::Normal) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::ErrorMissing, report}};

}  // namespace

constinit const Check check_error_missing{
    .kind = "error-missing",
    .summary = "failure is returned without setting the caller's error",
    .rules = kRules,
};

}  // namespace reckon::checks
