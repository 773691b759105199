// From the terms of one function to the places its callers know.
#pragma once

#include "engine/core/symbolic.h"
#include "model/model.h"
#include "specs/outcome.h"
#include "support/limits.h"

namespace reckon::engine {

// How many reads a place may be away from an argument or a global. Drivers reach their device by way of what frameworks
// hand them (`mem->spi->controller->driver_data->dev`): named counts are followed further than the rest.
inline constexpr std::size_t kMaxPath = support::kLimits.outcomes.path;
inline constexpr std::size_t kMaxCountPath = support::kLimits.outcomes.count_path;

// A symbol as callers see it; false if they cannot.
bool to_place(const TermArena& terms, TermId t, specs::Place& out, std::size_t most = kMaxPath);

// C++: what an owner of the callers' may hold, and a container may take from it.
inline bool held_by_caller(const TermArena& terms, const model::Unit& unit, TermId t) {
  specs::Place ignored;
  return unit.language == model::Language::Cxx && terms[t].kind == TermKind::Initial && to_place(terms, t, ignored);
}

}  // namespace reckon::engine
