// Fills what the engine may look at while it analyses functions (engine/core/context.h) from the linked program and the
// specs, before the first function runs.
#pragma once

#include <string>
#include <vector>

#include "engine/core/context.h"

namespace reckon::analysis {

using namespace engine;  // the analysis speaks of the engine's values throughout

// Fills all tables but the contents of the summaries. `forced`: domains that are on for every unit.
Context make_context(const program::Program& program, const specs::SpecSet& specs,
                     const std::vector<std::string>& forced);

}  // namespace reckon::analysis
