// Why the depth of the protection stack is not known.
#pragma once

#include <algorithm>

#include "engine/core/flow.h"
#include "engine/core/symbolic.h"
#include "engine/properties/protection/protection.h"

namespace reckon::engine {

// Did ways that met inside of the function leave it open? Those that meet at the head of a loop do so in every look.
inline bool left_open_by_join(const TermArena& terms, const Flow& flow, const Linear& depth) {
  return std::any_of(depth.parts.begin(), depth.parts.end(), [&](const auto& p) {
    return terms[p.first].kind == TermKind::Join && !flow.is_loop_head(terms[p.first].block());
  });
}

}  // namespace reckon::engine
