// A branch in the words of the source: which condition held on the side that was taken.
#pragma once

#include <cstdint>
#include <string>

#include "engine/trace.h"

namespace reckon::checks {

// "assuming `item` is NULL", "assuming `i < n`"; if the condition has no short form, "going on 3 lines below".
std::string branch_in_words(const engine::Trace& trace, model::InstrId branch, std::uint32_t successor);

}  // namespace reckon::checks
