// Conditions of one alternative that cannot hold together: the alternative would never be tried, without a word.
#pragma once

#include <vector>

#include "specs/outcome.h"

namespace reckon::specs {

// Is there no value for which all conditions about the place of the last one hold?
//
// Limits: conditions about the same place are put together, as a range, as bits and as comparisons with one other
// place; what follows from `p == q and q == r` is not seen.
bool last_contradicts(const std::vector<Condition>& when);

}  // namespace reckon::specs
