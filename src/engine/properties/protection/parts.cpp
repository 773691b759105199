// Parts of objects that are read: which place of the whole they are, and when that may hold something else.

#include "engine/properties/protection/parts.h"

#include <algorithm>

#include "engine/core/asked_again.h"
#include "support/limits.h"

namespace reckon::engine {

// One of several places of an object, by its index or key: the same term as that of a member at a constant offset.
TermId part_at(TermArena& terms, TermId whole, TermId key) {
  const auto [base, offset] = terms.split(terms.index(whole, key, 1));
  return terms.initial(base, offset, 0);
}

// The one at `at` that the other argument tells: `get_element(x, i)`.
TermId keyed_part(TermArena& terms, const specs::Place& from, TermId at, const std::vector<TermId>& args) {
  if (from.root != specs::Place::Root::Arg || from.path.size() != 1 || from.index > 1 || args.size() != 2) return at;
  return part_at(terms, at, args[1 - from.index]);
}

namespace {
// Does the state still know something of what a function without effects gave for `object`?
bool asked_about(const TermArena& terms, const State& s, TermId object) {
  auto answer = [&](TermId t, auto&& self) -> bool {
    if (!terms.contains(t, object)) return false;
    const Term& x = terms[t];
    switch (x.kind) {
      case TermKind::Answer: return true;
      case TermKind::Initial:
      case TermKind::Offset: return self(x.left(), self);
      case TermKind::Index:
      case TermKind::Arith:
      case TermKind::Cmp: return self(x.left(), self) || self(x.right(), self);
      default: return false;
    }
  };
  return std::any_of(s.values.begin(), s.values.end(), [&](const auto& v) { return answer(v.second, answer); }) ||
         std::any_of(s.gc.objects.begin(), s.gc.objects.end(), [&](const auto& o) { return answer(o.term, answer); }) ||
         std::ranges::any_of(s.facts.ranges(), [&](const auto& r) { return answer(r.first, answer); }) ||
         std::ranges::any_of(s.facts.relations(),
                             [&](const Relation& r) { return answer(r.a, answer) || answer(r.b, answer); });
}
}  // namespace

// What is read from an object, or from what it is a part of, may be something else from here on. States that know of no
// earlier answer stay alike.
void parts_change(TermArena& terms, State& s, TermId place, InstrId instr) {
  TermId whole = terms.owner_root(place);
  for (int fuel = support::kLimits.protection.owner_steps; fuel > 0; --fuel) {
    if (asked_about(terms, s, whole)) s.invalidate(version_of_parts(terms, whole), instr + 2);
    const GcObject* g = s.gc.object(whole);
    if (!g || g->owner == kNoTerm) return;
    whole = terms.owner_root(g->owner);
  }
}

}  // namespace reckon::engine
