// Ids of what specs name and the analysis keeps in large numbers: domains, and counts.
#pragma once

#include <cstdint>

#include "support/small_id.h"

namespace reckon::specs {

using DomainId = support::SmallId<struct DomainTag, std::uint8_t>;  // index into SpecSet::domains()

// A count by its name; the first one stands for the reference count, which has none.
using CountId = support::SmallId<struct CountTag, std::uint16_t>;

}  // namespace reckon::specs
