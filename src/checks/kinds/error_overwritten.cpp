// error-overwritten: a call stores its error where one is still owned.
//
// The problem: the place that a function gets for its error must be empty. If an earlier call failed and left its error
// there, one of the two is lost, and the API complains at run time. The method: the property of error objects sees the
// outcome that stores. Limits: functions of which nothing is known store nothing.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("error-overwritten");
  f.message = "the error of " + v.event().callee + "() is stored over an earlier one that nobody has released";
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::ErrorOverwritten, report}};

}  // namespace

constinit const Check check_error_overwritten{
    .kind = "error-overwritten",
    .summary = "a call stores its error over an earlier one",
    .rules = kRules,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
