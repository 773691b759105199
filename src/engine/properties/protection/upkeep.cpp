// A loop that keeps making states at its head: what protection lets go of, so that they are joined.

#include <algorithm>

#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/stack.h"
#include "support/limits.h"

namespace reckon::engine {

void Collector::widen(State& s, std::span<const State>) { gc_let_go(s, true); }

// A loop that pushes comes by ever deeper stacks, all else being equal: from some number on the depth is not known.
bool Collector::too_many_alike(State& s, std::span<const State> seen, model::BlockId block) {
  if (!s.gc.depth) return false;
  const auto others = static_cast<std::size_t>(std::count_if(seen.begin(), seen.end(), [&](const State& o) {
    return o.gc.depth && !(*o.gc.depth == *s.gc.depth) && ProtectionPart::same_dangers(terms_, o, s);
  }));
  if (others < support::kLimits.looks.depths_at_loop) return false;
  props().protection_stack->depth_grows(s, block);
  return true;
}

}  // namespace reckon::engine
