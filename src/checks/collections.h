// Where a collection of garbage may happen: every call that may allocate, in a program of a collected language.
#pragma once

#include "engine/core/context.h"
#include "report/run.h"

namespace reckon::checks {

// Those of units whose domain checks protection. The summaries of `ctx` must have been computed.
report::Collections collection_points(const engine::Context& ctx);

}  // namespace reckon::checks
