// Members that say whether a count is held (hold_flags.cpp).
#pragma once

#include "engine/core/state.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

// Was a member of memory that callers see found not to be zero, and is it zero now?
bool falls_with_flag(const TermArena& terms, const State& s);
// The other way round: was it found to be zero, and is it some other number now?
bool rises_with_flag(const TermArena& terms, const State& s);

}  // namespace reckon::engine
