// How the calls on the paths of findings end, as the specs say it: for scripts, and for `reckon confirm`.
#pragma once

#include "report/run.h"
#include "specs/spec_set.h"

namespace reckon::driver {

// Fills Run::call_ends. Calls of functions with a body are not in it: a step inside them says what failed there.
void add_call_ends(report::Run& run, const specs::SpecSet& specs);

}  // namespace reckon::driver
