// Members that say whether a count is held: set where it is taken, asked and cleared where it is given back. An end
// that found such a member set, gives the count back and leaves the member clear has given back what whoever set it
// took, in this call or in an earlier one; an end that found it clear, takes the count and leaves it set has told
// whoever comes next. Neither is evidence against an end that did something else.
//
// Limits: one member that was not zero and is zero at the end, or the other way round. A bit among others is not
// followed, nor a member that nobody asked.

#include "engine/properties/counts/hold_flags.h"

#include <algorithm>

#include "engine/core/trail.h"

namespace reckon::engine {

namespace {

// Is there a member of memory that callers see of which `before` holds when it is read, and `after` at the end?
template <class Before, class After>
bool member_changes(const TermArena& terms, const State& s, Before before, After after) {
  auto member = [&](TermId t) {
    while (terms[t].kind == TermKind::Arith && static_cast<model::ArithOp>(terms[t].sub) == model::ArithOp::And &&
           terms.is_const(terms[t].right()))
      t = terms[t].left();
    return t;
  };
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    if (!after(c.value) || terms[terms.root(c.base)].kind == TermKind::Slot) return false;
    return std::any_of(s.facts.ranges().begin(), s.facts.ranges().end(), [&](const auto& known) {
      const Term& t = terms[member(known.first)];
      return t.kind == TermKind::Initial && t.left() == c.base && t.imm == c.offset && before(known.second);
    });
  });
}

}  // namespace

bool falls_with_flag(const TermArena& terms, const State& s) {
  return member_changes(
      terms, s, [](const Range& r) { return !r.allows(0); }, [&](TermId v) { return s.facts.known_zero(terms, v); });
}

bool rises_with_flag(const TermArena& terms, const State& s) {
  return member_changes(
      terms, s, [](const Range& r) { return r.is_single() && r.lo == 0; },
      [&](TermId v) { return terms.is_const(v) && terms[v].imm != 0; });
}

bool told_as_held(const Context& ctx, const Trail& trail, const TermArena& terms, const State& s, specs::CountId kind) {
  if (ctx.hold_flags.empty()) return false;
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    if (terms[terms.root(c.base)].kind == TermKind::Slot || !s.facts.known_nonzero(terms, c.value)) return false;
    const Member* member = trail.member_at(c.base, c.offset);
    if (!member) return false;
    const auto held = ctx.hold_flags.find(trail.full_name(*member));
    return held != ctx.hold_flags.end() &&
           std::find(held->second.begin(), held->second.end(), kind) != held->second.end();
  });
}

}  // namespace reckon::engine
