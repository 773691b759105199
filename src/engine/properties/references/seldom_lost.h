// Objects that a function ends with a reference to and that are seldom lost all the same.
#pragma once

#include "engine/core/context.h"
#include "engine/core/core_state.h"
#include "engine/core/frame.h"
#include "engine/core/object.h"
#include "engine/state.h"

namespace reckon::engine {

// Do the specs say that objects of this struct, or of one that begins with it, mostly are kept elsewhere?
bool kept_as_a_rule(const Context& ctx, FuncId f, const EventObject& o);

// While a module is set up, which happens once: does something that lives on hold the object as well? `failed`: a call
// failed on the way; then it counts if the same is lost where none does, at one of the other `exits`.
bool held_from_set_up(const Context& ctx, FuncId f, const TermArena& terms, const State& s, const Obj& o, bool failed,
                      const std::vector<Exit>& exits);

// Is the object thrown away by the call that gave it for another one, from which a pointer was read?
bool read_before(const Context& ctx, FuncId f, const EventObject& o);

// Does a function other than `self` read the variable? Of a variable that other files see that is not known.
bool read_elsewhere(const model::Unit& unit, const model::Function& self, std::string_view variable);

// Does the function end with what a call makes of the object that came from `origin`, and is that the object or a part
// of it, or NULL for one of another kind?
bool ends_with_conversion(const Context& ctx, FuncId f, InstrId end, InstrId origin);

}  // namespace reckon::engine
