// Objects that a function ends with a reference to and that are seldom lost all the same.
#pragma once

#include "engine/core/context.h"
#include "engine/core/core_state.h"
#include "engine/core/object.h"

namespace reckon::engine {

// Do the specs say that objects of this struct, or of one that begins with it, mostly are kept elsewhere?
bool kept_as_a_rule(const Context& ctx, FuncId f, const EventObject& o);

// Is the object thrown away by the call that gave it for another one, from which a pointer was read?
bool read_before(const Context& ctx, FuncId f, const EventObject& o);

// Does the function end with what a call makes of the object that came from `origin`, and is that the object or a part
// of it, or NULL for one of another kind?
bool ends_with_conversion(const Context& ctx, FuncId f, InstrId end, InstrId origin);

}  // namespace reckon::engine
