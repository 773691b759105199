#include "program/scc.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "program/program.h"

namespace reckon::program {

template <class Node>
std::vector<std::vector<Node>> strong_components(const std::vector<std::vector<Node>>& edges) {
  constexpr std::uint32_t kUnseen = 0xffffffffu;
  struct Frame {
    Node node;
    std::size_t next;  // edge to look at next
  };
  const auto n = static_cast<std::uint32_t>(edges.size());
  std::vector<std::vector<Node>> result;
  std::vector<std::uint32_t> number(n, kUnseen), low(n, 0);
  std::vector<Node> open;
  std::vector<bool> is_open(n, false);
  std::vector<Frame> frames;
  std::uint32_t counter = 0;

  auto enter = [&](Node v) {
    number[v] = low[v] = counter++;
    open.push_back(v);
    is_open[v] = true;
    frames.push_back({v, 0});
  };
  for (Node root{}; root < n; ++root) {
    if (number[root] != kUnseen) continue;
    enter(root);
    while (!frames.empty()) {
      const Node v = frames.back().node;
      if (frames.back().next < edges[v].size()) {
        const Node w = edges[v][frames.back().next++];
        if (number[w] == kUnseen)
          enter(w);
        else if (is_open[w])
          low[v] = std::min(low[v], number[w]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[v]);
      if (low[v] != number[v]) continue;
      std::vector<Node>& component = result.emplace_back();
      Node w;
      do {
        w = open.back();
        open.pop_back();
        is_open[w] = false;
        component.push_back(w);
      } while (w != v);
      std::sort(component.begin(), component.end());
    }
  }
  return result;
}

template <class Node>
std::vector<std::vector<Node>> order_components(std::vector<std::vector<Node>> components,
                                                const std::vector<std::vector<Node>>& edges,
                                                const std::vector<std::vector<Node>>& wishes) {
  const auto n = static_cast<std::uint32_t>(components.size());
  std::vector<std::uint32_t> of(edges.size(), 0);
  for (std::uint32_t c = 0; c < n; ++c)
    for (Node v : components[c]) of[v] = c;
  // Who waits for a component, and for how many each one waits.
  struct Waiting {
    std::vector<std::uint32_t> needed_by, wished_by;
    std::size_t needs = 0, wishes = 0;
  };
  std::vector<Waiting> at(n);
  for (Node v{}; v < of.size(); ++v) {
    for (Node w : edges[v])
      if (of[w] != of[v]) at[of[w]].needed_by.push_back(of[v]), ++at[of[v]].needs;
    for (Node w : wishes[v])
      if (of[w] != of[v]) at[of[w]].wished_by.push_back(of[v]), ++at[of[v]].wishes;
  }
  std::set<std::uint32_t> ready, without_wish;  // nothing is missing; only wishes are
  auto look = [&](std::uint32_t c) {
    if (at[c].needs == 0) (at[c].wishes == 0 ? ready : without_wish).insert(c);
  };
  for (std::uint32_t c = 0; c < n; ++c) look(c);
  std::vector<std::vector<Node>> result;
  std::vector<bool> done(n, false);
  while (!ready.empty() || !without_wish.empty()) {
    std::set<std::uint32_t>& from = ready.empty() ? without_wish : ready;
    const std::uint32_t c = *from.begin();
    from.erase(from.begin());
    done[c] = true;
    result.push_back(std::move(components[c]));
    for (std::uint32_t w : at[c].needed_by)
      if (--at[w].needs == 0 && !done[w]) look(w);
    for (std::uint32_t w : at[c].wished_by)
      if (--at[w].wishes == 0 && !done[w] && without_wish.erase(w) != 0) ready.insert(w);
  }
  return result;
}

template std::vector<std::vector<FuncId>> strong_components(const std::vector<std::vector<FuncId>>&);
template std::vector<std::vector<std::uint32_t>> strong_components(const std::vector<std::vector<std::uint32_t>>&);
template std::vector<std::vector<FuncId>> order_components(std::vector<std::vector<FuncId>>,
                                                           const std::vector<std::vector<FuncId>>&,
                                                           const std::vector<std::vector<FuncId>>&);

}  // namespace reckon::program
