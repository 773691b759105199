// Functions in which no object of a collector's occurs.
//
// The problem: numeric code in a package for R is long and full of loops, but it handles no object; looking at it state
// by state costs more than all the rest. All that callers want to know of it is whether it may collect. The method:
// where neither the signature nor any call has an object in it, and no call changes the protection stack, a long
// function is summed up by what it calls.
//
// Limits: C only; on which arguments it depends that the function does not come back is not told of a long one.
#pragma once

#include "analysis/context.h"

namespace reckon::analysis {

bool without_objects(const Context& ctx, FuncId f);

// It comes back, may have written to what it was given, and collects if anything that it calls may.
Summary sum_up_calls(const Context& ctx, FuncId f);

}  // namespace reckon::analysis
