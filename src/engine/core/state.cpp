#include "engine/state.h"

#include <algorithm>

namespace reckon::engine {

TermId CoreState::value(model::ValueId v) const {
  auto it =
      std::lower_bound(values.begin(), values.end(), v, [](const auto& e, model::ValueId k) { return e.first < k; });
  return it != values.end() && it->first == v ? it->second : kNoTerm;
}

void CoreState::bind(model::ValueId v, TermId t) {
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

const Cell* CoreState::cell(TermId base, std::int64_t offset) const {
  const std::pair<TermId, std::int64_t> key{base, offset};
  auto it = std::lower_bound(memory.begin(), memory.end(), key, cell_less);
  return it != memory.end() && it->base == base && it->offset == offset ? &*it : nullptr;
}

void CoreState::write(TermId base, std::int64_t offset, TermId v) {
  const std::pair<TermId, std::int64_t> key{base, offset};
  auto it = std::lower_bound(memory.begin(), memory.end(), key, cell_less);
  if (it != memory.end() && it->base == base && it->offset == offset)
    it->value = v;
  else
    memory.insert(it, Cell{base, offset, v});
}

std::uint32_t CoreState::epoch(TermId base) const {
  for (const auto& [b, e] : epochs)
    if (b == base) return e;
  return 0;
}

void CoreState::invalidate(TermId base, std::uint32_t new_epoch) {
  std::erase_if(memory, [&](const Cell& c) { return c.base == base; });
  for (auto& [b, e] : epochs)
    if (b == base) {
      e = new_epoch;
      return;
    }
  epochs.emplace_back(base, new_epoch);
  std::sort(epochs.begin(), epochs.end());
}

// Only same_execution() asks, once for every pair of states that a look by path compares.
inline bool CoreState::same_core(const CoreState& other) const {
  return values == other.values && memory == other.memory && epochs == other.epochs && facts == other.facts &&
         clobbered == other.clobbered && thrown == other.thrown;
}

void CoreState::forget_old_values(TermArena& terms, TermId old) {
  for (auto& [v, t] : values)
    if (terms.contains(t, old)) t = terms.fresh(InstrId(model::kNone - 1), 0, v);  // an unknown of its own
  std::erase_if(memory, [&](const Cell& c) { return terms.contains(c.base, old); });
  for (Cell& c : memory) {
    if (!terms.contains(c.value, old)) continue;
    c.value =
        terms.fresh(InstrId(model::kNone - 1), 1, terms.offset(c.base, c.offset));  // written, and no longer known
    facts.forget(c.value);
  }
  facts.retain([&](TermId t) { return !terms.contains(t, old); });
  std::erase_if(epochs, [&](const auto& e) { return terms.contains(e.first, old); });
}

// Epochs are not sorted again: they are looked for one by one.
void CoreState::substitute_values(TermArena& terms, TermId symbol, TermId old) {
  for (auto& [v, t] : values) t = terms.substitute(t, symbol, old);
  bool resort = false;
  for (Cell& c : memory) {
    const TermId b = terms.substitute(c.base, symbol, old);
    resort |= b != c.base;
    c.base = b;
    c.value = terms.substitute(c.value, symbol, old);
  }
  if (resort)
    std::sort(memory.begin(), memory.end(),
              [](const Cell& a, const Cell& b) { return a.base != b.base ? a.base < b.base : a.offset < b.offset; });
  facts.substitute(terms, symbol, old);
  for (auto& [b, e] : epochs) b = terms.substitute(b, symbol, old);
}

// Terms are numbered as they are made: the core's values age first, then the parts in their order.
void State::age(TermArena& terms, TermId symbol, TermId old) {
  for (const Cell& c : memory) {  // memory that is no longer told apart keeps what is in it
    if (!terms.contains(c.base, old)) continue;
    const TermId value = terms.root(c.value);
    for_each_part([&]<class P>(std::type_identity<P>) { this->P::out_of_sight(value); });
  }
  forget_old_values(terms, old);
  for_each_part([&]<class P>(std::type_identity<P>) { this->P::forget_old(terms, symbol, old); });
  substitute_values(terms, symbol, old);
  for_each_part([&]<class P>(std::type_identity<P>) { this->P::substitute(terms, symbol, old); });
}

std::uint64_t State::property_hash(const TermArena& terms) const {
  Hasher h;
  for_each_part([&]<class P>(std::type_identity<P>) { P::hash(terms, *this, h); });
  return h.hash();
}

bool State::same_property(const TermArena& terms, const State& other, bool strict) const {
  return all_parts([&]<class P>(std::type_identity<P>) { return P::same(terms, *this, other, strict); });
}

bool State::same_execution(const State& other) const {
  return same_core(other) && all_parts([&]<class P>(std::type_identity<P>) { return this->P::same_execution(other); });
}

}  // namespace reckon::engine
