// Steps inside a callee: how it came to the outcome that a caller's path goes on with.
#pragma once

#include <vector>

#include "checks/check.h"

namespace reckon::checks {

// Empty if the callee has no body, is recursive with its caller, or is too long to be looked at again.
std::vector<report::Step> callee_steps(const engine::Executor& caller, const View& view, std::uint32_t call, std::uint32_t outcome);

}  // namespace reckon::checks
