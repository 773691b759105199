// How much memory this process may use: beyond, an allocation fails, and what was being done is given up.
#pragma once

#include <cstdint>
#include <optional>

namespace reckon::host {

// Of all threads together. 0: no limit; none: nearly all that the machine has.
void limit_memory(std::optional<std::uint64_t> mib);

// Sets the soft limit of a resource (RLIMIT_...), as far as the hard one allows.
void set_soft_limit(int resource, std::uint64_t wanted);

// False in builds with sanitizers, which reserve more memory than any limit allows.
bool can_limit_memory();

// For the few words that are left to say.
void lift_memory_limit();

}  // namespace reckon::host
