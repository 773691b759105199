// Texts that a program holds.
#pragma once

#include <optional>
#include <string_view>

#include "model/model.h"

namespace reckon::model {

// The text that a constant operand points to.
std::optional<std::string_view> constant_text(const Unit& unit, const Operand& o);

}  // namespace reckon::model
