// Failures that were not looked at.
#pragma once

#include <string>

#include "checks/check.h"

namespace reckon::checks {

// " when f() fails": the call that gave a NULL.
inline std::string because(const View& v) {
  const std::string& giver = v.event().get<engine::NullFacts>().giver;
  const std::string failing = giver.empty() ? v.failing_call() : giver;
  return failing.empty() ? std::string() : " when " + failing + "() fails";
}

}  // namespace reckon::checks
