#include "program/scc.h"

#include <algorithm>
#include <cstddef>

namespace reckon::program {

std::vector<std::vector<std::uint32_t>> strong_components(std::span<const std::vector<std::uint32_t>> edges) {
  constexpr std::uint32_t kUnseen = 0xffffffffu;
  struct Frame {
    std::uint32_t node;
    std::size_t next;  // edge to look at next
  };
  const auto n = static_cast<std::uint32_t>(edges.size());
  std::vector<std::vector<std::uint32_t>> result;
  std::vector<std::uint32_t> number(n, kUnseen), low(n, 0), open;
  std::vector<bool> is_open(n, false);
  std::vector<Frame> frames;
  std::uint32_t counter = 0;

  auto enter = [&](std::uint32_t v) {
    number[v] = low[v] = counter++;
    open.push_back(v);
    is_open[v] = true;
    frames.push_back({v, 0});
  };
  for (std::uint32_t root = 0; root < n; ++root) {
    if (number[root] != kUnseen) continue;
    enter(root);
    while (!frames.empty()) {
      const std::uint32_t v = frames.back().node;
      if (frames.back().next < edges[v].size()) {
        const std::uint32_t w = edges[v][frames.back().next++];
        if (number[w] == kUnseen)
          enter(w);
        else if (is_open[w])
          low[v] = std::min(low[v], number[w]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[v]);
      if (low[v] != number[v]) continue;
      std::vector<std::uint32_t>& component = result.emplace_back();
      std::uint32_t w;
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

}  // namespace reckon::program
