// Steps inside callees: how they came to the outcomes that a path goes on with.
#pragma once

#include <vector>

#include "analysis/context.h"
#include "report/finding.h"

namespace reckon::analysis {

// Adds the steps of callees behind the calls that matter on a path of `caller`, one deeper. A callee without body, one
// that is recursive with its caller, and one too long to be looked at again have none.
void explain_callees(const Context& context, FuncId caller, std::vector<report::Step>& path);

// Adds to a finding about a function called without the interpreter's lock where that needs it.
void explain_lock_user(const Context& context, FuncId caller, report::Finding& finding);

}  // namespace reckon::analysis
