// What the simulation needs to know about a body's shape: order of blocks, loops, liveness.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace reckon::engine {

class Flow {
 public:
  explicit Flow(const model::Body& body, std::uint32_t num_params);

  std::uint32_t order(model::BlockId b) const { return order_[b]; }  // position in reverse postorder
  model::BlockId at(std::uint32_t position) const { return rpo_[position]; }
  bool is_loop_head(model::BlockId b) const { return loop_head_[b]; }
  bool in_cycle(model::BlockId b) const { return in_cycle_[b]; }
  bool heads_loop(model::BlockId b) const { return loop_of_[b] != model::kNone; }
  // Does `b` belong to the loop of this head?
  bool in_loop(model::BlockId head, model::BlockId b) const { return heads_loop(head) && loops_[loop_of_[head]][b]; }
  bool live_in(model::BlockId b, model::ValueId v) const { return test(live_in_, b, v); }
  bool live_out(model::BlockId b, model::ValueId v) const {
    return test(live_out_, b, v) || (leaves_by_phi_[v] && made_in_[v] == b);
  }
  // Why nothing of the above is known; nullptr: it is.
  const char* too_large() const { return too_large_; }

 private:
  bool test(const std::vector<std::uint64_t>& bits, model::BlockId b, model::ValueId v) const {
    const std::uint32_t bit = bit_of_[v];
    return bit != model::kNone && (bits[static_cast<std::size_t>(b) * words_ + bit / 64] >> (bit % 64) & 1);
  }
  void compute_order();
  std::vector<model::ValueId> crossing_values();
  void compute_liveness();
  void compute_cycles();

  const model::Body& body_;
  std::vector<model::BlockId> rpo_;
  std::vector<std::uint32_t> order_;
  std::vector<char> loop_head_, in_cycle_;
  std::vector<std::uint32_t> loop_of_;    // by head: which of loops_
  std::vector<std::vector<bool>> loops_;  // the blocks of each
  const char* too_large_ = nullptr;
  std::vector<model::BlockId> made_in_;  // by value: the block, kNone for parameters
  std::vector<char> leaves_by_phi_;      // by value: a phi uses it at the end of its block
  std::vector<std::uint32_t> bit_of_;    // by value: its bit below, kNone: it does not cross blocks
  std::size_t words_ = 0;
  std::vector<std::uint64_t> live_in_, live_out_;
};

// Where each value is used last in one block, as index into Body::instrs; kNone: not there.
class LastUses {
 public:
  void of_block(const model::Body& body, model::BlockId b);
  model::InstrId operator[](model::ValueId v) const { return last_[v]; }

 private:
  std::vector<model::InstrId> last_;
  std::vector<model::ValueId> used_;  // those that have one
};

}  // namespace reckon::engine
