// The rest of a function in a helper hands back what the first half has made, or something new: `if (v == NULL) return
// make(); return v;`. Looked at for itself the helper returns now a borrowed reference, now a new one. Where its
// callers are all in sight they are judged by which one they get; what they were given themselves nobody may release,
// so there the helper is at fault.
//
// Limits: direct calls; only whether the argument is a parameter of the caller is looked at, not where else it came
// from.

#include "engine/properties/references/handed_back.h"

#include "support/limits.h"

namespace reckon::engine {

std::uint32_t own_of_callers(const Context& ctx, FuncId f) {
  const program::Program& program = ctx.program;
  const model::Symbol& symbol = program.frame(f).symbols[program.head(f).symbol];
  const auto callers = program.callers(f);
  if (symbol.linkage != model::Linkage::Internal || symbol.address_taken || !program.roles(f).empty() ||
      callers.empty() || callers.size() > support::kLimits.program.pointer_targets)
    return 0;
  std::uint32_t own = ~std::uint32_t{0};
  for (FuncId caller : callers) {
    for (const program::CallNote& call : program.notes(caller).calls) {
      if (call.callee == model::kNone || program.definition(program.unit_id(caller), call.callee) != f) continue;
      for (std::size_t a = 0; a < call.arguments.size() && a < 32; ++a)
        if (call.arguments[a].kind == program::ArgumentNote::Kind::Param) own &= ~(1u << a);
    }
  }
  return own;
}

}  // namespace reckon::engine
