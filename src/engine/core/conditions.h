// Conditions of outcomes and ranges of values: the same knowledge in the callers' terms and in the engine's.
#pragma once

#include <map>
#include <utility>
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

// What a conjunction says of each place and mask. Conditions on two places are left out.
using PlaceRanges = std::map<std::pair<specs::Place, std::uint64_t>, Range>;
PlaceRanges ranges_of(const std::vector<specs::Condition>& conditions);

// What is known of the result.
Range result_range(const specs::Outcome& o);

void add_range(std::vector<specs::Condition>& out, const specs::Place& p, std::uint64_t mask, const Range& r);

// What both conjunctions imply, place by place.
std::vector<specs::Condition> weaken(const std::vector<specs::Condition>& a, const std::vector<specs::Condition>& b);

// Does weaken() lose nothing: is what it gives the one or the other?
bool unite_exactly(const std::vector<specs::Condition>& a, const std::vector<specs::Condition>& b);

}  // namespace reckon::engine
