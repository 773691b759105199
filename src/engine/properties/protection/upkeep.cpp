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
  std::vector<Linear> others;  // states may differ in more than their depths
  for (const State& o : seen)
    if (o.gc.depth && !(*o.gc.depth == *s.gc.depth) && ProtectionPart::same_dangers(terms_, o, s) &&
        std::find(others.begin(), others.end(), *o.gc.depth) == others.end())
      others.push_back(*o.gc.depth);
  if (others.size() < support::kLimits.looks.depths_at_loop || !props().protection_stack->changes_in_loop(block))
    return false;
  props().protection_stack->depth_grows(s, block);
  return true;
}

}  // namespace reckon::engine
