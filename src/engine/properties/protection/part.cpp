// The protection stack and its objects where states are compared, joined, aged and pruned.
#include "engine/properties/protection/part.h"

#include <algorithm>
#include <iterator>

#include "engine/core/bindings.h"
#include "engine/core/symbol_sets.h"
#include "support/limits.h"

namespace reckon::engine {

namespace {
constexpr std::size_t kMaxParts = support::kLimits.protection.sum_parts;

// Would joining a and b give the symbol `t` a new meaning?
bool redefined(const TermArena& terms, const Seen<ProtectionPart>& a, const Seen<ProtectionPart>& b, TermId t) {
  if (terms[t].kind != TermKind::Join) return false;
  for (const auto& [v, x] : a.core.values)
    if (const TermId y = b.core.value(v); y != kNoTerm && x != y && (x == t || y == t)) return true;
  for (const Cell& c : a.core.memory)
    if (const Cell* d = b.core.cell(c.base, c.offset); d && c.value != d->value && (c.value == t || d->value == t))
      return true;
  return false;
}

std::optional<DepthMatch> match_depths(const TermArena& terms, const Seen<ProtectionPart>& a,
                                       const Seen<ProtectionPart>& b) {
  if (!a.part.gc.depth || !b.part.gc.depth) return std::nullopt;
  const Linear &da = *a.part.gc.depth, &db = *b.part.gc.depth;
  DepthMatch m;
  if (da == db &&
      std::none_of(da.parts.begin(), da.parts.end(), [&](const auto& p) { return redefined(terms, a, b, p.first); })) {
    m.rest = da;
    return m;
  }
  if (da.parts.size() > kMaxParts || db.parts.size() > kMaxParts || !a.part.gc.counters) return std::nullopt;
  // Variables that differ, and what is left of the depth without them.
  struct Candidate {
    model::ValueId value = model::kNone;
    std::pair<TermId, std::int64_t> cell{kNoTerm, 0};
    Linear in_a, in_b;
  };
  std::vector<Candidate> found;
  for (const auto& [v, x] : a.core.values) {
    if (v >= a.part.gc.counters->values.size() || !a.part.gc.counters->values[v]) continue;
    if (const TermId y = b.core.value(v); y != kNoTerm && x != y)
      found.push_back({v, {}, linear_of(terms, x), linear_of(terms, y)});
  }
  if (a.part.gc.counters->memory)
    for (const Cell& c : a.core.memory)
      if (const Cell* d = b.core.cell(c.base, c.offset); d && c.value != d->value)
        found.push_back({model::kNone, {c.base, c.offset}, linear_of(terms, c.value), linear_of(terms, d->value)});
  auto stable = [&](const Linear& l) {
    return std::none_of(l.parts.begin(), l.parts.end(), [&](const auto& p) { return redefined(terms, a, b, p.first); });
  };
  auto take = [&](const std::vector<const Candidate*>& set) -> bool {
    Linear ra = da, rb = db;
    for (const Candidate* c : set) ra.add(c->in_a, -1), rb.add(c->in_b, -1);
    if (!(ra == rb) || !stable(ra)) return false;
    m.rest = ra;
    for (const Candidate* c : set)
      if (c->value != model::kNone)
        m.values.push_back(c->value);
      else
        m.cells.push_back(c->cell);
    return true;
  };
  for (const Candidate& c : found)
    if (take({&c})) return m;
  for (std::size_t i = 0; i < found.size() && found.size() <= support::kLimits.protection.pair_candidates; ++i)
    for (std::size_t k = i + 1; k < found.size(); ++k)
      if (take({&found[i], &found[k]})) return m;
  return std::nullopt;
}

// Where vulnerable objects are bound: a join must not lose that.
std::vector<Binding> bindings(const TermArena& terms, const Seen<ProtectionPart>& s) {
  std::vector<TermId> exposed;
  for (const GcObject& o : s.part.gc.objects)
    if (s.part.gc.is_exposed(terms, o)) exposed.push_back(o.term);
  return engine::bindings(terms, s.core, exposed);
}

}  // namespace

bool ProtectionPart::watches(const TermArena& terms, TermId object) const {
  const GcObject* o = gc.on ? gc.object(object) : nullptr;
  return o && gc.is_exposed(terms, *o);
}

// ---------------------------------------------------------------- comparing

bool ProtectionPart::same_dangers(const TermArena& terms, Seen<ProtectionPart> a, Seen<ProtectionPart> b) {
  const Protection &gc = a.part.gc, &other = b.part.gc;
  std::size_t i = 0, j = 0;
  for (;;) {
    while (i < gc.objects.size() && !gc.is_exposed(terms, gc.objects[i])) ++i;
    while (j < other.objects.size() && !other.is_exposed(terms, other.objects[j])) ++j;
    const bool mine = i < gc.objects.size(), theirs = j < other.objects.size();
    if (!mine && !theirs) break;
    if (!mine || !theirs || !gc.objects[i].same_property(other.objects[j])) return false;
    ++i, ++j;
  }
  return bindings(terms, a) == bindings(terms, b);
}

bool ProtectionPart::same(const TermArena& terms, Seen<ProtectionPart> a, Seen<ProtectionPart> b, bool) {
  if (!a.part.gc.on) return true;
  if (a.part.gc.depth.has_value() != b.part.gc.depth.has_value() || !same_dangers(terms, a, b)) return false;
  return !a.part.gc.depth || match_depths(terms, a, b).has_value();
}

void ProtectionPart::hash(const TermArena& terms, Seen<ProtectionPart> s, Hasher& h) {
  const Protection& gc = s.part.gc;
  if (!gc.on) return;
  for (const GcObject& o : gc.objects)
    if (gc.is_exposed(terms, o)) h.mix(static_cast<std::uint64_t>(o.term) << 2 | (o.exposed != model::kNone ? 1 : 0));
  mix(h, bindings(terms, s));
  h.mix(gc.depth.has_value());
}

// ---------------------------------------------------------------- ageing and pruning

void ProtectionPart::substitute(TermArena& terms, TermId symbol, TermId old) { gc.age(terms, symbol, old); }

void ProtectionPart::scan_later(MadeSymbols& found) const {
  for (const GcObject& o : gc.objects) {
    found.add(o.term);
    for (const Linear& l : o.slots)
      for (const auto& part : l.parts) found.add(part.first);
  }
  if (gc.depth)
    for (const auto& part : gc.depth->parts) found.add(part.first);
}

// The depth and the slots are told by counters that may have no variable any more.
void ProtectionPart::mention(Mentioned& mentioned) const {
  if (gc.depth)
    for (const auto& part : gc.depth->parts) mentioned.add(part.first);
  for (const GcObject& o : gc.objects)
    for (const Linear& l : o.slots)
      for (const auto& part : l.parts) mentioned.add(part.first);
}

// Records of what is still named stay, and of what keeps those.
void ProtectionPart::forget(const TermArena& terms, Mentioned& mentioned) {
  if (!gc.on) return;
  std::vector<char> wanted(gc.objects.size(), 0);
  std::vector<TermId> todo;
  auto want = [&](TermId t) {
    for (TermId x : {t, terms.owner_root(t)}) {
      const GcObject* o = gc.object(x);
      if (!o || wanted[static_cast<std::size_t>(o - gc.objects.data())]) continue;
      wanted[static_cast<std::size_t>(o - gc.objects.data())] = 1;
      todo.push_back(x);
    }
  };
  for (const GcObject& o : gc.objects)
    if (mentioned.has(o.term) || terms[o.term].kind == TermKind::Param)
      want(o.term);
    else if (gc.counters && gc.counters->only_pushes && o.fresh && !o.slots.empty())
      want(o.term);  // left on the stack for whom?
  while (!todo.empty()) {
    const GcObject& o = *gc.object(todo.back());
    todo.pop_back();
    mentioned.add(o.term);
    if (o.owner != kNoTerm) want(o.owner);
    for (TermId h : o.holders) want(h);
  }
  std::size_t n = 0;
  for (std::size_t i = 0; i < gc.objects.size(); ++i)
    if (wanted[i]) {
      if (n != i) gc.objects[n] = std::move(gc.objects[i]);
      ++n;
    }
  gc.objects.resize(n);
}

// ---------------------------------------------------------------- joining

namespace {

// Slots of both, where they are the same slot counted from the bottom or from the top.
std::vector<Linear> common_slots(const GcObject& a, const GcObject& b, const Protection& in_a, const Protection& in_b,
                                 const std::optional<Linear>& now) {
  std::vector<Linear> out;
  for (const Linear& p : a.slots)
    for (const Linear& q : b.slots) {
      if (p == q) {
        out.push_back(p);
        break;
      }
      if (!now || !in_a.depth || !in_b.depth) continue;
      Linear from_top = *in_a.depth, other = *in_b.depth;
      from_top.add(p, -1);
      other.add(q, -1);
      if (!(from_top == other)) continue;
      Linear joined = *now;
      joined.add(from_top, -1);
      out.push_back(joined);
      break;
    }
  return out;
}

GcObject combine(const GcObject* a, const GcObject* b, const Protection& in_a, const Protection& in_b,
                 const std::optional<Linear>& now) {
  if (!a || !b) {
    GcObject one = a ? *a : *b;
    one.distinct = false;
    return one;
  }
  if (a->escaped != b->escaped) return a->escaped ? *b : *a;  // one side is safe for good: the other one tells
  if (a->fresh != b->fresh) {
    GcObject one = a->fresh ? *a : *b;
    one.distinct = false;
    return one;
  }
  GcObject o = *a;
  if (!o.fresh) {
    if (o.owner == kNoTerm) o.owner = b->owner;
    o.slots = common_slots(*a, *b, in_a, in_b, now);
  } else {
    o.slots = common_slots(*a, *b, in_a, in_b, now);
    o.holders.clear();
    std::set_intersection(a->holders.begin(), a->holders.end(), b->holders.begin(), b->holders.end(),
                          std::back_inserter(o.holders));
    // Safe on both sides, each for its own reason: one of them has to do.
    if (o.slots.empty() && o.holders.empty()) {
      const GcObject& one = a->slots.empty() && !b->slots.empty() ? *b : *a;
      o.slots = one.slots;
      o.holders = one.holders;
    }
  }
  o.distinct = a->distinct && b->distinct;
  o.depends |= b->depends;
  o.guarded = a->guarded || b->guarded;
  o.assumed_kind = a->assumed_kind && b->assumed_kind;
  if (o.preserved == model::kNone) o.preserved = b->preserved;
  if (o.jumped == model::kNone) o.jumped = b->jumped;
  if (o.exposed == model::kNone) o.exposed = b->exposed;
  return o;
}

// Objects that are new in the joined state: each stands for one here and one there.
std::vector<GcObject> joined_objects(const Meeting<ProtectionPart>& m) {
  const TermArena& terms = m.terms;
  const Protection &gc = m.into.part.gc, &before = m.before.part.gc, &from = m.from.part.gc;
  std::vector<GcObject> made;
  for (const Difference& j : m.differences) {
    if (std::any_of(made.begin(), made.end(), [&](const GcObject& o) { return o.term == j.symbol; })) continue;
    const GcObject* a = before.object(j.a);
    const GcObject* b = from.object(j.b);
    if (!a && !b) continue;
    GcObject o = combine(a, b, before, from, gc.depth);
    if (o.term == j.b && a == nullptr && terms[j.b].kind == TermKind::Param) continue;
    o.term = j.symbol;
    // An argument on one side: the other is told by its own record, or safe.
    const bool param = (a && terms[a->term].kind == TermKind::Param) || (b && terms[b->term].kind == TermKind::Param);
    if (param && !o.fresh && o.owner == kNoTerm)
      o.owner = a && terms[a->term].kind == TermKind::Param ? a->term : b->term;
    std::erase_if(o.holders, [&](TermId h) { return terms.owner_root(h) == o.term; });
    if (o.owner != kNoTerm && terms.owner_root(o.owner) == o.term) o.owner = kNoTerm;
    made.push_back(std::move(o));
  }
  return made;
}

}  // namespace

void ProtectionPart::before_join(const TermArena& terms, Seen<ProtectionPart> a, Seen<ProtectionPart> b,
                                 JoinNotes& notes) {
  if (a.part.gc.on) notes.depths = match_depths(terms, a, b);
}

void ProtectionPart::join(const Meeting<ProtectionPart>& m, JoinNotes& notes) {
  Protection& gc = m.into.part.gc;
  if (!gc.on) return;
  const Protection &before = m.before.part.gc, &from = m.from.part.gc;
  if (notes.depths) {
    Linear d = notes.depths->rest;
    for (model::ValueId v : notes.depths->values) d.add(linear_of(m.terms, m.into.core.value(v)), 1);
    for (const auto& [base, off] : notes.depths->cells)
      if (const Cell* c = m.into.core.cell(base, off)) d.add(linear_of(m.terms, c->value), 1);
    gc.depth = d;
  } else {
    gc.depth.reset();
  }
  auto is_new_symbol = [&](TermId t) {
    return std::any_of(m.differences.begin(), m.differences.end(), [&](const Difference& d) { return d.symbol == t; });
  };
  std::vector<GcObject> made = joined_objects(m);
  std::vector<GcObject> all;
  for (const GcObject& o : before.objects)
    if (!is_new_symbol(o.term)) {
      const GcObject* other = from.object(o.term);
      all.push_back(other ? combine(&o, other, before, from, gc.depth) : o);
    }
  for (const GcObject& o : from.objects)
    if (!is_new_symbol(o.term) && !before.object(o.term)) all.push_back(o);
  std::move(made.begin(), made.end(), std::back_inserter(all));
  std::sort(all.begin(), all.end(), [](const GcObject& x, const GcObject& y) { return x.term < y.term; });
  gc.objects = std::move(all);
  gc.exposed_params |= from.exposed_params;
  gc.endangered_params |= from.endangered_params;
  gc.collected |= from.collected;
  gc.ran_code |= from.ran_code;
  if (gc.below == model::kNone) gc.below = from.below;
}

bool ProtectionPart::changed(const ProtectionPart& before, const JoinNotes&) const {
  return gc.on && !gc.same(before.gc);
}

// ---------------------------------------------------------------- reports

namespace {

bool same_stack(const Protection& a, const Protection& b) {
  return a.depth == b.depth && std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), b.objects.end(),
                                          [](const GcObject& x, const GcObject& y) {
                                            return x.term == y.term && x.fresh == y.fresh && x.escaped == y.escaped &&
                                                   x.slots == y.slots && x.holders == y.holders;
                                          });
}

void describe_stack(const TermArena& terms, const Protection& gc, ProtectionPart::Change& change) {
  change.protection = true;
  change.depth = gc.depth;
  std::vector<std::pair<std::int64_t, TermId>> slots;
  for (const GcObject& o : gc.objects) {
    for (const Linear& slot : o.slots) slots.emplace_back(slot.constant, o.term);
    if (o.fresh && !o.escaped && !o.interior && o.slots.empty() && !gc.is_protected(terms, o, {}))
      change.bare.push_back(o.term);
  }
  std::sort(slots.begin(), slots.end());
  for (const auto& [slot, term] : slots) change.stack.push_back(term);
}

}  // namespace

bool ProtectionPart::describe_change(const TermArena& terms, const ProtectionPart& before, Change& change) const {
  if (!gc.on || same_stack(before.gc, gc)) return false;
  describe_stack(terms, gc, change);
  return true;
}

}  // namespace reckon::engine
