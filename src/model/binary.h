// The binary form of a unit: compact, position independent, checked on reading.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/model.h"

namespace reckon::model {

// Encodes without compression; equal units give equal bytes.
std::string encode(const Unit& unit);

// Decodes what encode() wrote. Returns false (and leaves `unit` unspecified) on anything else: wrong magic,
// wrong version, truncated, an index out of range. Never crashes on garbage.
bool decode(std::span<const std::byte> bytes, Unit& unit);

}  // namespace reckon::model
