// The rest of a function in a helper hands back what the first half has made, or something new: `if (v == NULL) return
// make(); return v;`. Looked at for itself the helper returns now a borrowed reference, now a new one. Where its
// callers are all in sight they are judged by which one they get; what they were given themselves nobody may release,
// so there the helper is at fault.
//
// Limits: direct calls; only whether the argument is a parameter of the caller is looked at, not where else it came
// from.

#include "engine/properties/references/handed_back.h"

#include "program/values.h"
#include "support/limits.h"

namespace reckon::engine {

namespace {

using model::Instr;
using model::Op;
using model::Operand;
using model::OperandKind;

bool is_parameter(const model::Function& fn, const program::ValueDefs& defs, Operand o) {
  for (int fuel = support::kLimits.operands.cast_steps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
    const Instr* i = defs.def(o.value_id());
    if (!i || i->op != Op::Cast) break;
    o = fn.body.ops(*i)[0];
  }
  return o.kind == OperandKind::Value && o.id < fn.params.size();
}

}  // namespace

std::uint32_t own_of_callers(const Context& ctx, FuncId f) {
  const program::Program& program = ctx.program;
  const model::Symbol& symbol = program.unit(f).symbols[program.function(f).symbol];
  const auto callers = program.callers(f);
  if (symbol.linkage != model::Linkage::Internal || symbol.address_taken || !program.roles(f).empty() ||
      callers.empty() || callers.size() > support::kLimits.program.pointer_targets)
    return 0;
  std::uint32_t own = ~std::uint32_t{0};
  for (FuncId caller : callers) {
    const model::Function& fn = program.function(caller);
    const program::ValueDefs defs(fn.body);
    for (const Instr& i : fn.body.instrs) {
      if (i.op != Op::Call) continue;
      const auto ops = fn.body.ops(i);
      if (ops[0].kind != OperandKind::Symbol || program.definition(program.unit_id(caller), ops[0].symbol_id()) != f)
        continue;
      for (std::size_t a = 1; a < ops.size() && a <= 32; ++a)
        if (is_parameter(fn, defs, ops[a])) own &= ~(1u << (a - 1));
    }
  }
  return own;
}

}  // namespace reckon::engine
