// Where a function that is called without the interpreter's lock needs it: followed from call to call, behind what
// earlier runs left, since lines in callees move on their own (callee_steps.cpp).

#include <algorithm>

#include "analysis/callee_steps.h"
#include "checks/static_checks.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using model::kNone;

// The first call in `f` that needs the lock, and the function of the program it calls, if it is one.
const model::Instr* lock_user(const Context& ctx, FuncId f, FuncId& callee) {
  const model::Body& body = ctx.program.function(f).body;
  const program::UnitId unit = ctx.program.unit_id(f);
  for (const model::Instr& i : body.instrs) {
    if (i.op != model::Op::Call || body.ops(i)[0].kind != model::OperandKind::Symbol) continue;
    const model::SymId symbol = body.ops(i)[0].symbol_id();
    if (const specs::FunctionSpec* spec = ctx.spec_of[unit][symbol]) {
      callee = kNone;
      if (spec->needs_gil && !spec->takes_gil) return &i;
      continue;
    }
    callee = ctx.program.definition(unit, symbol);
    if (callee == kNone || !ctx.summaries[callee].known) continue;
    const auto& outcomes = ctx.summaries[callee].outcomes;
    if (std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) { return !o.needs_lock.empty(); }))
      return &i;
  }
  return nullptr;
}

}  // namespace

void explain_lock_user(const Context& ctx, FuncId f, report::Finding& finding) {
  const model::Body& body = ctx.program.function(f).body;
  FuncId callee = kNone;
  for (const model::Instr& i : body.instrs)
    if (i.op == model::Op::Call && body.ops(i)[0].kind == model::OperandKind::Symbol &&
        checks::source_loc(ctx.program.unit(f), i.loc) == finding.loc)
      callee = ctx.program.definition(ctx.program.unit_id(f), body.ops(i)[0].symbol_id());
  for (int depth = 1; callee != kNone && depth <= support::kLimits.checks.lock_depth; ++depth) {
    const FuncId in = callee;
    const model::Instr* user = lock_user(ctx, in, callee);
    if (!user) return;
    const model::Unit& unit = ctx.program.unit(in);
    report::Step step;
    step.loc = checks::source_loc(unit, user->loc);
    step.text = std::string(unit.str(unit.symbols[ctx.program.function(in).body.ops(*user)[0].id].display)) +
                "() needs the lock";
    step.depth = depth;
    finding.path.push_back(std::move(step));
  }
}

}  // namespace reckon::analysis
