// What is known of a finding of a look that joins ways.
#pragma once

#include "engine/core/events.h"
#include "engine/executor.h"

namespace reckon::analysis {

// Does the leak rest on which ways were joined: the object is made on some of the ways to its end only, and given up on
// others of them?
bool rests_on_joining(const engine::Executor& ex, const engine::Event& e);

}  // namespace reckon::analysis
