// The form of a file in the cache: a header with a checksum, then compressed bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::cache {

// `name` says what is stored, and under which key; it is not written, but the checksum covers it, so that a file that
// got into the wrong place is as damaged as a torn one. Empty if compression fails.
// `seams` are offsets, in order, between parts of the payload that have little in common.
std::string pack(std::string_view name, std::string_view payload, const std::vector<std::size_t>& seams = {});

// False on anything that pack() did not write with this name.
bool unpack(std::string_view name, std::string_view file, std::string& payload);

}  // namespace reckon::cache
