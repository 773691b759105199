// Strongly connected components of a graph given as adjacency lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reckon::program {

// Tarjan's method with an explicit stack: call chains of any length are fine. A component comes after all
// components it has edges to (callees before callers); the members of each are sorted, and the order depends
// on nothing but the graph.
std::vector<std::vector<std::uint32_t>> strong_components(std::span<const std::vector<std::uint32_t>> edges);

// The same components in another order that keeps callees before callers: where it can, a component also comes after
// those it has `wishes` for (functions it only names).
std::vector<std::vector<std::uint32_t>> order_components(std::vector<std::vector<std::uint32_t>> components,
                                                         std::span<const std::vector<std::uint32_t>> edges,
                                                         std::span<const std::vector<std::uint32_t>> wishes);

}  // namespace reckon::program
