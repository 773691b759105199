// Immediate dominators by iteration to a fixpoint in reverse postorder (after Cooper, Harvey and Kennedy), which on
// graphs of this size beats the asymptotically better methods.
#include "model/dominators.h"

#include <algorithm>

namespace reckon::model {

Dominators::Dominators(const Body& body) {
  find_predecessors(body);
  find_order(body);
  find_immediate();
  number_tree();
}

void Dominators::find_predecessors(const Body& body) {
  std::size_t n = body.blocks.size();
  std::vector<std::pair<BlockId, BlockId>> edges;  // to, from
  for (BlockId b{}; b < n; ++b) {
    for (BlockId t : body.succs(body.terminator(b))) edges.emplace_back(t, b);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  first_pred_.assign(n + 1, 0);
  preds_.reserve(edges.size());
  for (auto [to, from] : edges) {
    ++first_pred_[to + 1];
    preds_.push_back(from);
  }
  for (std::size_t b = 0; b < n; ++b) first_pred_[b + 1] += first_pred_[b];
}

void Dominators::find_order(const Body& body) {
  std::size_t n = body.blocks.size();
  order_.assign(n, kNone);
  if (n == 0) return;
  std::vector<bool> seen(n);
  std::vector<std::pair<BlockId, std::uint32_t>> stack;  // block, next target
  stack.emplace_back(BlockId{}, 0);
  seen[0] = true;
  while (!stack.empty()) {
    auto& [b, next] = stack.back();
    auto targets = body.succs(body.terminator(b));
    if (next == targets.size()) {
      rpo_.push_back(b);
      stack.pop_back();
      continue;
    }
    BlockId t = targets[next++];
    if (!seen[t]) {
      seen[t] = true;
      stack.emplace_back(t, 0);
    }
  }
  std::reverse(rpo_.begin(), rpo_.end());
  for (std::uint32_t i = 0; i < rpo_.size(); ++i) order_[rpo_[i]] = i;
}

void Dominators::find_immediate() {
  idom_.assign(order_.size(), kNone);
  if (rpo_.empty()) return;
  auto common = [&](BlockId a, BlockId b) {
    while (a != b) {
      while (order_[a] > order_[b]) a = idom_[a];
      while (order_[b] > order_[a]) b = idom_[b];
    }
    return a;
  };
  idom_[0] = BlockId{};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < rpo_.size(); ++i) {
      BlockId b = rpo_[i], best = kNone;
      for (BlockId p : predecessors(b)) {
        if (!reachable(p) || idom_[p] == kNone) continue;
        best = best == kNone ? p : common(p, best);
      }
      if (idom_[b] != best) {
        idom_[b] = best;
        changed = true;
      }
    }
  }
}

void Dominators::number_tree() {
  std::size_t n = order_.size();
  enter_.assign(n, 0);
  leave_.assign(n, 0);
  if (rpo_.empty()) return;
  idom_[0] = kNone;
  std::vector<BlockId> first_child(n, kNone), sibling(n, kNone);
  for (std::size_t i = rpo_.size(); i-- > 1;) {
    BlockId b = rpo_[i], parent = idom_[b];
    sibling[b] = first_child[parent];
    first_child[parent] = b;
  }
  std::uint32_t clock = 0;
  BlockId b{};
  for (;;) {
    enter_[b] = clock++;
    if (first_child[b] != kNone) {
      b = first_child[b];
      continue;
    }
    leave_[b] = clock++;
    while (b != 0 && sibling[b] == kNone) {
      b = idom_[b];
      leave_[b] = clock++;
    }
    if (b == 0) break;
    b = sibling[b];
  }
}

}  // namespace reckon::model
