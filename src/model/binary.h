// The binary form of a unit: compact, position independent, checked on reading.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace reckon::model {

// Encodes without compression; equal units give equal bytes.
std::string encode(const Unit& unit);

// Decodes what encode() wrote. Returns false (and leaves `unit` unspecified) on anything else: wrong magic,
// wrong version, truncated, an index out of range. Never crashes on garbage.
bool decode(std::span<const std::byte> bytes, Unit& unit);

// Only Unit::headers, as text. False on what decode() would not read so far, either.
bool decode_headers(std::span<const std::byte> bytes, std::vector<std::string>& headers);

// Offsets at which one kind of numbers ends and another begins: a compressor does better if it treats the pieces
// between them on their own. Empty if encode() did not write this.
std::vector<std::size_t> seams(std::span<const std::byte> bytes);

}  // namespace reckon::model
