// Pointers behind which there is nothing to count.
#pragma once

#include "engine/core/conditions.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

// NULL, or an error pointer: what could not be had. Calls that count such things pass over both.
inline bool is_error_value(const TermArena& terms, const Facts& facts, TermId t) {
  return facts.known_zero(terms, t) || facts.range(terms, t).within(Range{kFirstError, kLastError});
}

// Does one of two results say success, by zero or a number above it, and the other one an error? A test for "not zero"
// leaves numbers above zero open, which nobody means by it.
inline bool told_by_error(const Range& a, const Range& b) {
  auto succeeds = [](const Range& r) { return r.lo >= 0 && r.allows(0); };
  auto fails = [](const Range& r) { return r.lo < 0 && !r.allows(0); };
  return (succeeds(a) && fails(b)) || (fails(a) && succeeds(b));
}

}  // namespace reckon::engine
