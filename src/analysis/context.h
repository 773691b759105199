// Fills what the engine may look at while it analyses functions (engine/core/context.h) from the linked program and the
// specs, before the first function runs.
#pragma once

#include "engine/core/context.h"

namespace reckon::analysis {

using namespace engine;  // the analysis speaks of the engine's values throughout

// What calls in sight say of functions that stand in no table (callers.cpp).
void learn_from_callers(Context& ctx);

// Finds the members that remember objects from one call to the next (lasting_fields.cpp).
void learn_lasting_fields(Context& ctx);

// Finds the variables that hold an interned object (interned.cpp).
void learn_interned(Context& ctx);

// Fills the tables above (all but summaries' contents). `forced`: domains that are on for every unit.
Context make_context(const program::Program& program, const specs::SpecSet& specs,
                     const std::vector<std::string>& forced);

}  // namespace reckon::analysis
