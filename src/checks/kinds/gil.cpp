// gil: the interpreter is used while its lock is released.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "gil";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.severity = report::Severity::High;
  const std::string& user = v.event().get<engine::LockFacts>().user;
  f.message = v.event().callee.empty() ? "the function returns without having taken the lock back"
                                       : v.event().callee + (user.empty() ? "()" : "(), which uses " + user + "(),") +
                                             " is called while the lock is released";
  return f;
}

constexpr Rule kRules[] = {{EventKind::NoLock, report}};

}  // namespace

constinit const Check check_gil{
    .kind = kKind,
    .summary = "the interpreter is used without its lock",
    .rules = kRules,
    .harm = report::Harm::Crash,
    .tells_lock_user = true,
};

}  // namespace reckon::checks
