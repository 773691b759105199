// Members that say whether a count is held: set where it is taken, asked and cleared where it is given back. An end
// that found such a member set, gives the count back and leaves the member clear has given back what whoever set it
// took, in this call or in an earlier one; an end that found it clear, takes the count and leaves it set has told
// whoever comes next. Neither is evidence against an end that did something else.
//
// A bit among others is such a member, too, if the bit that was asked is the one that is set or cleared.
//
// Limits: one member that was not zero and is zero at the end, or the other way round; not one that nobody asked.

#include "engine/core/hold_flags.h"

#include <algorithm>

#include "engine/core/trail.h"

namespace reckon::engine {

namespace {

// A member as the function found it, and which of its bits a term asks for.
struct Asked {
  TermId member;
  std::uint64_t bits;
};

Asked asked_in(const TermArena& terms, TermId t) {
  Asked out{t, ~std::uint64_t{0}};
  while (terms[out.member].kind == TermKind::Arith && terms.is_const(terms[out.member].right())) {
    const Term& x = terms[out.member];
    const auto number = static_cast<std::uint64_t>(terms[x.right()].imm);
    const auto op = static_cast<model::ArithOp>(x.sub);
    if (op == model::ArithOp::And)
      out.bits &= number;
    else if (op == model::ArithOp::Shr && number < 64)
      out.bits <<= number;
    else
      break;
    out.member = x.left();
  }
  return out;
}

// The number that a value was combined with by `op`, at last; `otherwise` if it was not.
std::uint64_t combined_with(const TermArena& terms, TermId value, model::ArithOp op, std::uint64_t otherwise) {
  const Term& x = terms[value];
  const bool so = x.kind == TermKind::Arith && static_cast<model::ArithOp>(x.sub) == op && terms.is_const(x.right());
  return so ? static_cast<std::uint64_t>(terms[x.right()].imm) : otherwise;
}

// Memory that callers see; of this object, if one is named.
bool of_object(const TermArena& terms, const Cell& c, TermId object) {
  const TermId root = terms.root(c.base);
  return terms[root].kind != TermKind::Slot && (object == kNoTerm || root == object);
}

// Is there a member of memory that callers see of which `before` holds when it is read, and `after` at the end?
template <class Before, class After>
bool member_changes(const TermArena& terms, const State& s, TermId object, Before before, After after) {
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    if (!of_object(terms, c, object)) return false;
    return std::any_of(s.facts.ranges().begin(), s.facts.ranges().end(), [&](const auto& known) {
      const Asked asked = asked_in(terms, known.first);
      const Term& t = terms[asked.member];
      return t.kind == TermKind::Initial && t.left() == c.base && t.imm == c.offset && before(known.second) &&
             after(c.value, asked.bits);
    });
  });
}

}  // namespace

bool falls_with_flag(const TermArena& terms, const State& s, TermId object) {
  return member_changes(
      terms, s, object, [](const Range& r) { return !r.allows(0); },
      [&](TermId v, std::uint64_t bits) {
        return s.facts.known_zero(terms, v) ||
               (combined_with(terms, v, model::ArithOp::And, ~std::uint64_t{0}) & bits) == 0;
      });
}

bool rises_with_flag(const TermArena& terms, const State& s, TermId object) {
  return member_changes(
      terms, s, object, [](const Range& r) { return r.is_single() && r.lo == 0; },
      [&](TermId v, std::uint64_t bits) {
        return (terms.is_const(v) && terms[v].imm != 0) || (combined_with(terms, v, model::ArithOp::Or, 0) & bits) != 0;
      });
}

bool told_as_held(const Context& ctx, const Trail& trail, const TermArena& terms, const State& s, specs::CountId kind,
                  TermId object) {
  if (ctx.hold_flags.empty()) return false;
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    if (!of_object(terms, c, object) || !s.facts.known_nonzero(terms, c.value)) return false;
    const Member* member = trail.member_at(c.base, c.offset);
    if (!member) return false;
    const auto held = ctx.hold_flags.find(trail.full_name(*member));
    return held != ctx.hold_flags.end() &&
           std::find(held->second.begin(), held->second.end(), kind) != held->second.end();
  });
}

bool goes_with_member(const specs::Outcome& o, const specs::Place& object) {
  const auto inside = [&](const specs::Place& p) {
    return p.root == object.root && p.index == object.index && p.global == object.global &&
           p.path.size() > object.path.size() && std::equal(object.path.begin(), object.path.end(), p.path.begin());
  };
  return std::any_of(o.when.begin(), o.when.end(), [&](const specs::Condition& asked) {
    const bool was_zero = asked.pred == specs::Pred::Eq && asked.imm == 0 && !asked.other;
    return inside(asked.place) && std::any_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& store) {
             const bool zero = store.value.kind == specs::Value::Kind::Int && store.value.imm == 0;
             return store.where == asked.place && !(was_zero && zero);  // else it says what it said before
           });
  });
}

}  // namespace reckon::engine
