// From the terms of one function to the places its callers know.
#pragma once

#include "engine/term.h"
#include "specs/outcome.h"

namespace reckon::engine {

// A symbol as callers see it; false if they cannot.
bool to_place(const TermArena& terms, TermId t, specs::Place& out);

}  // namespace reckon::engine
