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
  // Does `b` belong to the loop of this head?
  bool in_loop(model::BlockId head, model::BlockId b) const {
    return loop_of_[head] != model::kNone && loops_[loop_of_[head]][b];
  }
  bool live_in(model::BlockId b, model::ValueId v) const { return test(live_in_, b, v); }
  bool live_out(model::BlockId b, model::ValueId v) const { return test(live_out_, b, v); }
  // Position in its block of the last use of v in block b, as index into Body::instrs; kNone: not used there.
  std::vector<std::uint32_t> last_uses(model::BlockId b) const;

 private:
  bool test(const std::vector<std::uint64_t>& bits, model::BlockId b, model::ValueId v) const {
    return bits[static_cast<std::size_t>(b) * words_ + v / 64] >> (v % 64) & 1;
  }
  void compute_order();
  void compute_liveness();
  void compute_cycles();

  const model::Body& body_;
  std::vector<model::BlockId> rpo_;
  std::vector<std::uint32_t> order_;
  std::vector<char> loop_head_, in_cycle_;
  std::vector<std::uint32_t> loop_of_;    // by head: which of loops_
  std::vector<std::vector<bool>> loops_;  // the blocks of each
  std::size_t words_ = 0;
  std::vector<std::uint64_t> live_in_, live_out_;
};

}  // namespace reckon::engine
