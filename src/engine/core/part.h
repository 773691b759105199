// A part of a state: what one property keeps of it, and what becomes of that where states meet, age and are pruned.
//
// A state is the core's values, memory and facts (core/core_state.h) and one part for each property. The core copies,
// compares, joins and prunes states without knowing what the parts hold: it calls the functions below of each part, in
// the order in which engine/state.h lists them. A part sees its own data and the core's, never another part's.
//
// Part<Self> says what a part does that does not say it itself: nothing. A property states only what it needs. Parts
// are base classes of State, put together at compile time: states are copied and joined more often than all else, and a
// part behind a pointer would cost an allocation a copy.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "engine/core/core_state.h"

namespace reckon::engine {

class MadeSymbols;
class Mentioned;

// A part with the core of its state, to look at and to change.
template <class P>
struct Seen {
  const CoreState& core;
  const P& part;
  template <class S>
    requires std::derived_from<S, CoreState> && std::derived_from<S, P>
  Seen(const S& s) : core(s), part(s) {}
};
template <class P>
struct Side {
  CoreState& core;
  P& part;
  template <class S>
    requires std::derived_from<S, CoreState> && std::derived_from<S, P>
  Side(S& s) : core(s), part(s) {}
};

// A value, or the cell (base, offset), that holds different things in two states that are joined.
struct Difference {
  bool is_value;
  model::ValueId value;
  TermId base;
  std::int64_t offset;
  TermId a, b;              // here and there
  TermId symbol = kNoTerm;  // made by this join
  TermId joined = kNoTerm;  // stands for both from now on: the symbol, or a place so far into one object
  Facts::Copied known_a = {}, known_b = {};
};

// Two states that are being joined. Values, memory and facts of `into` are joined already.
template <class P>
struct Meeting {
  TermArena& terms;
  Side<P> into;
  Seen<P> before;  // `into` as it was
  Side<P> from;    // no longer needed afterwards
  const std::vector<Difference>& differences;
};

// What goes from a state because nothing that is still needed names it.
struct Pruning {
  Mentioned& mentioned;
  const std::vector<char>& stays;  // which cells of memory do, in their order
};

class Hasher {
 public:
  void mix(std::uint64_t v) {
    hash_ = (hash_ ^ v) * 0x9fb21c651e98df25ull;
    hash_ ^= hash_ >> 29;
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

template <class Self>
struct Part {
  struct Change {};     // what an instruction did to the part, for reports
  struct JoinNotes {};  // what a join keeps from one of its steps to the next

  // How much there is of the part, in entries that are about as large as a value or a cell.
  std::size_t size() const { return 0; }

  // ---- comparing
  // Is the property the same? States are joined only then. `strict`: also where a difference does not matter because
  // a pointer is NULL in one of the two.
  static bool same(const TermArena&, Seen<Self>, Seen<Self>, bool /*strict*/) { return true; }
  // Given that: is all the rest, too?
  bool same_execution(const Self&) const { return true; }
  // Only a filter: parts that are the same must hash equal.
  static void hash(const TermArena&, Seen<Self>, Hasher&) {}

  // ---- ageing: everything about `symbol` now speaks of `old`
  void forget_old(const TermArena&, TermId /*symbol*/, TermId /*old*/) {}  // first, what spoke of `old` goes
  void substitute(TermArena&, TermId /*symbol*/, TermId /*old*/) {}
  // The symbols that may have to age, in two steps: the second comes after the facts' own. Their order numbers terms.
  void scan(MadeSymbols&) const {}
  void scan_later(MadeSymbols&) const {}

  // ---- memory
  void out_of_sight(TermId /*value*/) {}  // memory that holds it can no longer be told apart
  bool watches(const TermArena&, TermId /*object*/) const { return false; }  // must a join keep where it is bound?
  bool records(TermId /*value*/) const { return false; }  // is it something this part has a record of?

  // ---- joining
  static void before_join(const TermArena&, Seen<Self>, Seen<Self>, auto& /*notes*/) {}
  static void join(const Meeting<Self>&, auto& /*notes*/) {}
  // Does the joined state have to be looked at again?
  bool changed(const Self& /*before*/, const auto& /*notes*/) const { return false; }

  // ---- pruning
  void mention(Mentioned&) const {}             // symbols that the part needs though no variable has them
  void forget(const TermArena&, Mentioned&) {}  // what is not mentioned goes; what stays may mention more

  // ---- reports
  void describe(auto& /*change*/) const {}  // what every change tells, whoever made it
  // True: the part is not as it was `before`. What describe() says is filled in anyway.
  bool describe_change(const TermArena&, const Self& /*before*/, auto& /*change*/) const { return false; }
};

}  // namespace reckon::engine
