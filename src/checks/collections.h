// Where a collection of garbage may happen: every call that may allocate, in a program of a collected language.
#pragma once

#include <string>
#include <vector>

#include "engine/context.h"
#include "report/finding.h"

namespace reckon::checks {

struct CollectionPoint {
  report::SourceLoc loc;
  std::string function;  // that calls
  std::string callee;    // "" for an unknown function behind a pointer
  auto operator<=>(const CollectionPoint&) const = default;
};

// Sorted by place. The summaries of `ctx` must have been computed.
std::vector<CollectionPoint> collection_points(const engine::Context& ctx);

}  // namespace reckon::checks
