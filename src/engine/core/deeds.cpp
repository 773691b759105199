#include "engine/core/deeds.h"

#include <algorithm>

#include "engine/core/places.h"
#include "support/limits.h"

namespace reckon::engine {

void DeedsPart::note_deed(const TermArena& terms, Deed deed, bool made) {
  auto told = [&](TermId t) {
    specs::Place ignored;
    return to_place(terms, t, ignored);
  };
  if (!made && !told(deed.object)) return;
  if (deed.other != kNoTerm && !told(deed.other)) return;
  const auto at = std::lower_bound(deeds.begin(), deeds.end(), deed);
  if ((at != deeds.end() && *at == deed) || deeds.size() >= support::kLimits.outcomes.deeds) return;
  deeds.insert(at, deed);
}

bool DeedsPart::for_callers_only() const {
  return std::any_of(deeds.begin(), deeds.end(), [](const Deed& d) { return d.row == specs::effect_rows::when; });
}

void DeedsPart::hash(const TermArena&, Seen<DeedsPart> s, Hasher& h) {
  for (const Deed& d : s.part.deeds) {
    h.mix(d.row);
    h.mix(d.object);
    h.mix(d.other);
  }
}

void DeedsPart::forget_old(const TermArena& terms, TermId, TermId old) {
  std::erase_if(deeds, [&](const Deed& d) { return terms.contains(d.object, old); });
}

void DeedsPart::substitute(TermArena& terms, TermId symbol, TermId old) {
  for (Deed& d : deeds) d.object = terms.substitute(d.object, symbol, old);
  std::sort(deeds.begin(), deeds.end());
}

}  // namespace reckon::engine
