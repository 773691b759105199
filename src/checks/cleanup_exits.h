// Where a way left a function whose clean-up code all ways share.
#pragma once

#include "engine/trace.h"

namespace reckon::checks {

// The `return` by which the path came to `instr`, if that stands at the closing brace with the code that cleans up
// behind every return (`guard()`, `__free()`); otherwise `instr`.
model::InstrId returned_at(const engine::Trace& trace, model::InstrId instr, engine::PathId path);

}  // namespace reckon::checks
