// Conditions on which pushes and pops depend.
//
// The problem: `if (a || b) PROTECT(x); ... if (a || b) UNPROTECT(1);` looks unbalanced once the two ways have met, and
// a long function has too many ways to keep all apart. The method: find the branches that lead to pushes and pops, and
// join only states that agree on these (Joining::Conditions).
//
// Limits: two branches up from a push or pop, and no more than kMaxTracked conditions; loops are left out.

#include <algorithm>

#include "engine/properties/properties.h"
#include "engine/properties/protection/decisions.h"
#include "engine/properties/protection/stack.h"
#include "model/dominators.h"
#include "support/limits.h"

namespace reckon::engine {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;
using model::OperandKind;

namespace {
constexpr std::size_t kMaxTracked = support::kLimits.protection.tracked;
constexpr int kBranchesUp = support::kLimits.protection.branches_up;
}  // namespace

void Decisions::find_decisions() {
  const model::Dominators dominators(body_);
  decides_.assign(body_.blocks.size(), 0);
  auto changes_depth = [&](const Instr& i) { return props().protection_stack->changes_depth(i); };
  for (BlockId b{}; b < body_.blocks.size(); ++b) {
    const auto block = body_.block(b);
    if (!dominators.reachable(b) || std::none_of(block.begin(), block.end(), changes_depth)) continue;
    BlockId at = b;
    for (int level = 0; level < kBranchesUp && at != kNone;) {
      bool branch = false;
      for (BlockId p : dominators.predecessors(at)) {
        const Op end = body_.instrs[body_.blocks[p].first + body_.blocks[p].count - 1].op;
        if (flow_.is_loop_head(p) || (end != Op::CondBr && end != Op::Switch)) continue;
        decides_[p] = 1;
        branch = true;
        find_compared(p);
      }
      level += branch;
      at = dominators.immediate(at);
    }
  }
}

// The comparison at the end of this block, if no loop changes what it compares.
void Decisions::find_compared(BlockId block) {
  const Instr& end = body_.instrs[body_.blocks[block].first + body_.blocks[block].count - 1];
  const model::Operand condition = body_.ops(end)[0];
  if (condition.kind != OperandKind::Value || defs_[condition.id] == kNone) return;
  const Instr& compare = body_.instrs[defs_[condition.id]];
  if (compare.op != Op::Cmp || compared_.size() >= kMaxTracked) return;
  auto changes = [&](const model::Operand& o) {
    if (o.kind != OperandKind::Value || defs_[o.id] == kNone) return false;
    const InstrId def = defs_[o.id];
    const auto in = std::find_if(body_.blocks.begin(), body_.blocks.end(),
                                 [&](const model::Block& b) { return def >= b.first && def < b.first + b.count; });
    return flow_.in_cycle(BlockId(static_cast<std::uint32_t>(in - body_.blocks.begin())));
  };
  const auto ops = body_.ops(compare);
  if (changes(ops[0]) || changes(ops[1])) return;
  auto value = [](const model::Operand& o) {
    return o.kind == OperandKind::Value ? o.value_id() : model::ValueId(kNone);
  };
  compared_.emplace_back(value(ops[0]), value(ops[1]));
}

// Is what pushes and pops depend on the same in both? `if (x != y) UNPROTECT(1)` behind a loop tells nothing of what x
// was once the two ways to it have met at the loop's head.
bool Decisions::same_values(const State& a, const State& b) const {
  auto of = [](const State& s, model::ValueId v) { return v == kNone ? kNoTerm : s.value(v); };
  auto same = [](TermId x, TermId y) { return x == y || x == kNoTerm || y == kNoTerm; };
  return std::all_of(compared_.begin(), compared_.end(), [&](const auto& pair) {
    const TermId left = of(a, pair.first), right = of(a, pair.second);
    if (!same(left, of(b, pair.first)) || !same(right, of(b, pair.second))) return false;
    if (left == kNoTerm || right == kNoTerm) return true;
    const TermId equal = terms_.cmp(model::CmpPred::Eq, left, right);
    return a.facts.decide(terms_, equal) == b.facts.decide(terms_, equal);
  });
}

void Decisions::track(TermId condition) {
  if (terms_.is_const(condition) || tracked_.size() >= kMaxTracked) return;
  if (std::find(tracked_.begin(), tracked_.end(), condition) == tracked_.end()) tracked_.push_back(condition);
}

bool Decisions::agree(const State& a, const State& b) const {
  return std::all_of(tracked_.begin(), tracked_.end(), [&](TermId t) {
    if (terms_[t].kind == TermKind::Cmp) return a.facts.decide(terms_, t) == b.facts.decide(terms_, t);
    const Range x = a.facts.range(terms_, t), y = b.facts.range(terms_, t);
    return x.is_single() == y.is_single() && (!x.is_single() || x.lo == y.lo);
  });
}

}  // namespace reckon::engine
