// From the terms of one function to the places its callers know.
#pragma once

#include "engine/term.h"
#include "specs/outcome.h"

namespace reckon::engine {

// How many reads a place may be away from an argument or a global. Drivers reach their device by way of what frameworks
// hand them (`mem->spi->controller->driver_data->dev`): named counts are followed further than the rest.
inline constexpr std::size_t kMaxPath = 3;
inline constexpr std::size_t kMaxCountPath = 5;

// A symbol as callers see it; false if they cannot.
bool to_place(const TermArena& terms, TermId t, specs::Place& out, std::size_t most = kMaxPath);

}  // namespace reckon::engine
