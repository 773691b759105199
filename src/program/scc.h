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

}  // namespace reckon::program
