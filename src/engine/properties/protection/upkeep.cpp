// A loop that keeps making states at its head: what protection lets go of, so that they are joined.

#include <algorithm>

#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/stack.h"
#include "support/limits.h"

namespace reckon::engine {

void Collector::widen(State& s, std::span<const State>) { gc_let_go(s, true); }

// A loop that pushes comes by ever deeper stacks, all else being equal: from some number on the depth is not known. The
// loop is to blame only if something in it pushes or pops and the states differ in no more than their depths.
bool Collector::too_many_alike(State& s, std::span<const State> seen, model::BlockId block) {
  if (!s.gc.depth) return false;
  std::size_t others = 0;
  std::vector<Linear> depths;
  for (const State& o : seen) {
    if (!o.gc.depth || *o.gc.depth == *s.gc.depth || !ProtectionPart::same_dangers(terms_, o, s)) continue;
    ++others;
    if (std::find(depths.begin(), depths.end(), *o.gc.depth) == depths.end()) depths.push_back(*o.gc.depth);
  }
  if (others < support::kLimits.looks.depths_at_loop) return false;
  if (depths.size() >= support::kLimits.looks.depths_at_loop && props().protection_stack->changes_in_loop(block)) {
    props().protection_stack->depth_grows(s, block);
    return true;
  }
  const model::Block& b = body_.blocks[block];
  trail_.silent(Silence::DepthUnclear, kNoTerm, InstrId(b.first + b.count - 1));
  s.gc.depth.reset();
  return true;
}

}  // namespace reckon::engine
