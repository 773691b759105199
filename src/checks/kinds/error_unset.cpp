// error-unset: an error is looked at that no call has set.
//
// The problem: the error is there only if the call failed; after a success, or where the call gives no result and means
// no failure by it, it is NULL. The method: the property of error objects sees a NULL that is dereferenced as an error.
// Limits: an error that some code out of sight may have set is not NULL for sure, and nothing is said of it.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("error-unset");
  f.severity = report::Severity::High;
  f.message = "an error is looked at that no call has set: it is NULL";
  return f;
}

constexpr Rule kRules[] = {{engine::EventKind::ErrorUnset, report}};

}  // namespace

constinit const Check check_error_unset{
    .kind = "error-unset",
    .summary = "an error is used though no call has set it",
    .rules = kRules,
    .harm = report::Harm::Crash,
};

}  // namespace reckon::checks
