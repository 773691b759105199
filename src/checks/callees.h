// Steps inside callees: how they came to the outcomes that a path goes on with.
#pragma once

#include <vector>

#include "engine/core/context.h"
#include "report/finding.h"

namespace reckon::checks {

// Adds the steps of callees behind the calls that matter on a path of `caller`, one deeper. A callee without body, one
// that is recursive with its caller, and one too long to be looked at again have none.
void tell_callees(const engine::Context& context, engine::FuncId caller, std::vector<report::Step>& path);

// Adds to a finding about a function called without the interpreter's lock where that needs it.
void tell_lock_user(const engine::Context& context, engine::FuncId caller, report::Finding& finding);

}  // namespace reckon::checks
