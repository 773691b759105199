// --dump=states: what is told apart at the ends of a function.
#pragma once

#include <string>

#include "analysis/context.h"
#include "engine/executor.h"

namespace reckon::analysis {

std::string states_at_exits(const Executor& executor);

}  // namespace reckon::analysis
