// --dump=states: what is told apart at the ends of a function.
#pragma once

#include <string>

#include "engine/executor.h"

namespace reckon::engine {

std::string states_at_exits(const Executor& executor);

}  // namespace reckon::engine
