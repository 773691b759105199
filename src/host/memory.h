// How much memory this process may use: beyond, an allocation fails, and what was being done is given up.
#pragma once

#include <cstdint>
#include <optional>

namespace reckon::host {

// Of all threads together. 0: no limit; none: nearly all that the machine has.
void limit_memory(std::optional<std::uint64_t> mib);

// For the few words that are left to say.
void lift_memory_limit();

}  // namespace reckon::host
