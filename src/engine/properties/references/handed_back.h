// Arguments of a helper that came with a reference of the caller's own.
#pragma once

#include <cstdint>

#include "engine/core/context.h"

namespace reckon::engine {

// Bits of the parameters for which every call in sight gives an object that the caller got by itself, and not one that
// it was given. None for a function that others may call, too.
std::uint32_t own_of_callers(const Context& ctx, FuncId f);

}  // namespace reckon::engine
