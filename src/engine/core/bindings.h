// Where a state keeps pointers to objects that a join must not lose sight of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/core/core_state.h"
#include "support/hash.h"

namespace reckon::engine {

struct Binding {
  std::uint64_t place;  // a variable, or a cell of memory
  TermId object;
  bool inside;  // not to its start; how far inside does not matter
  bool operator==(const Binding&) const = default;
};

// `watched`: the objects, sorted.
inline std::vector<Binding> bindings(const TermArena& terms, const CoreState& state,
                                     const std::vector<TermId>& watched) {
  std::vector<Binding> out;
  if (watched.empty()) return out;
  auto look = [&](std::uint64_t place, TermId value) {
    const TermId object = terms.root(value);
    if (std::binary_search(watched.begin(), watched.end(), object)) out.push_back({place, object, object != value});
  };
  for (const auto& [v, t] : state.values) look(v, t);
  for (const Cell& c : state.memory)
    look((static_cast<std::uint64_t>(c.base) + 1) << 32 ^ static_cast<std::uint64_t>(c.offset), c.value);
  return out;
}

inline void mix(Hasher& h, const std::vector<Binding>& bindings) {
  for (const Binding& b : bindings) {
    h.mix(b.place);
    h.mix(static_cast<std::uint64_t>(b.object) << 1 | (b.inside ? 1 : 0));
  }
}

}  // namespace reckon::engine
