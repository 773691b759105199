// Conditions of outcomes and ranges of values: the same knowledge in the callers' terms and in the engine's.
#pragma once

#include <vector>

#include "engine/core/symbolic.h"
#include "specs/outcome.h"

namespace reckon::engine {

// Error pointers: the last 4095 addresses.
inline constexpr std::int64_t kFirstError = -4095, kLastError = -1;

inline bool about_error_pointers(const specs::Condition& c) {
  return c.mask == specs::err_ptr_mask && c.imm == specs::err_ptr_value && !c.other &&
         (c.pred == specs::Pred::Eq || c.pred == specs::Pred::Ne);
}

// What the condition leaves of the range of its place (masked, unless it speaks of error pointers).
void restrict_range(Range& r, const specs::Condition& c);

// What a conjunction says of each place and mask, in the order of these. Conditions on two places are left out. It
// points to the places of the conditions it was made from.
struct PlaceRange {
  const specs::Place* place;
  std::uint64_t mask;
  Range range;

  bool same_key(const PlaceRange& other) const { return mask == other.mask && *place == *other.place; }
};
using PlaceRanges = std::vector<PlaceRange>;
PlaceRanges ranges_of(const std::vector<specs::Condition>& conditions);
// The range of the same place and mask; nullptr if nothing is said of it.
const Range* find_range(const PlaceRanges& ranges, const PlaceRange& key);

// What is known of the result.
Range result_range(const specs::CoreEffects& o);

void add_range(std::vector<specs::Condition>& out, const specs::Place& p, std::uint64_t mask, const Range& r);

// What both conjunctions imply, place by place.
std::vector<specs::Condition> weaken(const std::vector<specs::Condition>& a, const std::vector<specs::Condition>& b);

// Does weaken() lose nothing: is what it gives the one or the other?
bool unite_exactly(const std::vector<specs::Condition>& a, const std::vector<specs::Condition>& b);

}  // namespace reckon::engine
