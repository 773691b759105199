// Terms that say what there was when the function began.
#pragma once

#include <algorithm>

#include "engine/core/state.h"
#include "engine/core/symbolic.h"
#include "specs/outcome.h"

namespace reckon::engine {

// Made of what was there when the function began, or of answers that stay the same.
bool from_entry(const TermArena& terms, TermId t);

// Is all that `a` takes for granted of the beginning something that `b` has asked for, too, whatever the answer?
inline bool asks_no_more(const TermArena& terms, const State& a, const State& b) {
  return std::all_of(a.facts.ranges().begin(), a.facts.ranges().end(), [&](const auto& x) {
    return !from_entry(terms, x.first) || std::any_of(b.facts.ranges().begin(), b.facts.ranges().end(),
                                                      [&](const auto& y) { return y.first == x.first; });
  });
}

// Do the two need the function to begin in different states, and only by properties that an API tells of objects
// (`x->%on`)?
inline bool part_by_property(const TermArena& terms, const State& a, const State& b) {
  bool found = false;
  for (const auto& [t, r] : a.facts.ranges())
    for (const auto& [u, q] : b.facts.ranges()) {
      if (t != u || !from_entry(terms, t)) continue;
      Range both = r;
      both.meet(q);
      if (!both.empty()) continue;
      if (terms[t].kind != TermKind::Initial || specs::property_name(terms[t].imm).empty()) return false;
      found = true;
    }
  return found;
}

}  // namespace reckon::engine
