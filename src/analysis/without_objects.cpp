#include "analysis/without_objects.h"

#include <algorithm>

#include "specs/effects.h"

namespace reckon::analysis {

using model::Instr;
using model::Op;
using model::OperandKind;
using specs::Outcome;

namespace {

// What is known of those a call may reach: calls seen(spec or nullptr, summary or nullptr) for each.
template <class Seen>
void each_callee(const Context& ctx, FuncId f, const Instr& call, Seen&& seen) {
  const model::Operand& callee = ctx.program.function(f).body.ops(call)[0];
  const specs::FunctionSpec* spec =
      callee.kind == OperandKind::Symbol ? ctx.spec_of[ctx.program.unit_id(f)][callee.id] : nullptr;
  if (spec) return seen(spec, nullptr);
  for (FuncId target : ctx.program.targets(f, call))
    if (ctx.summaries[target].known) seen(nullptr, &ctx.summaries[target]);
}

bool is_call(const model::Body& body, const Instr& i) {
  return i.op == Op::Call && !body.ops(i).empty() && !(i.aux < body.calls.size() && body.calls[i.aux].inline_asm);
}

}  // namespace

bool without_objects(const Context& ctx, FuncId f) {
  const model::Unit& unit = ctx.program.unit(f);
  const model::Function& fn = ctx.program.function(f);
  if (unit.language != model::Language::C) return false;
  auto counted = [&](model::TypeId t) { return ctx.counted(ctx.program.unit_id(f), t); };
  if (counted(fn.result) ||
      std::any_of(fn.params.begin(), fn.params.end(), [&](const model::Param& p) { return counted(p.type); }))
    return false;
  for (const Instr& i : fn.body.instrs) {
    if (!is_call(fn.body, i)) continue;
    const model::TypeId type = i.aux < fn.body.calls.size() ? fn.body.calls[i.aux].type : model::TypeId{};
    if (type == 0 || counted(i.type) || counted(unit.type(type).elem)) return false;
    const auto& params = unit.type(type).params;
    if (std::any_of(params.begin(), params.end(), [&](model::TypeId p) { return counted(p); })) return false;
    bool touches = false;
    each_callee(ctx, f, i, [&](const specs::FunctionSpec* spec, const Summary* summary) {
      const auto& outcomes = spec ? spec->outcomes : summary->outcomes;
      touches = touches || std::any_of(outcomes.begin(), outcomes.end(), specs::any_set<specs::kTouches>);
    });
    if (touches) return false;
  }
  return true;
}

Summary sum_up_calls(const Context& ctx, FuncId f) {
  const model::Function& fn = ctx.program.function(f);
  Summary sum;
  sum.known = true;
  sum.complete = false;
  Outcome all;
  all.never_returns = true;
  for (const Instr& i : fn.body.instrs) {
    if (i.op == Op::Ret) all.never_returns = false;
    if (!is_call(fn.body, i)) continue;
    each_callee(ctx, f, i, [&](const specs::FunctionSpec* spec, const Summary* summary) {
      sum.runs_code = sum.runs_code || (spec ? spec->runs_code : summary->runs_code);
      const auto& outcomes = spec ? spec->outcomes : summary->outcomes;
      const bool comes_back = outcomes.empty() || std::any_of(outcomes.begin(), outcomes.end(),
                                                              [](const Outcome& o) { return !o.never_returns; });
      all.allocates = all.allocates || (spec && spec->allocates && comes_back) ||
                      std::any_of(outcomes.begin(), outcomes.end(),
                                  [](const Outcome& o) { return o.allocates && !o.never_returns; });
    });
  }
  for (std::uint32_t p = 0; p < fn.params.size(); ++p) {
    if (ctx.program.unit(f).type(fn.params[p].type).kind != model::TypeKind::Pointer) continue;
    specs::Place given;
    given.root = specs::Place::Root::Arg;
    given.index = p;
    all.clobbers.push_back(given);
  }
  sum.outcomes.push_back(std::move(all));
  return sum;
}

}  // namespace reckon::analysis
