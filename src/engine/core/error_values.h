// Pointers behind which there is nothing to count.
#pragma once

#include "engine/core/conditions.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

// NULL, or an error pointer: what could not be had. Calls that count such things pass over both.
inline bool is_error_value(const TermArena& terms, const Facts& facts, TermId t) {
  return facts.known_zero(terms, t) || facts.range(terms, t).within(Range{kFirstError, kLastError});
}

}  // namespace reckon::engine
