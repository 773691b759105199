// The form of a file in the cache: a header with a checksum, then compressed bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/strong_hash.h"

namespace reckon::cache {

// `name` says what is stored, and under which key; it is not written, but the checksum covers it, so that a file that
// got into the wrong place is as damaged as a torn one. Empty if compression fails.
// `secret`: without it, nobody writes a file that unpack() takes.
// `seams` are offsets, in order, between parts of the payload that have little in common.
std::string pack(std::string_view name, std::string_view payload, const support::Secret& secret = std::nullopt,
                 const std::vector<std::size_t>& seams = {});

// False on anything that pack() did not write with this name and secret.
bool unpack(std::string_view name, std::string_view file, std::string& payload,
            const support::Secret& secret = std::nullopt);

}  // namespace reckon::cache
