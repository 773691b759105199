// Arguments that every call in sight gives as NULL or 0.
//
// The problem: the rest of a function that was moved into a helper goes on with variables that are still as they were
// set at the start: a counter that is 0, a result that is NULL. Looked at for itself, the helper is judged for values
// that nobody gives it. The method: of a static function whose address nobody takes, all calls are in sight; what is 0
// in all of them is 0 at its start.
//
// Limits: other constants are not followed, nor what callers compute or pass on from their own arguments.

#include <optional>
#include <span>
#include <vector>

#include "analysis/learn/learn.h"

namespace reckon::analysis {

namespace {

using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

bool all_calls_in_sight(const Context& ctx, FuncId f) {
  const model::Symbol& symbol = ctx.program.unit(f).symbols[ctx.program.function(f).symbol];
  return symbol.linkage == model::Linkage::Internal && !symbol.address_taken && ctx.program.roles(f).empty();
}

// Bits of the arguments of a call that are NULL or 0.
std::uint32_t null_arguments(std::span<const Operand> ops) {
  std::uint32_t bits = 0;
  for (std::size_t a = 1; a < ops.size() && a <= 32; ++a)
    if (ops[a].kind == OperandKind::Null || (ops[a].kind == OperandKind::Int && ops[a].imm == 0)) bits |= 1u << (a - 1);
  return bits;
}

}  // namespace

void learn_null_arguments(Context& ctx) {
  const program::Program& program = ctx.program;
  std::vector<std::optional<std::uint32_t>> nulls(program.num_functions());
  for (FuncId f{}; f < program.num_functions(); ++f) {
    const model::Body& body = program.function(f).body;
    for (const Instr& i : body.instrs) {
      if (i.op != Op::Call || body.ops(i).empty() || body.ops(i)[0].kind != OperandKind::Symbol) continue;
      const FuncId callee = program.definition(program.unit_id(f), body.ops(i)[0].symbol_id());
      if (callee != kNone) nulls[callee] = nulls[callee].value_or(~std::uint32_t{0}) & null_arguments(body.ops(i));
    }
  }
  for (FuncId f{}; f < program.num_functions(); ++f)
    if (nulls[f] && all_calls_in_sight(ctx, f)) ctx.null_params[f] |= *nulls[f];
}

}  // namespace reckon::analysis
