#include "engine/core/flow.h"

#include <algorithm>

#include "support/limits.h"

namespace reckon::engine {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;
using model::OperandKind;

Flow::Flow(const model::Body& body, std::uint32_t) : body_(body) {
  compute_order();
  compute_cycles();
  if (!too_large_) compute_liveness();
}

void Flow::compute_order() {
  const std::size_t n = body_.blocks.size();
  order_.assign(n, kNone);
  loop_head_.assign(n, 0);
  std::vector<char> state(n, 0);  // 0 new, 1 on the stack, 2 done
  std::vector<std::pair<BlockId, std::uint32_t>> stack{{BlockId{}, 0}};
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
  const auto heads =
      static_cast<std::size_t>(std::count_if(latches.begin(), latches.end(), [](const auto& l) { return !l.empty(); }));
  if (heads * n > static_cast<std::size_t>(support::kLimits.looks.loop_bits)) {
    too_large_ = "too many loops";
    return;
  }
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

// Most values are used in the block that makes them, and there only: no bits are kept for those. A value that only phis
// of the next blocks use is live at the end of its block, which a flag says. What remains crosses blocks.
std::vector<model::ValueId> Flow::crossing_values() {
  constexpr BlockId kParameter = kNone;
  std::vector<BlockId> made_in(body_.num_values, kParameter);
  std::vector<char> crosses(body_.num_values, 0), made(body_.num_values, 0);
  leaves_by_phi_.assign(body_.num_values, 0);
  for (BlockId b : rpo_)
    for (const Instr& i : body_.block(b))
      if (i.result != kNone) made_in[i.result] = b;
  for (BlockId b : rpo_)
    for (const Instr& i : body_.block(b)) {
      const auto ops = body_.ops(i);
      for (std::size_t k = 0; k < ops.size(); ++k) {
        if (ops[k].kind != OperandKind::Value) continue;
        const model::ValueId v = ops[k].value_id();
        if (i.op != Op::Phi)
          crosses[v] |= made_in[v] != b || !made[v];
        else if (made_in[v] == body_.succs(i)[k])
          leaves_by_phi_[v] = 1;
        else
          crosses[v] = 1;
      }
      if (i.result != kNone) made[i.result] = 1;
    }
  made_in_ = std::move(made_in);
  std::vector<model::ValueId> out;
  for (model::ValueId v{}; v < body_.num_values; ++v)
    if (crosses[v]) out.push_back(v);
  return out;
}

void Flow::compute_liveness() {
  const std::size_t n = body_.blocks.size();
  const std::vector<model::ValueId> crossing = crossing_values();
  bit_of_.assign(body_.num_values, kNone);
  for (std::uint32_t k = 0; k < crossing.size(); ++k) bit_of_[crossing[k]] = k;
  words_ = (crossing.size() + 63) / 64;
  if (n * words_ > static_cast<std::size_t>(support::kLimits.looks.liveness_words)) {
    too_large_ = "too many blocks and values";
    return;
  }
  live_in_.assign(n * words_, 0);
  live_out_.assign(n * words_, 0);
  std::vector<std::uint64_t> use(n * words_, 0), def(n * words_, 0), phi_out(n * words_, 0);
  auto set = [&](std::vector<std::uint64_t>& bits, BlockId b, model::ValueId v) {
    if (bit_of_[v] != kNone) bits[b * words_ + bit_of_[v] / 64] |= std::uint64_t{1} << (bit_of_[v] % 64);
  };
  auto get = [&](const std::vector<std::uint64_t>& bits, BlockId b, model::ValueId v) {
    return bit_of_[v] != kNone && (bits[b * words_ + bit_of_[v] / 64] >> (bit_of_[v] % 64) & 1);
  };
  for (BlockId b : rpo_) {
    for (const Instr& i : body_.block(b)) {
      if (i.op != Op::Phi)
        for (const model::Operand& o : body_.ops(i))
          if (o.kind == OperandKind::Value && !get(def, b, o.value_id())) set(use, b, o.value_id());
      if (i.result != kNone) set(def, b, i.result);
    }
  }
  // Phi operands are used at the end of the block they come from.
  for (BlockId b : rpo_)
    for (const Instr& i : body_.block(b)) {
      if (i.op != Op::Phi) break;
      const auto ops = body_.ops(i);
      const auto from = body_.succs(i);
      for (std::size_t k = 0; k < ops.size(); ++k)
        if (ops[k].kind == OperandKind::Value) set(phi_out, from[k], ops[k].value_id());
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

void LastUses::of_block(const model::Body& body, BlockId b) {
  if (last_.empty()) last_.assign(body.num_values, kNone);
  for (const model::ValueId v : used_) last_[v] = kNone;
  used_.clear();
  const auto& block = body.blocks[b];
  for (std::uint32_t k = 0; k < block.count; ++k)
    for (const model::Operand& o : body.ops(body.instrs[block.first + k]))
      if (o.kind == OperandKind::Value) {
        last_[o.id] = model::InstrId(block.first + k);
        used_.push_back(o.value_id());
      }
}

}  // namespace reckon::engine
