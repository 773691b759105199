// Predecessors and dominators of a body whose blocks all end in a terminator with targets in range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"

namespace reckon::model {

class Dominators {
 public:
  explicit Dominators(const Body& body);

  bool reachable(BlockId b) const { return order_[b] != kNone; }
  // Sorted, each once, unreachable ones included.
  std::span<const BlockId> predecessors(BlockId b) const {
    return {preds_.data() + first_pred_[b], first_pred_[b + 1] - first_pred_[b]};
  }
  // Both reachable, and every path from the entry to b passes a (a block dominates itself).
  bool dominates(BlockId a, BlockId b) const {
    return reachable(a) && reachable(b) && enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
  }
  BlockId immediate(BlockId b) const { return idom_[b]; }  // kNone for the entry and for unreachable blocks

 private:
  void find_predecessors(const Body& body);
  void find_order(const Body& body);
  void find_immediate();
  void number_tree();

  std::vector<std::uint32_t> first_pred_;
  std::vector<BlockId> preds_;
  std::vector<BlockId> rpo_;
  std::vector<std::uint32_t> order_;  // position in rpo_, kNone: unreachable
  std::vector<BlockId> idom_;
  std::vector<std::uint32_t> enter_, leave_;
};

}  // namespace reckon::model
