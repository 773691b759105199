// What every call in sight gives for an argument.
//
// The problem: the rest of a function that was moved into a helper goes on with variables that are still as they were
// set before: a counter that is 0 or 3, a result that is NULL or R's nil, two names of one object. Looked at for
// itself, the helper is judged for values that nobody gives it. The method: of a static function whose address nobody
// takes, all calls are in sight; what is the same number, the value of the same constant global or the same other
// argument in all of them is that at its start.
//
// Limits: only what stands in the call itself; not what callers have compared, nor what they pass on from their own
// arguments.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "analysis/learn/learn.h"
#include "program/values.h"

namespace reckon::analysis {

namespace {

using engine::GivenArgument;
using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

constexpr std::size_t kParamBits = 32;  // as many as null_params has bits

bool all_calls_in_sight(const Context& ctx, FuncId f) {
  const model::Symbol& symbol = ctx.program.unit(f).symbols[ctx.program.function(f).symbol];
  return symbol.linkage == model::Linkage::Internal && !symbol.address_taken && ctx.program.roles(f).empty();
}

// What one call gives.
class GivenByCall {
 public:
  GivenByCall(const Context& ctx, FuncId caller, const program::ValueDefs& defs, std::span<const Operand> ops)
      : ctx_(ctx), unit_(ctx.program.unit(caller)), defs_(defs), ops_(ops) {}

  std::vector<GivenArgument> all() const {
    std::vector<GivenArgument> out(std::min(ops_.size() - 1, kParamBits));
    for (std::size_t a = 0; a < out.size(); ++a) out[a] = one(a);
    return out;
  }

 private:
  GivenArgument one(std::size_t a) const {
    const Operand& o = ops_[a + 1];
    GivenArgument given;
    if (o.kind == OperandKind::Null || o.kind == OperandKind::Int) {
      given.kind = GivenArgument::Kind::Number;
      given.number = o.kind == OperandKind::Int ? o.imm : 0;
      return given;
    }
    if (o.kind != OperandKind::Value) return given;
    for (std::size_t other = 0; other < a; ++other)
      if (ops_[other + 1] == o) {
        given.kind = GivenArgument::Kind::Argument;
        given.number = static_cast<std::int64_t>(other);
        return given;
      }
    const Instr* def = defs_.def(o.value_id());
    if (!def || def->op != Op::Load) return given;
    const Operand& from = defs_.body().ops(*def)[0];
    if (from.kind != OperandKind::Symbol || from.imm != 0) return given;
    const specs::GlobalSpec* global = ctx_.specs.find_global(unit_.name(from.symbol_id()));
    if (!global || !global->immortal || !global->points_to) return given;
    given.kind = GivenArgument::Kind::Global;
    given.global = global->name;
    return given;
  }

  const Context& ctx_;
  const model::Unit& unit_;
  const program::ValueDefs& defs_;
  std::span<const Operand> ops_;
};

// What two calls have in common.
void meet(std::vector<GivenArgument>& into, const std::vector<GivenArgument>& other) {
  into.resize(std::min(into.size(), other.size()));
  for (std::size_t a = 0; a < into.size(); ++a)
    if (!(into[a] == other[a])) into[a] = {};
}

}  // namespace

void learn_given_arguments(Context& ctx) {
  const program::Program& program = ctx.program;
  std::vector<std::optional<std::vector<GivenArgument>>> given(program.num_functions());
  for (const FuncId f : program.wholes()) {
    const model::Body& body = program.function(f).body;
    std::optional<program::ValueDefs> defs;
    for (const Instr& i : body.instrs) {
      if (i.op != Op::Call || body.ops(i).size() < 2 || body.ops(i)[0].kind != OperandKind::Symbol) continue;
      const FuncId callee = program.definition(program.unit_id(f), body.ops(i)[0].symbol_id());
      if (callee == kNone || !all_calls_in_sight(ctx, callee) || (given[callee] && given[callee]->empty())) continue;
      if (!defs) defs.emplace(body);
      std::vector<GivenArgument> here = GivenByCall(ctx, f, *defs, body.ops(i)).all();
      if (given[callee])
        meet(*given[callee], here);
      else
        given[callee] = std::move(here);
    }
    program.rest();
  }
  ctx.given_arguments.resize(program.num_functions());
  for (FuncId f{}; f < program.num_functions(); ++f) {
    if (!given[f]) continue;
    for (std::uint32_t p = 0; p < given[f]->size(); ++p)
      if (const GivenArgument& g = (*given[f])[p]; g.kind == GivenArgument::Kind::Number && g.number == 0)
        ctx.null_params[f] |= 1u << p;
    if (std::any_of(given[f]->begin(), given[f]->end(), [](const GivenArgument& g) { return !(g == GivenArgument{}); }))
      ctx.given_arguments[f] = std::move(*given[f]);
  }
}

}  // namespace reckon::analysis
