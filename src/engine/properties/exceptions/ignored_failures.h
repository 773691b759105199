// Calls that fail while nobody asks about it, or not before the next call.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/context.h"
#include "engine/core/events.h"

namespace reckon::engine {

// The last call on the way to `path` that failed; kNone: none did.
InstrId last_failure(const std::vector<PathNode>& nodes, PathId path);

// Is this a call of the API that runs code of an object it is given, and gives another one or fails?
bool asks_object(const Context& ctx, FuncId function, InstrId call);

// Does the function, by a helper around one call, too, ask whether an exception is set, take it, print it or drop it?
bool deals_with_exceptions(const Context& ctx, FuncId function);

// Does a function that calls `function`, or one without a result that does so, deal with exceptions?
bool callers_ask(const Context& ctx, FuncId function);

// The last call on the way to `path` that failed, if an API function's, its result is not used at all, and no caller of
// `function` asks for exceptions; kNone otherwise.
InstrId ignored_failure(const Context& ctx, FuncId function, const std::vector<PathNode>& nodes, PathId path);

}  // namespace reckon::engine
