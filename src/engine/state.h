// A state of the simulation: the core's part and one part for each property, put together.
//
// States whose properties are the same are joined where control flow meets; the bindings of values to tracked objects
// belong to the property, so a join never loses the last pointer to an object.
#pragma once

#include <tuple>
#include <type_traits>

#include "engine/core/core_state.h"
#include "engine/core/deeds.h"
#include "engine/core/part.h"

#define PART_HEADERS
#include "engine/properties/properties.def"
#undef PART_HEADERS

namespace reckon::engine {

template <class... Parts>
struct StateOf : CoreState, Parts... {
  struct Change : Parts::Change... {};  // what an instruction did to each part
  using JoinNotes = std::tuple<typename Parts::JoinNotes...>;

  // Call f(std::type_identity<P>()) for each part P, in order.
  template <class F>
  static void for_each_part(F&& f) {
    (f(std::type_identity<Parts>()), ...);
  }
  template <class F>
  static bool all_parts(F&& f) {
    return (f(std::type_identity<Parts>()) && ...);
  }
  template <class F>
  static bool any_part(F&& f) {
    return (f(std::type_identity<Parts>()) || ...);
  }
  std::size_t size_of_parts() const { return (Parts::size() + ...); }
};

// The core's own part comes first, then those of the properties in the order of their table.
#define PART(Type) , Type
using AllParts = StateOf<DeedsPart
#include "engine/properties/properties.def"
                         >;

struct State : AllParts {
  // Everything about `symbol` now speaks of `old`; what spoke of `old` is forgotten. Used when the instruction or
  // block that made `symbol` makes it again.
  void age(TermArena& terms, TermId symbol, TermId old);

  std::size_t size() const { return CoreState::size() + size_of_parts(); }
  std::uint64_t property_hash(const TermArena& terms) const;
  // `strict`: also for counts that are vacuous in one of the two.
  bool same_property(const TermArena& terms, const State& other, bool strict = false) const;
  // Given equal property parts: is all else equal, too, but for the way there and what was lost on it?
  bool same_execution(const State& other) const;
};

// Joins `from` into `into` (equal property parts) at `block`; true if `into` changed. With `widen`, intervals
// that still grow go to their limits; with `forget`, memory that `into` knows nothing of becomes unknown.
bool join_states(TermArena& terms, State& into, State from, model::BlockId block, bool widen, bool forget = false);

}  // namespace reckon::engine
