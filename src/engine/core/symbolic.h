// Terms, ranges and facts, by their own names: all of the engine speaks of them.
#pragma once

#include "symbolic/facts.h"

namespace reckon::engine {

using namespace symbolic;

}  // namespace reckon::engine
