#include "engine/state.h"

#include <algorithm>

namespace reckon::engine {

TermId State::value(model::ValueId v) const {
  auto it = std::lower_bound(values.begin(), values.end(), v, [](const auto& e, model::ValueId k) { return e.first < k; });
  return it != values.end() && it->first == v ? it->second : kNoTerm;
}

void State::bind(model::ValueId v, TermId t) {
  auto it = std::lower_bound(values.begin(), values.end(), v, [](const auto& e, model::ValueId k) { return e.first < k; });
  if (it != values.end() && it->first == v)
    it->second = t;
  else
    values.insert(it, {v, t});
}

namespace {
bool cell_less(const Cell& c, const std::pair<TermId, std::int64_t>& key) {
  return c.base != key.first ? c.base < key.first : c.offset < key.second;
}
}  // namespace

const Cell* State::cell(TermId base, std::int64_t offset) const {
  const std::pair<TermId, std::int64_t> key{base, offset};
  auto it = std::lower_bound(memory.begin(), memory.end(), key, cell_less);
  return it != memory.end() && it->base == base && it->offset == offset ? &*it : nullptr;
}

void State::write(TermId base, std::int64_t offset, TermId v) {
  const std::pair<TermId, std::int64_t> key{base, offset};
  auto it = std::lower_bound(memory.begin(), memory.end(), key, cell_less);
  if (it != memory.end() && it->base == base && it->offset == offset)
    it->value = v;
  else
    memory.insert(it, Cell{base, offset, v});
}

std::uint32_t State::epoch(TermId base) const {
  for (const auto& [b, e] : epochs)
    if (b == base) return e;
  return 0;
}

void State::invalidate(TermId base, std::uint32_t new_epoch) {
  std::erase_if(memory, [&](const Cell& c) { return c.base == base; });
  for (auto& [b, e] : epochs)
    if (b == base) {
      e = new_epoch;
      return;
    }
  epochs.emplace_back(base, new_epoch);
  std::sort(epochs.begin(), epochs.end());
}

Obj* State::object(TermId t) {
  auto it = std::lower_bound(objects.begin(), objects.end(), t, [](const Obj& o, TermId k) { return o.term < k; });
  return it != objects.end() && it->term == t ? &*it : nullptr;
}
const Obj* State::object(TermId t) const { return const_cast<State*>(this)->object(t); }

Obj& State::add_object(Obj o) {
  auto it = std::lower_bound(objects.begin(), objects.end(), o.term, [](const Obj& x, TermId k) { return x.term < k; });
  if (it != objects.end() && it->term == o.term) {
    *it = std::move(o);
    return *it;
  }
  return *objects.insert(it, std::move(o));
}

void State::remove_object(TermId t) {
  std::erase_if(objects, [&](const Obj& o) { return o.term == t; });
}

int State::count(TermId obj, std::uint16_t kind) const {
  for (const Count& c : counts)
    if (c.object == obj && c.kind == kind) return c.delta;
  return 0;
}

void State::change_count(TermId obj, std::uint16_t kind, int delta, std::uint32_t instr) {
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

Carry State::carry(TermId root) const {
  for (const Carry& c : carries)
    if (c.root == root) return c;
  return {root, false, false};
}

void State::set_carry(Carry c) {
  auto it = std::lower_bound(carries.begin(), carries.end(), c.root, [](const Carry& x, TermId k) { return x.root < k; });
  if (it != carries.end() && it->root == c.root)
    *it = c;
  else
    carries.insert(it, c);
}

void State::age(TermArena& terms, TermId s, TermId old) {
  // 1. What spoke of `old` is forgotten.
  for (auto& [v, t] : values)
    if (terms.contains(t, old)) t = terms.fresh(model::kNone - 1, 0, v);  // an unknown of its own
  for (const Cell& c : memory)  // memory that is no longer told apart keeps what is in it
    if (terms.contains(c.base, old))
      if (Obj* o = object(terms.root(c.value))) o->escaped = true;
  std::erase_if(memory, [&](const Cell& c) { return terms.contains(c.base, old); });
  for (Cell& c : memory) {
    if (!terms.contains(c.value, old)) continue;
    c.value = terms.fresh(model::kNone - 1, 1, terms.offset(c.base, c.offset));  // written, and no longer known
    facts.forget(c.value);
  }
  facts.retain([&](TermId t) { return !terms.contains(t, old); });
  std::erase_if(objects, [&](const Obj& o) { return terms.contains(o.term, old); });
  std::erase_if(counts, [&](const Count& c) { return terms.contains(c.object, old); });
  std::erase_if(epochs, [&](const auto& e) { return terms.contains(e.first, old); });
  std::erase_if(carries, [&](const Carry& c) { return terms.contains(c.root, old) || terms.contains(c.root, s); });

  // 2. `s` becomes `old`.
  for (auto& [v, t] : values) t = terms.substitute(t, s, old);
  bool resort = false;
  for (Cell& c : memory) {
    const TermId b = terms.substitute(c.base, s, old);
    resort |= b != c.base;
    c.base = b;
    c.value = terms.substitute(c.value, s, old);
  }
  if (resort)
    std::sort(memory.begin(), memory.end(), [](const Cell& a, const Cell& b) {
      return a.base != b.base ? a.base < b.base : a.offset < b.offset;
    });
  facts.substitute(terms, s, old);
  for (auto& [b, e] : epochs) b = terms.substitute(b, s, old);
  for (Obj& o : objects) {
    o.term = terms.substitute(o.term, s, old);
    if (o.owner != kNoTerm) o.owner = terms.substitute(o.owner, s, old);
    for (TermId& h : o.holders) h = terms.substitute(h, s, old);
    std::sort(o.holders.begin(), o.holders.end());
  }
  std::sort(objects.begin(), objects.end(), [](const Obj& a, const Obj& b) { return a.term < b.term; });
  for (Count& c : counts) c.object = terms.substitute(c.object, s, old);
  gc.age(terms, s, old);
}

std::uint64_t State::property_hash(const TermArena& terms) const {
  std::uint64_t h = static_cast<std::uint64_t>(exception) * 31 + static_cast<std::uint64_t>(threads + 1);
  auto mix = [&h](std::uint64_t v) { h = (h ^ v) * 0x9fb21c651e98df25ull; h ^= h >> 29; };
  for (const Obj& o : objects) {
    if (!in_property(o) || vacuous_if_null(o)) continue;
    mix(o.term);
    mix(static_cast<std::uint64_t>(o.kind) | static_cast<std::uint64_t>(o.life) << 8 |
        static_cast<std::uint64_t>(static_cast<std::uint8_t>(o.owned)) << 16 | static_cast<std::uint64_t>(o.escaped) << 24);
    mix(o.owner);
    for (TermId t : o.holders) mix(t);
  }
  for (const Count& c : counts) mix((static_cast<std::uint64_t>(c.object) << 24) ^ (c.kind << 8) ^ static_cast<std::uint8_t>(c.delta));
  for (const Carry& c : carries) mix((static_cast<std::uint64_t>(c.root) << 2) ^ (c.kept ? 1 : 0) ^ (c.dropped ? 2 : 0));
  // Bindings of values and cells to interesting objects.
  for (const auto& [v, t] : values)
    if (const Obj* o = object(terms.root(t)); o && interesting(*o) && !vacuous_if_null(*o)) mix((static_cast<std::uint64_t>(v) << 32) | t);
  for (const Cell& c : memory)
    if (const Obj* o = object(terms.root(c.value)); o && interesting(*o) && !vacuous_if_null(*o)) mix((static_cast<std::uint64_t>(c.base) << 32) ^ c.value ^ static_cast<std::uint64_t>(c.offset) << 7);
  if (gc.on) mix(protection_hash(terms, *this));
  return h;
}

bool State::same_property(const TermArena& terms, const State& other, bool strict) const {
  if (exception != other.exception || threads != other.threads) return false;
  if (counts.size() != other.counts.size() || carries != other.carries) return false;
  std::size_t i = 0, j = 0;
  auto null_there = [&](const Obj& o, const State& there) { return !strict && vacuous_if_null(o) && there.facts.known_zero(terms, o.term); };
  for (;;) {
    while (i < objects.size() && !in_property(objects[i])) ++i;
    while (j < other.objects.size() && !in_property(other.objects[j])) ++j;
    const bool mine = i < objects.size(), theirs = j < other.objects.size();
    if (!mine && !theirs) break;
    if (mine && theirs && objects[i].term == other.objects[j].term) {
      if (!objects[i].same_property(other.objects[j])) return false;
      ++i, ++j;
    } else if (mine && (!theirs || objects[i].term < other.objects[j].term)) {
      if (!null_there(objects[i], other)) return false;
      ++i;
    } else {
      if (!null_there(other.objects[j], *this)) return false;
      ++j;
    }
  }
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (!counts[k].same_property(other.counts[k])) return false;
  auto bindings = [&](const State& s) {
    std::vector<std::pair<std::uint64_t, TermId>> out;
    for (const auto& [v, t] : s.values)
      if (const Obj* o = s.object(terms.root(t)); o && interesting(*o) && !vacuous_if_null(*o)) out.emplace_back(v, t);
    for (const Cell& c : s.memory)
      if (const Obj* o = s.object(terms.root(c.value)); o && interesting(*o) && !vacuous_if_null(*o))
        out.emplace_back((static_cast<std::uint64_t>(c.base) + 1) << 32 ^ static_cast<std::uint64_t>(c.offset), c.value);
    return out;
  };
  return bindings(*this) == bindings(other) && same_protection(terms, *this, other);
}

bool State::same_execution(const State& other) const {
  if (values != other.values || memory != other.memory || epochs != other.epochs || !(facts == other.facts)) return false;
  if (clobbered != other.clobbered || thrown != other.thrown || helped != other.helped) return false;
  return std::equal(objects.begin(), objects.end(), other.objects.begin(), other.objects.end(),
                    [](const Obj& a, const Obj& b) { return a.same_property(b) && a.origin == b.origin; });
}

namespace {

// The value a read of (base, offset) gives in `s` if no cell says otherwise.
TermId implicit_content(TermArena& terms, const State& s, TermId base, std::int64_t offset) {
  const std::uint32_t e = s.epoch(base);
  if (e == 0 && terms[terms.root(base)].kind == TermKind::Slot) return terms.undef();
  return terms.initial(base, offset, e);
}

}  // namespace

bool join_states(TermArena& terms, State& into, State from, model::BlockId block, bool widen) {
  const State before = into;
  const std::optional<DepthMatch> depth_match = into.gc.on ? match_depths(terms, into, from) : std::nullopt;
  struct Joined { TermId symbol; Facts::Copied a, b; };
  std::vector<Joined> joined;

  // Which values and cells differ?
  struct Diff { bool is_value; std::uint32_t v; TermId base; std::int64_t offset; TermId a, b; };
  std::vector<Diff> diffs;
  auto ia = into.values.begin();
  for (const auto& [v, t] : from.values) {
    while (ia != into.values.end() && ia->first < v) ++ia;
    if (ia != into.values.end() && ia->first == v && ia->second != t) diffs.push_back({true, v, 0, 0, ia->second, t});
  }
  // A value bound on one side only is not live on the other: drop it.
  std::erase_if(into.values, [&](const auto& e) { return from.value(e.first) == kNoTerm; });
  for (const Cell& c : into.memory) {
    const Cell* o = from.cell(c.base, c.offset);
    const TermId other = o ? o->value : implicit_content(terms, from, c.base, c.offset);
    if (other != c.value) diffs.push_back({false, 0, c.base, c.offset, c.value, other});
  }
  for (const Cell& c : from.memory) {
    if (into.cell(c.base, c.offset)) continue;
    const TermId mine = implicit_content(terms, into, c.base, c.offset);
    if (mine != c.value) diffs.push_back({false, 0, c.base, c.offset, mine, c.value});
  }

  // A constant on one side and a symbol known to be that constant there are the same value: the symbol.
  std::erase_if(diffs, [&](const Diff& d) {
    TermId same = kNoTerm;
    auto is = [&](const Facts& facts, TermId symbol, TermId constant) {
      if (!terms.is_const(constant) || terms.is_const(symbol)) return false;
      const Range r = facts.range(terms, symbol);
      return r.is_single() && r.lo == terms[constant].imm;
    };
    if (is(from.facts, d.a, d.b)) same = d.a;
    if (is(into.facts, d.b, d.a)) same = d.b;
    if (same == kNoTerm) return false;
    if (d.is_value)
      into.bind(d.v, same);
    else
      into.write(d.base, d.offset, same);
    return true;
  });
  auto key_of = [&](const Diff& d) {
    return d.is_value ? d.v : (0x80000000u | terms.offset(d.base, d.offset));
  };
  // Values that are equal on both sides stay equal: they share the joined symbol.
  auto symbol_of = [&](std::size_t i) {
    for (std::size_t k = 0; k < i; ++k)
      if (diffs[k].a == diffs[i].a && diffs[k].b == diffs[i].b) return joined[k].symbol;
    return terms.join(block, key_of(diffs[i]));
  };
  // The joined symbols mean something new from here on: older uses of them, in either state, step aside.
  for (std::size_t i = 0; i < diffs.size(); ++i) {
    const Diff& d = diffs[i];
    const TermId j = symbol_of(i);
    joined.push_back({j, into.facts.read_all(terms, d.a), from.facts.read_all(terms, d.b)});
  }
  // Orders that hold on both sides, say an index below a size, hold for the joined symbol.
  struct Order { TermId symbol; model::CmpPred pred; TermId other; };
  std::vector<Order> orders;
  std::vector<TermId> moving, symbols;  // the values that differ, and what they become; sorted
  for (std::size_t i = 0; i < diffs.size(); ++i) {
    moving.insert(moving.end(), {diffs[i].a, diffs[i].b});
    symbols.push_back(joined[i].symbol);
  }
  std::sort(moving.begin(), moving.end());
  std::sort(symbols.begin(), symbols.end());
  auto moves = [&](TermId y) {
    return std::binary_search(moving.begin(), moving.end(), y) || terms.mentions_any(y, symbols);
  };
  for (std::size_t i = 0; i < diffs.size(); ++i) {
    const Diff& d = diffs[i];
    std::vector<TermId> others;
    for (const Facts* f : {&into.facts, &from.facts})
      for (const Relation& r : f->relations())
        for (const auto& [mine, other] : {std::pair{r.a, r.b}, std::pair{r.b, r.a}})
          if ((mine == d.a || mine == d.b) && std::find(others.begin(), others.end(), other) == others.end()) others.push_back(other);
    for (TermId y : others) {
      if (moves(y)) continue;
      const auto mine = into.facts.difference(terms, d.a, y), theirs = from.facts.difference(terms, d.b, y);
      const std::int64_t lo = std::min(mine.first, theirs.first), hi = std::max(mine.second, theirs.second);
      using model::CmpPred;
      if (hi <= 0) orders.push_back({joined[i].symbol, hi < 0 ? CmpPred::Slt : CmpPred::Sle, y});
      else if (lo >= 0) orders.push_back({joined[i].symbol, lo > 0 ? CmpPred::Sgt : CmpPred::Sge, y});
    }
  }
  for (State* s : {&into, &from}) {
    std::vector<TermId> renewed;
    for (std::size_t i = 0; i < diffs.size(); ++i)  // one that has the joined symbol already keeps its meaning
      if (const TermId j = joined[i].symbol; j != (s == &into ? diffs[i].a : diffs[i].b)) renewed.push_back(j);
    std::sort(renewed.begin(), renewed.end());
    s->facts.forget(renewed);
    if (!renewed.empty()) std::erase_if(s->memory, [&](const Cell& c) { return terms.mentions_any(c.base, renewed); });
  }
  for (Joined& j : joined) {
    into.facts.write_all(j.symbol, std::move(j.a));
    from.facts.write_all(j.symbol, std::move(j.b));
  }
  into.facts.join(terms, from.facts);
  for (const Order& o : orders) into.facts.assume_cmp(terms, o.pred, o.symbol, o.other);
  for (std::size_t i = 0; i < diffs.size(); ++i) {
    const Diff& d = diffs[i];
    const TermId j = joined[i].symbol;
    if (d.is_value)
      into.bind(d.v, j);
    else
      into.write(d.base, d.offset, j);
    // Neither owned here nor there: the joined pointer is not owned either.
    const Obj* oa = into.object(d.a);
    const Obj* ob = from.object(d.b);
    auto lent = [](const Obj* o) {
      return o && o->owned == 0 && o->life == Life::Alive &&
             (o->kind == ObjKind::Borrowed || o->kind == ObjKind::Param || o->kind == ObjKind::Loaded || o->kind == ObjKind::Global);
    };
    const bool no_a = into.facts.known_zero(terms, d.a), no_b = from.facts.known_zero(terms, d.b);  // NULL is neutral
    if (!((lent(oa) && (lent(ob) || no_b)) || (no_a && lent(ob)))) {
      if (const Obj* mine = into.object(j); mine && !State::in_property(*mine)) into.remove_object(j);
    } else if (!into.object(j)) {
      Obj o = lent(oa) ? *oa : *ob;
      o.term = j;
      if (lent(oa) && lent(ob) && (oa->kind != ob->kind || oa->owner != ob->owner)) {
        o.kind = ObjKind::Loaded;
        o.owner = kNoTerm;
      }
      into.add_object(o);
    }
  }
  for (const Obj& o : from.objects) {
    if (into.object(o.term)) continue;
    // Counts changed there, and vacuous here; or merely lent there, and NULL here.
    if (State::in_property(o) ? State::vacuous_if_null(o) : before.facts.known_zero(terms, o.term)) into.add_object(o);
  }
  // Objects of the execution part survive if both sides agree on them (or the join made them just now).
  std::erase_if(into.objects, [&](const Obj& o) {
    if (State::in_property(o) || terms[o.term].kind == TermKind::Join) return false;
    const Obj* other = from.object(o.term);
    return other ? !o.same_property(*other) : !from.facts.known_zero(terms, o.term);
  });
  if (into.gc.on) {
    std::vector<JoinedValue> values;
    for (std::size_t i = 0; i < diffs.size(); ++i) values.push_back({joined[i].symbol, diffs[i].a, diffs[i].b});
    join_protection(terms, into, before, from, values, depth_match);
  }
  // Epochs: an invalidation on either side counts.
  for (const auto& [b, e] : from.epochs)
    if (into.epoch(b) != e && into.epoch(b) < e) {
      std::erase_if(into.epochs, [&](const auto& x) { return x.first == b; });
      into.epochs.emplace_back(b, e);
      std::sort(into.epochs.begin(), into.epochs.end());
    }
  for (State::Lost& l : from.lost)
    if (std::none_of(into.lost.begin(), into.lost.end(), [&](const State::Lost& x) { return x.object.term == l.object.term && std::pair(x.oom, x.failed) <= std::pair(l.oom, l.failed); }))
      into.lost.push_back(std::move(l));
  for (TermId t : from.clobbered)
    if (!std::binary_search(into.clobbered.begin(), into.clobbered.end(), t))
      into.clobbered.insert(std::upper_bound(into.clobbered.begin(), into.clobbered.end(), t), t);
  into.self_freed |= from.self_freed;
  into.type_released |= from.type_released;
  if (into.kept_type != from.kept_type) into.kept_type = kNoTerm;
  for (Obj& o : into.objects)
    if (const Obj* other = from.object(o.term)) {
      if (o.stale == model::kNone) o.stale = other->stale;
      o.garbage = o.garbage && other->garbage;
    }
  into.thrown |= from.thrown;
  into.helped |= from.helped;
  if (into.pending != from.pending) into.pending = specs::Pending::Any;
  into.failed &= from.failed;
  if (std::pair(from.oom, from.failures) < std::pair(into.oom, into.failures)) {
    into.path = from.path;
    into.failures = from.failures;
  }
  into.oom &= from.oom;
  if (widen) into.facts.widen_against(terms, before.facts);
  return into.values != before.values || into.memory != before.memory || !(into.facts == before.facts) ||
         into.lost.size() != before.lost.size() || into.clobbered.size() != before.clobbered.size() ||
         into.epochs != before.epochs || into.objects.size() != before.objects.size() ||
         (into.gc.on && !into.gc.same(before.gc));
}

}  // namespace reckon::engine
