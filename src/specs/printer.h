// Specs back as text: for packs and summaries, which are specs that were computed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "specs/spec_set.h"

namespace reckon::specs {

// The canonical line; parsing it gives an equivalent spec again.
std::string to_text(const FunctionSpec& spec);

// One alternative: `new steals item into list`. A parameter without a name is called `argN`, from 0.
std::string to_text(const Outcome& outcome, std::span<const std::string> param_names);

std::string to_text(const Place& place, std::span<const std::string> param_names);

// Equal in all that decides about calls: everything but where they were written and how objects are called.
bool equivalent(const FunctionSpec& a, const FunctionSpec& b);

}  // namespace reckon::specs
