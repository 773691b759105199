// Does an instruction stand in a loop? What is counted there may concern elements that nobody can tell apart.
#pragma once

#include "engine/core/flow.h"
#include "model/model.h"

namespace reckon::engine {

inline bool in_loop(const model::Body& body, const Flow& flow, model::InstrId instr) {
  for (model::BlockId at{}; at < body.blocks.size(); ++at)
    if (instr - body.blocks[at].first < body.blocks[at].count) return flow.in_cycle(at);
  return false;
}

}  // namespace reckon::engine
