// Joining two states with equal property parts: what both imply survives. A value that differs gets a symbol of its
// own, keyed by the place of the join, so that a loop joined again uses the same symbols and comes to an end.
#include <algorithm>
#include <tuple>

#include "engine/state.h"

namespace reckon::engine {

namespace {

// The value a read of (base, offset) gives in `s` if no cell says otherwise.
TermId implicit_content(TermArena& terms, const State& s, TermId base, std::int64_t offset) {
  const std::uint32_t e = s.epoch(base);
  if (e == 0 && terms[terms.root(base)].kind == TermKind::Slot) return terms.undef();
  return terms.initial(base, offset, e);
}

class Join {
 public:
  Join(TermArena& terms, State& into, State from, model::BlockId block)
      : terms_(terms), into_(into), from_(std::move(from)), block_(block), before_(into) {}

  bool run(bool widen, bool forget) {
    if (forget) forget_new_memory();
    State::for_each_part([&]<class P>(std::type_identity<P>) { P::before_join(terms_, into_, from_, notes<P>()); });
    find_differences();
    settle_constants();
    choose_symbols();
    choose_places();
    const std::vector<Order> orders = common_orders();
    renew_symbols();
    join_facts(orders);
    bind_symbols();
    State::for_each_part([&]<class P>(std::type_identity<P>) {
      P::join(Meeting<P>{terms_, into_, before_, from_, differences_}, notes<P>());
    });
    join_memory_history();
    join_history();
    if (widen) into_.facts.widen_against(terms_, before_.facts);
    return changed();
  }

 private:
  struct Order {
    TermId joined;
    model::CmpPred pred;
    TermId other;
  };

  // Memory that a loop keeps writing to in new places is not followed any further.
  void forget_new_memory() {
    constexpr std::uint32_t kForgotten = std::uint32_t{1} << 30;  // above all that instructions give
    std::vector<TermId> bases;
    for (const Cell& c : from_.memory)
      if (!into_.cell(c.base, c.offset) && terms_[terms_.root(c.base)].kind != TermKind::Slot &&
          (bases.empty() || bases.back() != c.base))
        bases.push_back(c.base);
    for (TermId base : bases)
      for (State* s : {&into_, &from_}) {
        for (const Cell& c : s->memory)
          if (c.base == base)
            for (State* holder : {&into_, &from_})
              State::for_each_part([&]<class P>(std::type_identity<P>) { holder->P::out_of_sight(c.value); });
        s->invalidate(base, kForgotten + block_);
      }
  }

  void find_differences() {
    auto mine = into_.values.begin();
    for (const auto& [v, t] : from_.values) {
      while (mine != into_.values.end() && mine->first < v) ++mine;
      if (mine != into_.values.end() && mine->first == v && mine->second != t)
        differences_.push_back({true, v, {}, 0, mine->second, t});
    }
    // A value bound on one side only is not live on the other: drop it.
    std::erase_if(into_.values, [&](const auto& e) { return from_.value(e.first) == kNoTerm; });
    for (const Cell& c : into_.memory) {
      const Cell* o = from_.cell(c.base, c.offset);
      const TermId other = o ? o->value : implicit_content(terms_, from_, c.base, c.offset);
      if (other != c.value) differences_.push_back({false, {}, c.base, c.offset, c.value, other});
    }
    for (const Cell& c : from_.memory) {
      if (into_.cell(c.base, c.offset)) continue;
      const TermId here = implicit_content(terms_, into_, c.base, c.offset);
      if (here != c.value) differences_.push_back({false, {}, c.base, c.offset, here, c.value});
    }
  }

  void put(const Difference& d, TermId t) {
    if (d.is_value)
      into_.bind(d.value, t);
    else
      into_.write(d.base, d.offset, t);
  }

  // A constant on one side and a symbol known to be that constant there are the same value: the symbol.
  void settle_constants() {
    auto is = [&](const Facts& facts, TermId symbol, TermId constant) {
      if (!terms_.is_const(constant) || terms_.is_const(symbol)) return false;
      const Range r = facts.range(terms_, symbol);
      return r.is_single() && r.lo == terms_[constant].imm;
    };
    std::erase_if(differences_, [&](const Difference& d) {
      TermId same = kNoTerm;
      if (is(from_.facts, d.a, d.b)) same = d.a;
      if (is(into_.facts, d.b, d.a)) same = d.b;
      if (same != kNoTerm) put(d, same);
      return same != kNoTerm;
    });
  }

  // Values that are equal on both sides stay equal: they share the joined symbol.
  void choose_symbols() {
    for (auto d = differences_.begin(); d != differences_.end(); ++d) {
      auto twin =
          std::find_if(differences_.begin(), d, [&](const Difference& x) { return x.a == d->a && x.b == d->b; });
      const std::uint32_t key = d->is_value ? d->value : (0x80000000u | terms_.offset(d->base, d->offset));
      d->symbol = twin != d ? twin->symbol : terms_.join(block_, key);
      d->joined = d->symbol;
      d->known_a = into_.facts.read_all(terms_, d->a);
      d->known_b = from_.facts.read_all(terms_, d->b);
    }
  }

  // Two places inside one object, say in two rounds of a loop that walks through it, are a place inside that object.
  void choose_places() {
    std::vector<TermId> symbols;
    for (const Difference& d : differences_) symbols.push_back(d.symbol);
    std::sort(symbols.begin(), symbols.end());
    for (Difference& d : differences_) {
      const TermId object = terms_.root(d.a);
      if (object == terms_.root(d.b) && object != d.a && object != d.b && watched(object) &&
          !terms_.mentions_any(object, symbols))
        d.joined = terms_.index(object, d.symbol, 1);
    }
  }
  bool watched(TermId object) const {
    return State::any_part([&]<class P>(std::type_identity<P>) {
      return into_.P::watches(terms_, object) || from_.P::watches(terms_, object);
    });
  }

  // Orders that hold on both sides, say an index below a size, hold for the joined symbol.
  std::vector<Order> common_orders() {
    std::vector<Order> orders;
    std::vector<TermId> moving, symbols;  // the values that differ, and what they become; sorted
    for (const Difference& d : differences_) {
      moving.insert(moving.end(), {d.a, d.b});
      symbols.push_back(d.symbol);
    }
    std::sort(moving.begin(), moving.end());
    std::sort(symbols.begin(), symbols.end());
    auto moves = [&](TermId y) {
      return std::binary_search(moving.begin(), moving.end(), y) || terms_.mentions_any(y, symbols);
    };
    for (const Difference& d : differences_) {
      std::vector<TermId> others;
      for (const Facts* f : {&into_.facts, &from_.facts})
        for (const Relation& r : f->relations())
          for (const auto& [mine, other] : {std::pair{r.a, r.b}, std::pair{r.b, r.a}})
            if ((mine == d.a || mine == d.b) && std::find(others.begin(), others.end(), other) == others.end())
              others.push_back(other);
      for (TermId y : others) {
        if (moves(y)) continue;
        const auto here = into_.facts.difference(terms_, d.a, y), there = from_.facts.difference(terms_, d.b, y);
        const std::int64_t lo = std::min(here.first, there.first), hi = std::max(here.second, there.second);
        using model::CmpPred;
        if (hi <= 0)
          orders.push_back({d.joined, hi < 0 ? CmpPred::Slt : CmpPred::Sle, y});
        else if (lo >= 0)
          orders.push_back({d.joined, lo > 0 ? CmpPred::Sgt : CmpPred::Sge, y});
      }
    }
    return orders;
  }

  // The joined symbols mean something new from here on: older uses of them, in either state, step aside.
  void renew_symbols() {
    for (State* s : {&into_, &from_}) {
      std::vector<TermId> renewed;
      for (const Difference& d : differences_)  // one that has the joined symbol already keeps its meaning
        if (d.joined != (s == &into_ ? d.a : d.b)) renewed.push_back(d.symbol);
      if (renewed.empty()) continue;
      std::sort(renewed.begin(), renewed.end());
      s->facts.forget(renewed);
      std::erase_if(s->memory, [&](const Cell& c) { return terms_.mentions_any(c.base, renewed); });
    }
  }

  void join_facts(const std::vector<Order>& orders) {
    for (Difference& d : differences_) {
      into_.facts.write_all(d.joined, std::move(d.known_a));
      from_.facts.write_all(d.joined, std::move(d.known_b));
    }
    into_.facts.join(terms_, from_.facts);
    for (const Order& o : orders) into_.facts.assume_cmp(terms_, o.pred, o.joined, o.other);
  }

  void bind_symbols() {
    for (const Difference& d : differences_) put(d, d.joined);
  }

  // What an unknown hand did to memory on either side counts.
  void join_memory_history() {
    for (const auto& [b, e] : from_.epochs) {
      if (into_.epoch(b) >= e) continue;
      std::erase_if(into_.epochs, [&](const auto& x) { return x.first == b; });
      into_.epochs.emplace_back(b, e);
      std::sort(into_.epochs.begin(), into_.epochs.end());
    }
    for (TermId t : from_.clobbered)
      if (!std::binary_search(into_.clobbered.begin(), into_.clobbered.end(), t))
        into_.clobbered.insert(std::upper_bound(into_.clobbered.begin(), into_.clobbered.end(), t), t);
  }

  void join_history() {
    into_.thrown |= from_.thrown;
    into_.failed &= from_.failed;
    if (std::pair(from_.oom, from_.failures) < std::pair(into_.oom, into_.failures)) {
      into_.path = from_.path;
      into_.failures = from_.failures;
    }
    into_.oom &= from_.oom;
    into_.misused &= from_.misused;
  }

  bool changed() const {
    return into_.values != before_.values || into_.memory != before_.memory || !(into_.facts == before_.facts) ||
           into_.clobbered.size() != before_.clobbered.size() || into_.epochs != before_.epochs ||
           State::any_part([&]<class P>(std::type_identity<P>) {
             return into_.P::changed(before_, std::get<typename P::JoinNotes>(notes_));
           });
  }

  template <class P>
  typename P::JoinNotes& notes() {
    return std::get<typename P::JoinNotes>(notes_);
  }

  TermArena& terms_;
  State& into_;
  State from_;
  const model::BlockId block_;
  const State before_;
  std::vector<Difference> differences_;
  State::JoinNotes notes_;
};

}  // namespace

bool join_states(TermArena& terms, State& into, State from, model::BlockId block, bool widen, bool forget) {
  return Join(terms, into, std::move(from), block).run(widen, forget);
}

}  // namespace reckon::engine
