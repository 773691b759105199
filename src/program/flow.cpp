#include "program/flow.h"

#include <algorithm>

namespace reckon::program {

using model::BlockId;
using model::Instr;
using model::Op;
using model::OperandKind;

namespace {

// The blocks from whose end, once their calls have returned, a return is reached without a call by name.
std::vector<bool> returning(const model::Body& body, const std::vector<bool>& by_name) {
  std::vector<std::vector<BlockId>> before(body.blocks.size());
  std::vector<bool> out(body.blocks.size(), false);
  std::vector<BlockId> left;
  for (BlockId b{}; b < body.blocks.size(); ++b) {
    const Instr& end = body.terminator(b);
    for (const BlockId next : body.succs(end)) before[next].push_back(b);
    if (end.op == Op::Ret || end.op == Op::Resume) out[b] = true, left.push_back(b);
  }
  while (!left.empty()) {
    const BlockId b = left.back();
    left.pop_back();
    if (by_name[b]) continue;
    for (const BlockId from : before[b])
      if (!out[from]) out[from] = true, left.push_back(from);
  }
  return out;
}

}  // namespace

std::vector<FlowNote> flow_of(const model::Body& body) {
  std::vector<FlowNote> out;
  if (body.blocks.empty()) return out;
  // By block: its calls by name.
  std::vector<FlowNote> calls(body.blocks.size());
  std::vector<bool> by_name(body.blocks.size(), false);
  std::uint32_t number = 0;
  for (BlockId b{}; b < body.blocks.size(); ++b) {
    calls[b].first_call = number;
    for (const Instr& i : body.block(b)) {
      if (i.op != Op::Call) continue;
      ++number;
      by_name[b] = by_name[b] || (i.num_operands > 0 && body.ops(i)[0].kind == OperandKind::Symbol);
    }
    calls[b].calls = number - calls[b].first_call;
  }
  const std::vector<bool> returns = returning(body, by_name);
  if (returns[0] && !by_name[0]) return out;
  // The steps, in the order in which they are reached; other blocks are walked through.
  std::vector<std::uint32_t> step_of(body.blocks.size(), kNone);
  std::vector<BlockId> steps{BlockId{}};
  step_of[0] = 0;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const BlockId b = steps[n];
    FlowNote step;
    if (by_name[b]) step.first_call = calls[b].first_call, step.calls = calls[b].calls;
    step.returns = returns[b];
    for (const BlockId next : body.succs(body.terminator(b))) {
      if (step.returns) break;
      if (step_of[next] == kNone) {
        step_of[next] = static_cast<std::uint32_t>(steps.size());
        steps.push_back(next);
      }
      step.next.push_back(step_of[next]);
    }
    std::sort(step.next.begin(), step.next.end());
    step.next.erase(std::unique(step.next.begin(), step.next.end()), step.next.end());
    out.push_back(std::move(step));
  }
  return out;
}

std::vector<bool> reachable(const model::Body& body, BlockId from) {
  std::vector<bool> seen(body.blocks.size(), false);
  std::vector<BlockId> left{from};
  while (!left.empty()) {
    const BlockId b = left.back();
    left.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    for (const BlockId next : body.succs(body.terminator(b))) left.push_back(next);
  }
  return seen;
}

}  // namespace reckon::program
