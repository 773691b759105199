// Strongly connected components of a graph given as adjacency lists. Its nodes are functions, or plain numbers.
#pragma once

#include <vector>

namespace reckon::program {

// Tarjan's method with an explicit stack: call chains of any length are fine. A component comes after all
// components it has edges to (callees before callers); the members of each are sorted, and the order depends
// on nothing but the graph.
template <class Node>
std::vector<std::vector<Node>> strong_components(const std::vector<std::vector<Node>>& edges);

// The same components in another order that keeps callees before callers: where it can, a component also comes after
// those it has `wishes` for (functions it only names).
template <class Node>
std::vector<std::vector<Node>> order_components(std::vector<std::vector<Node>> components,
                                                const std::vector<std::vector<Node>>& edges,
                                                const std::vector<std::vector<Node>>& wishes);

}  // namespace reckon::program
