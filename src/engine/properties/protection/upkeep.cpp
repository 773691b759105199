// What a state may let go of: records of objects that nothing names any more, and depths that a loop keeps changing.

#include <algorithm>

#include "engine/core/symbol_sets.h"
#include "engine/properties/protection/collector.h"
#include "support/limits.h"

namespace reckon::engine {

// Records of what is still named stay, and of what keeps those.
void Collector::forget(State& s, const Pruning& pruning) {
  Mentioned& m = pruning.mentioned;
  std::vector<char> wanted(s.gc.objects.size(), 0);
  std::vector<TermId> todo;
  auto want = [&](TermId t) {
    for (TermId x : {t, terms_.owner_root(t)}) {
      const GcObject* o = s.gc.object(x);
      if (!o || wanted[static_cast<std::size_t>(o - s.gc.objects.data())]) continue;
      wanted[static_cast<std::size_t>(o - s.gc.objects.data())] = 1;
      todo.push_back(x);
    }
  };
  for (const GcObject& o : s.gc.objects)
    if (m.has(o.term) || terms_[o.term].kind == TermKind::Param)
      want(o.term);
    else if (pushes_ && !pops_ && o.fresh && !o.slots.empty())
      want(o.term);  // left on the stack for whom?
  while (!todo.empty()) {
    const GcObject& o = *s.gc.object(todo.back());
    todo.pop_back();
    m.add(o.term);
    if (o.owner != kNoTerm) want(o.owner);
    for (TermId h : o.holders) want(h);
  }
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.gc.objects.size(); ++i)
    if (wanted[i]) {
      if (n != i) s.gc.objects[n] = std::move(s.gc.objects[i]);
      ++n;
    }
  s.gc.objects.resize(n);
}

// A loop that pushes comes by ever deeper stacks, all else being equal: from some number on the depth is not known.
bool Collector::too_many_depths(State& s, std::span<const State> seen, model::BlockId block) {
  const auto others = static_cast<std::size_t>(std::count_if(seen.begin(), seen.end(), [&](const State& o) {
    return o.gc.depth && !(*o.gc.depth == *s.gc.depth) && ProtectionPart::same_dangers(terms_, o, s);
  }));
  if (others < support::kLimits.looks.depths_at_loop) return false;
  depth_grows(s, block);
  return true;
}

}  // namespace reckon::engine
