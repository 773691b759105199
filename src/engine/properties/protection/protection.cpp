#include "engine/properties/protection/protection.h"

#include <algorithm>

#include "engine/core/state.h"
#include "support/limits.h"

namespace reckon::engine {

namespace {
constexpr int kMaxLinearDepth = support::kLimits.protection.sum_depth;
constexpr std::size_t kMaxParts = support::kLimits.protection.sum_parts;

void linear_into(const TermArena& terms, TermId t, std::int64_t factor, Linear& out, int fuel) {
  const Term& x = terms[t];
  switch (x.kind) {
    case TermKind::Const: out.constant += factor * x.imm; return;
    case TermKind::Offset:
      out.constant += factor * x.imm;
      if (fuel > 0) return linear_into(terms, x.a, factor, out, fuel - 1);
      break;
    case TermKind::Arith: {
      const auto op = static_cast<model::ArithOp>(x.sub);
      if (fuel <= 0) break;
      if (op == model::ArithOp::Add || op == model::ArithOp::Sub) {
        linear_into(terms, x.a, factor, out, fuel - 1);
        return linear_into(terms, x.b, op == model::ArithOp::Add ? factor : -factor, out, fuel - 1);
      }
      if (op == model::ArithOp::Mul && terms.is_const(x.b) &&
          std::llabs(terms[x.b].imm) < support::kLimits.protection.sum_factor)
        return linear_into(terms, x.a, factor * terms[x.b].imm, out, fuel - 1);
      break;
    }
    default: break;
  }
  const TermId symbol = x.kind == TermKind::Offset ? x.a : t;
  auto it =
      std::lower_bound(out.parts.begin(), out.parts.end(), symbol, [](const auto& e, TermId k) { return e.first < k; });
  if (it != out.parts.end() && it->first == symbol) {
    it->second += factor;
    if (it->second == 0) out.parts.erase(it);
  } else {
    out.parts.insert(it, {symbol, factor});
  }
}

bool has(const std::vector<TermId>& list, TermId t) { return std::find(list.begin(), list.end(), t) != list.end(); }
}  // namespace

void Linear::add(const Linear& other, std::int64_t factor) {
  constant += factor * other.constant;
  for (const auto& [t, c] : other.parts) {
    auto it = std::lower_bound(parts.begin(), parts.end(), t, [](const auto& e, TermId k) { return e.first < k; });
    if (it != parts.end() && it->first == t) {
      it->second += factor * c;
      if (it->second == 0) parts.erase(it);
    } else {
      parts.insert(it, {t, factor * c});
    }
  }
}

Linear linear_of(const TermArena& terms, TermId t) {
  Linear out;
  linear_into(terms, t, 1, out, kMaxLinearDepth);
  return out;
}

TermId term_of(TermArena& terms, const Linear& l) {
  TermId sum = kNoTerm;
  for (const auto& [t, c] : l.parts) {
    TermId part = c == 1 ? t : terms.arith(model::ArithOp::Mul, t, terms.constant(c));
    sum = sum == kNoTerm ? part : terms.arith(model::ArithOp::Add, sum, part);
  }
  return sum == kNoTerm ? terms.constant(l.constant) : terms.offset(sum, l.constant);
}

GcObject* Protection::object(TermId t) {
  auto it = std::lower_bound(objects.begin(), objects.end(), t, [](const GcObject& o, TermId k) { return o.term < k; });
  return it != objects.end() && it->term == t ? &*it : nullptr;
}
const GcObject* Protection::object(TermId t) const { return const_cast<Protection*>(this)->object(t); }

GcObject& Protection::add(GcObject o) {
  auto it =
      std::lower_bound(objects.begin(), objects.end(), o.term, [](const GcObject& x, TermId k) { return x.term < k; });
  if (it != objects.end() && it->term == o.term) {
    *it = std::move(o);
    return *it;
  }
  return *objects.insert(it, std::move(o));
}

bool Protection::alive(const TermArena& terms, TermId t, const std::vector<TermId>& safe, int fuel) const {
  if (fuel <= 0 || has(safe, t)) return true;
  if (const GcObject* o = object(t)) return alive(terms, *o, safe, fuel - 1);
  // Read from memory of an object: as safe as that is.
  const TermId root = terms.owner_root(t);
  return root == t || alive(terms, root, safe, fuel - 1);
}

bool Protection::alive(const TermArena& terms, const GcObject& o, const std::vector<TermId>& safe, int fuel) const {
  if (fuel <= 0 || o.escaped || !o.slots.empty() || has(safe, o.term)) return true;
  for (TermId h : o.holders)
    if (h != o.term && alive(terms, h, safe, fuel - 1)) return true;
  if (o.fresh) return false;
  return o.owner == kNoTerm || alive(terms, o.owner, safe, fuel - 1);
}

std::uint64_t Protection::rests_on(const TermArena& terms, TermId t, const std::vector<TermId>& safe, int fuel) const {
  if (fuel <= 0 || has(safe, t)) return 0;
  const GcObject* o = object(t);
  if (!o) {
    const TermId root = terms.owner_root(t);
    return root == t ? 0 : rests_on(terms, root, safe, fuel - 1);
  }
  if (o->escaped || !o->slots.empty()) return 0;
  std::uint64_t by_holder = 0;
  for (TermId h : o->holders) {
    if (h == t || !alive(terms, h, safe, fuel - 1)) continue;
    by_holder = rests_on(terms, h, safe, fuel - 1);
    if (by_holder == 0) return 0;
  }
  if (by_holder != 0) return by_holder;
  if (o->fresh) return 0;
  if (o->owner != kNoTerm) return rests_on(terms, o->owner, safe, fuel - 1);
  const Term& x = terms[t];
  return x.kind == TermKind::Param && x.a < 64 ? std::uint64_t{1} << x.a : 0;
}

bool Protection::vulnerable(const TermArena& terms, const GcObject& o) const {
  return !o.escaped && (o.exposed != model::kNone || !alive(terms, o, {}));
}

namespace {
// False: the expression speaks of something that is gone.
bool substitute(TermArena& terms, Linear& l, TermId s, TermId old) {
  Linear out;
  out.constant = l.constant;
  for (const auto& [t, c] : l.parts) {
    if (terms.contains(t, old)) return false;
    out.add(linear_of(terms, terms.substitute(t, s, old)), c);
  }
  l = std::move(out);
  return true;
}
}  // namespace

void Protection::age(TermArena& terms, TermId s, TermId old) {
  if (!on) return;
  if (depth && !substitute(terms, *depth, s, old)) depth.reset();
  // What is forgotten is replaced by what kept it, so that those it kept in turn stay as safe as they were.
  for (const GcObject& gone : objects) {
    if (!terms.contains(gone.term, old)) continue;
    for (GcObject& o : objects) {
      if (o.owner != kNoTerm && terms.owner_root(o.owner) == gone.term) {
        o.owner = gone.owner;
        if (gone.fresh) {
          o.fresh = true;
          o.slots.insert(o.slots.end(), gone.slots.begin(), gone.slots.end());
          o.holders.insert(o.holders.end(), gone.holders.begin(), gone.holders.end());
        }
        o.escaped = o.escaped || gone.escaped;
      }
      if (std::erase_if(o.holders, [&](TermId h) { return terms.owner_root(h) == gone.term; }) != 0) {
        o.slots.insert(o.slots.end(), gone.slots.begin(), gone.slots.end());
        for (TermId h : gone.holders)
          if (h != o.term) o.holders.push_back(h);
        if (!gone.fresh && gone.owner != kNoTerm) o.holders.push_back(gone.owner);
        if (!gone.fresh && gone.owner == kNoTerm) o.escaped = true;
        o.escaped = o.escaped || gone.escaped;
      }
    }
  }
  std::erase_if(objects, [&](const GcObject& o) { return terms.contains(o.term, old); });
  for (GcObject& o : objects) {
    o.term = terms.substitute(o.term, s, old);
    if (o.owner != kNoTerm) o.owner = terms.contains(o.owner, old) ? kNoTerm : terms.substitute(o.owner, s, old);
    const std::size_t before = o.holders.size();
    for (TermId& h : o.holders)  // a place that is told by something that is gone: still kept by the whole
      if (const TermId whole = terms.owner_root(h); terms.contains(h, old) && !terms.contains(whole, old)) h = whole;
    std::erase_if(o.holders, [&](TermId h) { return terms.contains(h, old); });
    if (o.holders.size() != before) o.escaped = true;  // what kept it has no name any more
    for (TermId& h : o.holders) h = terms.substitute(h, s, old);
    std::sort(o.holders.begin(), o.holders.end());
    o.holders.erase(std::unique(o.holders.begin(), o.holders.end()), o.holders.end());
    std::erase_if(o.slots, [&](Linear& l) {
      const bool lost = !substitute(terms, l, s, old);
      o.escaped = o.escaped || lost;
      return lost;
    });
  }
  std::sort(objects.begin(), objects.end(), [](const GcObject& a, const GcObject& b) { return a.term < b.term; });
}

bool Protection::same(const Protection& o) const {
  auto equal = [](const GcObject& a, const GcObject& b) {
    return a.same_property(b) && a.escaped == b.escaped && a.supposed == b.supposed && a.holders == b.holders &&
           a.slots == b.slots && a.depends == b.depends && (a.jumped == model::kNone) == (b.jumped == model::kNone);
  };
  return depth == o.depth && exposed_params == o.exposed_params && endangered_params == o.endangered_params &&
         collected == o.collected && ran_code == o.ran_code &&
         std::equal(objects.begin(), objects.end(), o.objects.begin(), o.objects.end(), equal);
}

// ---------------------------------------------------------------- states that meet

namespace {

// Would joining a and b give the symbol `t` a new meaning?
bool redefined(const TermArena& terms, const State& a, const State& b, TermId t) {
  if (terms[t].kind != TermKind::Join) return false;
  for (const auto& [v, x] : a.values)
    if (const TermId y = b.value(v); y != kNoTerm && x != y && (x == t || y == t)) return true;
  for (const Cell& c : a.memory)
    if (const Cell* d = b.cell(c.base, c.offset); d && c.value != d->value && (c.value == t || d->value == t))
      return true;
  return false;
}

}  // namespace

std::optional<DepthMatch> match_depths(const TermArena& terms, const State& a, const State& b) {
  if (!a.gc.depth || !b.gc.depth) return std::nullopt;
  const Linear &da = *a.gc.depth, &db = *b.gc.depth;
  DepthMatch m;
  if (da == db &&
      std::none_of(da.parts.begin(), da.parts.end(), [&](const auto& p) { return redefined(terms, a, b, p.first); })) {
    m.rest = da;
    return m;
  }
  if (da.parts.size() > kMaxParts || db.parts.size() > kMaxParts || !a.gc.counters) return std::nullopt;
  // Variables that differ, and what is left of the depth without them.
  struct Candidate {
    model::ValueId value = model::kNone;
    std::pair<TermId, std::int64_t> cell{kNoTerm, 0};
    Linear in_a, in_b;
  };
  std::vector<Candidate> found;
  for (const auto& [v, x] : a.values) {
    if (v >= a.gc.counters->values.size() || !a.gc.counters->values[v]) continue;
    if (const TermId y = b.value(v); y != kNoTerm && x != y)
      found.push_back({v, {}, linear_of(terms, x), linear_of(terms, y)});
  }
  if (a.gc.counters->memory)
    for (const Cell& c : a.memory)
      if (const Cell* d = b.cell(c.base, c.offset); d && c.value != d->value)
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

namespace {

// Where vulnerable objects are bound: a join must not lose that.
std::vector<std::pair<std::uint64_t, TermId>> bindings(const TermArena& terms, const State& s) {
  std::vector<std::pair<std::uint64_t, TermId>> out;
  auto matters = [&](TermId t) {
    const GcObject* o = s.gc.object(terms.root(t));
    return o && s.gc.vulnerable(terms, *o);
  };
  for (const auto& [v, t] : s.values)
    if (matters(t)) out.emplace_back(v, t);
  for (const Cell& c : s.memory)
    if (matters(c.value))
      out.emplace_back((static_cast<std::uint64_t>(c.base) + 1) << 32 ^ static_cast<std::uint64_t>(c.offset), c.value);
  return out;
}

}  // namespace

std::uint64_t protection_hash(const TermArena& terms, const State& s) {
  if (!s.gc.on) return 0;
  std::uint64_t h = 7;
  auto mix = [&h](std::uint64_t v) {
    h = (h ^ v) * 0x9fb21c651e98df25ull;
    h ^= h >> 29;
  };
  for (const GcObject& o : s.gc.objects)
    if (s.gc.vulnerable(terms, o)) mix(static_cast<std::uint64_t>(o.term) << 2 | (o.exposed != model::kNone ? 1 : 0));
  for (const auto& [k, t] : bindings(terms, s)) mix(k * 31 + t);
  mix(s.gc.depth.has_value());
  return h;
}

bool same_protection(const TermArena& terms, const State& a, const State& b, bool depth_too) {
  if (!a.gc.on) return true;
  if (depth_too && a.gc.depth.has_value() != b.gc.depth.has_value()) return false;
  std::size_t i = 0, j = 0;
  for (;;) {
    while (i < a.gc.objects.size() && !a.gc.vulnerable(terms, a.gc.objects[i])) ++i;
    while (j < b.gc.objects.size() && !b.gc.vulnerable(terms, b.gc.objects[j])) ++j;
    const bool mine = i < a.gc.objects.size(), theirs = j < b.gc.objects.size();
    if (!mine && !theirs) break;
    if (!mine || !theirs || !a.gc.objects[i].same_property(b.gc.objects[j])) return false;
    ++i, ++j;
  }
  if (bindings(terms, a) != bindings(terms, b)) return false;
  return !depth_too || !a.gc.depth || match_depths(terms, a, b).has_value();
}

namespace {

// Slots of both, where they are the same slot counted from the bottom or from the top.
std::vector<Linear> common_slots(const GcObject& a, const GcObject& b, const State& sa, const State& sb,
                                 const std::optional<Linear>& now) {
  std::vector<Linear> out;
  for (const Linear& p : a.slots)
    for (const Linear& q : b.slots) {
      if (p == q) {
        out.push_back(p);
        break;
      }
      if (!now || !sa.gc.depth || !sb.gc.depth) continue;
      Linear from_top = *sa.gc.depth, other = *sb.gc.depth;
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

GcObject combine(const TermArena& terms, const GcObject* a, const GcObject* b, const State& sa, const State& sb,
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
    o.slots = common_slots(*a, *b, sa, sb, now);
  } else {
    o.slots = common_slots(*a, *b, sa, sb, now);
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
  o.supposed = a->supposed && b->supposed;
  if (o.preserved == model::kNone) o.preserved = b->preserved;
  if (o.jumped == model::kNone) o.jumped = b->jumped;
  if (o.exposed == model::kNone) o.exposed = b->exposed;
  return o;
}

}  // namespace

void join_protection(TermArena& terms, State& into, const State& before, const State& from,
                     const std::vector<JoinedValue>& joined, const std::optional<DepthMatch>& match) {
  if (!into.gc.on) return;
  Protection& gc = into.gc;
  if (match) {
    Linear d = match->rest;
    for (model::ValueId v : match->values) d.add(linear_of(terms, into.value(v)), 1);
    for (const auto& [base, off] : match->cells)
      if (const Cell* c = into.cell(base, off)) d.add(linear_of(terms, c->value), 1);
    gc.depth = d;
  } else {
    gc.depth.reset();
  }
  std::vector<GcObject> made;
  auto is_new_symbol = [&](TermId t) {
    return std::any_of(joined.begin(), joined.end(), [&](const JoinedValue& j) { return j.symbol == t; });
  };
  for (const JoinedValue& j : joined) {
    if (std::any_of(made.begin(), made.end(), [&](const GcObject& o) { return o.term == j.symbol; })) continue;
    const GcObject* a = before.gc.object(j.a);
    const GcObject* b = from.gc.object(j.b);
    if (!a && !b) continue;
    GcObject o = combine(terms, a, b, before, from, gc.depth);
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
  std::vector<GcObject> all;
  for (const GcObject& o : before.gc.objects)
    if (!is_new_symbol(o.term)) {
      const GcObject* other = from.gc.object(o.term);
      all.push_back(other ? combine(terms, &o, other, before, from, gc.depth) : o);
    }
  for (const GcObject& o : from.gc.objects)
    if (!is_new_symbol(o.term) && !before.gc.object(o.term)) all.push_back(o);
  all.insert(all.end(), made.begin(), made.end());
  std::sort(all.begin(), all.end(), [](const GcObject& x, const GcObject& y) { return x.term < y.term; });
  gc.objects = std::move(all);
  gc.exposed_params |= from.gc.exposed_params;
  gc.endangered_params |= from.gc.endangered_params;
  gc.collected |= from.gc.collected;
  gc.ran_code |= from.gc.ran_code;
  if (gc.below == model::kNone) gc.below = from.gc.below;
}

}  // namespace reckon::engine
