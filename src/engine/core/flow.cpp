#include "engine/core/flow.h"

#include <algorithm>

namespace reckon::engine {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;
using model::OperandKind;

Flow::Flow(const model::Body& body, std::uint32_t) : body_(body) {
  compute_order();
  compute_cycles();
  compute_liveness();
}

void Flow::compute_order() {
  const std::size_t n = body_.blocks.size();
  order_.assign(n, kNone);
  loop_head_.assign(n, 0);
  std::vector<char> state(n, 0);  // 0 new, 1 on the stack, 2 done
  std::vector<std::pair<BlockId, std::uint32_t>> stack{{0, 0}};
  state[0] = 1;
  while (!stack.empty()) {
    auto& [b, next] = stack.back();
    const auto succs = body_.succs(body_.terminator(b));
    if (next < succs.size()) {
      const BlockId s = succs[next++];
      if (state[s] == 1) loop_head_[s] = 1;
      if (state[s] == 0) {
        state[s] = 1;
        stack.push_back({s, 0});
      }
    } else {
      state[b] = 2;
      rpo_.push_back(b);
      stack.pop_back();
    }
  }
  std::reverse(rpo_.begin(), rpo_.end());
  for (std::uint32_t i = 0; i < rpo_.size(); ++i) order_[rpo_[i]] = i;
}

// A block is in a cycle if it lies between a back edge's target and its source in reverse postorder and can be
// reached backwards from the source: the natural loop, computed per back edge. Irreducible regions are covered
// by treating every retreating edge as a back edge.
void Flow::compute_cycles() {
  const std::size_t n = body_.blocks.size();
  in_cycle_.assign(n, 0);
  loop_of_.assign(n, kNone);
  std::vector<std::vector<BlockId>> preds(n);
  for (BlockId b : rpo_)
    for (BlockId s : body_.succs(body_.terminator(b))) preds[s].push_back(b);
  std::vector<std::vector<BlockId>> latches(n);
  for (BlockId b : rpo_)
    for (BlockId s : body_.succs(body_.terminator(b)))
      if (order_[s] <= order_[b]) latches[s].push_back(b);
  for (BlockId head : rpo_) {
    if (latches[head].empty()) continue;
    std::vector<BlockId> work = latches[head];
    loop_of_[head] = static_cast<std::uint32_t>(loops_.size());
    std::vector<bool>& seen = loops_.emplace_back(n, false);
    seen[head] = true;
    in_cycle_[head] = 1;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      in_cycle_[b] = 1;
      for (BlockId p : preds[b])
        if (order_[p] > order_[head] || p == head) work.push_back(p);
    }
  }
}

void Flow::compute_liveness() {
  const std::size_t n = body_.blocks.size();
  words_ = (static_cast<std::size_t>(body_.num_values) + 63) / 64;
  if (words_ == 0) words_ = 1;
  live_in_.assign(n * words_, 0);
  live_out_.assign(n * words_, 0);
  std::vector<std::uint64_t> use(n * words_, 0), def(n * words_, 0);
  auto set = [&](std::vector<std::uint64_t>& bits, std::size_t b, std::uint32_t v) {
    bits[b * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
  };
  auto get = [&](const std::vector<std::uint64_t>& bits, std::size_t b, std::uint32_t v) {
    return bits[b * words_ + v / 64] >> (v % 64) & 1;
  };
  for (BlockId b : rpo_) {
    for (const Instr& i : body_.block(b)) {
      if (i.op != Op::Phi)
        for (const model::Operand& o : body_.ops(i))
          if (o.kind == OperandKind::Value && !get(def, b, o.id)) set(use, b, o.id);
      if (i.result != kNone) set(def, b, i.result);
    }
  }
  // Phi operands are used at the end of the block they come from.
  std::vector<std::uint64_t> phi_out(n * words_, 0);
  for (BlockId b : rpo_)
    for (const Instr& i : body_.block(b)) {
      if (i.op != Op::Phi) break;
      const auto ops = body_.ops(i);
      const auto from = body_.succs(i);
      for (std::size_t k = 0; k < ops.size(); ++k)
        if (ops[k].kind == OperandKind::Value) set(phi_out, from[k], ops[k].id);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = rpo_.rbegin(); it != rpo_.rend(); ++it) {
      const std::size_t b = *it;
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t out = phi_out[b * words_ + w];
        for (BlockId s : body_.succs(body_.terminator(*it))) out |= live_in_[s * words_ + w];
        const std::uint64_t in = use[b * words_ + w] | (out & ~def[b * words_ + w]);
        if (out != live_out_[b * words_ + w] || in != live_in_[b * words_ + w]) changed = true;
        live_out_[b * words_ + w] = out;
        live_in_[b * words_ + w] = in;
      }
    }
  }
}

std::vector<std::uint32_t> Flow::last_uses(BlockId b) const {
  std::vector<std::uint32_t> last(body_.num_values, kNone);
  const auto& block = body_.blocks[b];
  for (std::uint32_t k = 0; k < block.count; ++k)
    for (const model::Operand& o : body_.ops(body_.instrs[block.first + k]))
      if (o.kind == OperandKind::Value) last[o.id] = block.first + k;
  return last;
}

}  // namespace reckon::engine
