// Parts of objects that are read.
#pragma once

#include <vector>

#include "engine/state.h"
#include "specs/outcome.h"

namespace reckon::engine {

TermId part_at(TermArena& terms, TermId whole, TermId key);
TermId keyed_part(TermArena& terms, const specs::Place& from, TermId at, const std::vector<TermId>& args);
void parts_change(TermArena& terms, State& s, TermId place, InstrId instr);

}  // namespace reckon::engine
