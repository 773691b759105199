// Conditions on which pushes and pops depend.
//
// The problem: `if (a || b) PROTECT(x); ... if (a || b) UNPROTECT(1);` looks unbalanced once the two ways have met, and
// a long function has too many ways to keep all apart. The method: find the branches that lead to pushes and pops, and
// join only states that agree on these (Joining::Conditions).
//
// Limits: two branches up from a push or pop, and no more than kMaxTracked conditions; loops are left out.

#include <algorithm>

#include "engine/properties/protection/decisions.h"
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
  auto changes_depth = [&](const Instr& i) {
    const auto ops = body_.ops(i);
    if (i.op != Op::Call || ops.empty() || ops[0].kind != OperandKind::Symbol) return false;
    const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
    const FuncId f = spec ? kNone : ctx_.program.definition(unit_id_, ops[0].symbol_id());
    if (!spec && (f == kNone || !ctx_.summaries[f].known)) return false;
    const auto& outcomes = spec ? spec->outcomes : ctx_.summaries[f].outcomes;
    return std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) {
      return o.protects != 0 || o.unprotects || !o.unprotected.empty() || !o.protected_objects.empty();
    });
  };
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
      }
      level += branch;
      at = dominators.immediate(at);
    }
  }
}

void Decisions::track(TermId condition) {
  if (terms_.is_const(condition) || tracked_.size() >= kMaxTracked) return;
  if (std::find(tracked_.begin(), tracked_.end(), condition) == tracked_.end()) tracked_.push_back(condition);
}

bool Decisions::agree(const State& a, const State& b) const {
  TermArena& terms = const_cast<TermArena&>(terms_);  // deciding may make terms, which changes nothing for anybody
  return std::all_of(tracked_.begin(), tracked_.end(), [&](TermId t) {
    if (terms_[t].kind == TermKind::Cmp) return a.facts.decide(terms, t) == b.facts.decide(terms, t);
    const Range x = a.facts.range(terms_, t), y = b.facts.range(terms_, t);
    return x.is_single() == y.is_single() && (!x.is_single() || x.lo == y.lo);
  });
}

}  // namespace reckon::engine
