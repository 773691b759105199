#include "engine/core/state.h"

#include <algorithm>

namespace reckon::engine {

std::string_view name_of(ObjKind kind) {
  switch (kind) {
    case ObjKind::New: return "new";
    case ObjKind::Borrowed: return "borrowed";
    case ObjKind::Param: return "argument";
    case ObjKind::Loaded: return "loaded";
    case ObjKind::Global: return "global";
    case ObjKind::Interior: return "interior";
    case ObjKind::Unknown: break;
  }
  return "unknown";
}

std::string_view name_of(ExcState state) {
  switch (state) {
    case ExcState::Entry: break;
    case ExcState::Unset: return "not set";
    case ExcState::Clear: return "cleared";
    case ExcState::Set: return "set";
    case ExcState::Maybe: return "may be set";
  }
  return "as on entry";
}

TermId State::value(model::ValueId v) const {
  auto it =
      std::lower_bound(values.begin(), values.end(), v, [](const auto& e, model::ValueId k) { return e.first < k; });
  return it != values.end() && it->first == v ? it->second : kNoTerm;
}

void State::bind(model::ValueId v, TermId t) {
  auto it =
      std::lower_bound(values.begin(), values.end(), v, [](const auto& e, model::ValueId k) { return e.first < k; });
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
  auto it =
      std::lower_bound(carries.begin(), carries.end(), c.root, [](const Carry& x, TermId k) { return x.root < k; });
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
    std::sort(memory.begin(), memory.end(),
              [](const Cell& a, const Cell& b) { return a.base != b.base ? a.base < b.base : a.offset < b.offset; });
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
  std::uint64_t h = static_cast<std::uint64_t>(exception) * 31 + static_cast<std::uint64_t>(lock);
  auto mix = [&h](std::uint64_t v) {
    h = (h ^ v) * 0x9fb21c651e98df25ull;
    h ^= h >> 29;
  };
  for (const Obj& o : objects) {
    if (!in_property(o) || vacuous_if_null(o)) continue;
    mix(o.term);
    mix(static_cast<std::uint64_t>(o.kind) | static_cast<std::uint64_t>(o.life) << 8 |
        static_cast<std::uint64_t>(static_cast<std::uint8_t>(o.owned)) << 16 |
        static_cast<std::uint64_t>(o.escaped) << 24);
    mix(o.owner);
    for (TermId t : o.holders) mix(t);
  }
  for (const Count& c : counts)
    mix((static_cast<std::uint64_t>(c.object) << 24) ^ (c.kind << 8) ^ static_cast<std::uint8_t>(c.delta));
  for (const Carry& c : carries)
    mix((static_cast<std::uint64_t>(c.root) << 2) ^ (c.kept ? 1 : 0) ^ (c.dropped ? 2 : 0));
  // Bindings of values and cells to interesting objects.
  for (const auto& [v, t] : values)
    if (const Obj* o = object(terms.root(t)); o && interesting(*o) && !vacuous_if_null(*o))
      mix((static_cast<std::uint64_t>(v) << 32) | t);
  for (const Cell& c : memory)
    if (const Obj* o = object(terms.root(c.value)); o && interesting(*o) && !vacuous_if_null(*o))
      mix((static_cast<std::uint64_t>(c.base) << 32) ^ c.value ^ static_cast<std::uint64_t>(c.offset) << 7);
  if (gc.on) mix(protection_hash(terms, *this));
  return h;
}

bool State::same_property(const TermArena& terms, const State& other, bool strict) const {
  if (exception != other.exception || lock != other.lock) return false;
  if (counts.size() != other.counts.size() || carries != other.carries) return false;
  std::size_t i = 0, j = 0;
  auto null_there = [&](const Obj& o, const State& there) {
    return !strict && vacuous_if_null(o) && there.facts.known_zero(terms, o.term);
  };
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
        out.emplace_back((static_cast<std::uint64_t>(c.base) + 1) << 32 ^ static_cast<std::uint64_t>(c.offset),
                         c.value);
    return out;
  };
  return bindings(*this) == bindings(other) && same_protection(terms, *this, other);
}

bool State::same_execution(const State& other) const {
  if (values != other.values || memory != other.memory || epochs != other.epochs || !(facts == other.facts))
    return false;
  if (clobbered != other.clobbered || thrown != other.thrown || helped != other.helped) return false;
  if ((needs_lock == model::kNone) != (other.needs_lock == model::kNone)) return false;
  return std::equal(
      objects.begin(), objects.end(), other.objects.begin(), other.objects.end(),
      [](const Obj& a, const Obj& b) { return a.same_property(b) && a.origin == b.origin && a.ready == b.ready; });
}

}  // namespace reckon::engine
