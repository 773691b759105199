// Members that say whether a count is held (hold_flags.cpp).
#pragma once

#include "engine/core/context.h"
#include "engine/core/state.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

class Trail;

// Each asks about members of one object only, if one is named.
//
// Was a member of memory that callers see found not to be zero, and is it zero now?
bool falls_with_flag(const TermArena& terms, const State& s, TermId object = kNoTerm);
// The other way round: was it found to be zero, and is it some other number now?
bool rises_with_flag(const TermArena& terms, const State& s, TermId object = kNoTerm);
// Does a member that other functions go by when they give this count back say, at the end, that it is held?
bool told_as_held(const Context& ctx, const Trail& trail, const TermArena& terms, const State& s, specs::CountId kind,
                  TermId object = kNoTerm);
// Does the outcome ask a member of the object at this place and write to it? Then a count of the object that changes
// with it is the one that the member speaks of: `if (o->held) { o->held = 0; put(o); }`.
bool goes_with_member(const specs::Outcome& o, const specs::Place& object);

}  // namespace reckon::engine
