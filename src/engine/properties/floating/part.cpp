#include "engine/properties/floating/part.h"

#include <algorithm>

#include "engine/core/symbol_sets.h"

namespace reckon::engine {

bool FloatingPart::floats(TermId object) const { return std::binary_search(floating.begin(), floating.end(), object); }

void FloatingPart::set_floating(TermId object) {
  const auto at = std::lower_bound(floating.begin(), floating.end(), object);
  if (at == floating.end() || *at != object) floating.insert(at, object);
}

void FloatingPart::unset_floating(TermId object) { std::erase(floating, object); }

void FloatingPart::hash(const TermArena&, Seen<FloatingPart> s, Hasher& h) {
  for (TermId t : s.part.floating) h.mix(t);
}

void FloatingPart::forget_old(const TermArena& terms, TermId, TermId old) {
  std::erase_if(floating, [&](TermId t) { return terms.contains(t, old); });
}

void FloatingPart::substitute(TermArena& terms, TermId symbol, TermId old) {
  for (TermId& t : floating) t = terms.substitute(t, symbol, old);
  std::sort(floating.begin(), floating.end());
}

void FloatingPart::forget(const TermArena&, Mentioned& mentioned) {
  std::erase_if(floating, [&](TermId t) { return !mentioned.covers(t); });
}

}  // namespace reckon::engine
