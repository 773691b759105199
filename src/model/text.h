// The textual form of the model: print() and parse() are inverse; golden tests and `reckon dump model` use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace reckon::model {

std::string print(const Unit& unit);
std::string print(const Unit& unit, const Function& function);

// Parses what print(unit) wrote. On failure `error` is "line:col: what was expected".
std::optional<Unit> parse(std::string_view text, std::string& error);

}  // namespace reckon::model
