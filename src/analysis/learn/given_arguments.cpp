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
#include <vector>

#include "analysis/learn/learn.h"

namespace reckon::analysis {

namespace {

using engine::GivenArgument;
using model::kNone;
using program::ArgumentNote;
using program::CallNote;

constexpr std::size_t kParamBits = 32;  // as many as null_params has bits

bool all_calls_in_sight(const Context& ctx, FuncId f) {
  const model::Symbol& symbol = ctx.program.frame(f).symbols[ctx.program.head(f).symbol];
  return symbol.linkage == model::Linkage::Internal && !symbol.address_taken && ctx.program.roles(f).empty();
}

// What one call gives for an argument.
GivenArgument given_by(const Context& ctx, FuncId caller, const ArgumentNote& argument) {
  using Kind = ArgumentNote::Kind;
  GivenArgument given;
  if (argument.kind == Kind::Number) {
    given.kind = GivenArgument::Kind::Number;
    given.number = argument.number;
  } else if (argument.same != ArgumentNote::kNobody) {
    given.kind = GivenArgument::Kind::Argument;
    given.number = argument.same;
  } else if (argument.kind == Kind::Global) {
    const specs::GlobalSpec* global = ctx.specs.find_global(ctx.program.frame(caller).name(argument.symbol_id()));
    if (!global || !global->immortal || !global->points_to) return given;
    given.kind = GivenArgument::Kind::Global;
    given.global = global->name;
  }
  return given;
}

std::vector<GivenArgument> given_by(const Context& ctx, FuncId caller, const CallNote& call) {
  std::vector<GivenArgument> out;
  for (std::size_t a = 0; a < std::min(call.arguments.size(), kParamBits); ++a)
    out.push_back(given_by(ctx, caller, call.arguments[a]));
  return out;
}

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
    for (const CallNote& call : program.notes(f).calls) {
      if (call.callee == kNone || call.arguments.empty()) continue;
      const FuncId callee = program.definition(program.unit_id(f), call.callee);
      if (callee == kNone || !all_calls_in_sight(ctx, callee) || (given[callee] && given[callee]->empty())) continue;
      std::vector<GivenArgument> here = given_by(ctx, f, call);
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
