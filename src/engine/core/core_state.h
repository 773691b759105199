// The core's own part of a state: what variables and memory hold, what is known of those values, and the way here.
//
// The core follows values and knows no rule about them. Whatever obeys a rule (an object with a count, an exception, a
// lock) is a part of the state of its own, kept by a property: core/part.h says what a part has to do, engine/state.h
// puts the parts together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/symbolic.h"
#include "model/model.h"
#include "support/id.h"
#include "support/limits.h"

namespace reckon::engine {

// Saturation of counts: more is "many", and nothing is said about many.
inline constexpr int kManyOwned = support::kLimits.objects.owned;

// One step of the way to a state: index into the nodes of one look at a function (PathNode).
using PathId = support::Id<struct PathTag>;

struct Cell {
  TermId base = kNoTerm;
  std::int64_t offset = 0;
  TermId value = kNoTerm;
  bool operator==(const Cell&) const = default;
};

struct CoreState {
  std::vector<std::pair<model::ValueId, TermId>> values;  // sorted
  std::vector<Cell> memory;                               // sorted by base, offset
  std::vector<std::pair<TermId, std::uint32_t>> epochs;   // memory of these bases was overwritten by an unknown hand
  std::vector<TermId> clobbered;  // parameters whose memory code out of sight may have written, sorted
  Facts facts;
  bool thrown = false;         // C++: this function threw on the path
  bool failed = false;         // some call on the path failed (ranking only)
  bool oom = false;            // the path needs memory to run out
  bool misused = false;        // the path needs a caller that broke a rule
  std::uint16_t failures = 0;  // how many calls on the path failed: of two ways to the same state the plainer is told
  PathId path = model::kNone;

  // How much there is of it: what copies and comparisons cost.
  std::size_t size() const { return values.size() + memory.size() + epochs.size() + facts.size(); }

  // ---- values
  TermId value(model::ValueId v) const;  // kNoTerm if not bound
  void bind(model::ValueId v, TermId t);

  // ---- memory
  const Cell* cell(TermId base, std::int64_t offset) const;
  void write(TermId base, std::int64_t offset, TermId value);
  std::uint32_t epoch(TermId base) const;
  // All that was known of memory at `base` is gone.
  void invalidate(TermId base, std::uint32_t new_epoch);

 protected:
  bool same_core(const CoreState& other) const;  // but for the way here
  void forget_old_values(TermArena& terms, TermId old);
  void substitute_values(TermArena& terms, TermId symbol, TermId old);
};

}  // namespace reckon::engine
