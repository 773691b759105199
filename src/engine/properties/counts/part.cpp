// Named counts where states are compared, joined and aged.
#include "engine/properties/counts/part.h"

#include <algorithm>

#include "engine/core/symbol_sets.h"

namespace reckon::engine {

int CountsPart::count(TermId obj, specs::CountId kind) const {
  for (const Count& c : counts)
    if (c.object == obj && c.kind == kind) return c.delta;
  return 0;
}

void CountsPart::change_count(TermId obj, specs::CountId kind, int delta, InstrId instr) {
  for (auto it = counts.begin(); it != counts.end(); ++it) {
    if (it->object != obj || it->kind != kind) continue;
    const int sum = std::clamp(it->delta + delta, -kManyOwned, kManyOwned);
    it->delta = static_cast<std::int16_t>(sum);
    it->touched = instr;
    if (it->delta == 0) counts.erase(it);
    return;
  }
  counts.push_back({obj, kind, static_cast<std::int16_t>(delta), instr});
  std::sort(counts.begin(), counts.end(), [](const Count& a, const Count& b) {
    return a.object != b.object ? a.object < b.object : a.kind < b.kind;
  });
}

bool CountsPart::same(const TermArena&, Seen<CountsPart> a, Seen<CountsPart> b, bool) {
  return std::equal(a.part.counts.begin(), a.part.counts.end(), b.part.counts.begin(), b.part.counts.end(),
                    [](const Count& x, const Count& y) { return x.same_property(y); });
}

void CountsPart::hash(const TermArena&, Seen<CountsPart> s, Hasher& h) {
  for (const Count& c : s.part.counts)
    h.mix((static_cast<std::uint64_t>(c.object) << 24) ^ (c.kind << 8) ^ static_cast<std::uint8_t>(c.delta));
}

void CountsPart::forget_old(const TermArena& terms, TermId, TermId old) {
  std::erase_if(counts, [&](const Count& c) { return terms.contains(c.object, old); });
}

// Counts are not sorted again: two states that aged alike have them in the same order.
void CountsPart::substitute(TermArena& terms, TermId symbol, TermId old) {
  for (Count& c : counts) c.object = terms.substitute(c.object, symbol, old);
}

void CountsPart::scan_later(MadeSymbols& found) const {
  for (const Count& c : counts) found.add(c.object);
}

// `coarsened` alone is no reason to look at the joined state again: changed() leaves it out.
void CountsPart::join(const Meeting<CountsPart>& m, JoinNotes&) { m.into.part.coarsened |= m.from.part.coarsened; }

bool CountsPart::describe_change(const TermArena&, const CountsPart& before, Change& change) const {
  for (const Count& c : counts)
    if (before.count(c.object, c.kind) != c.delta) change.counts.push_back(c);
  for (const Count& c : before.counts)  // back where it was at entry
    if (c.delta != 0 && count(c.object, c.kind) == 0) {
      change.counts.push_back(c);
      change.counts.back().delta = 0;
    }
  return !change.counts.empty();
}

}  // namespace reckon::engine
