// A unit that calls no API itself, but functions of the program that do, is concerned as well: its bugs are in how
// it uses those. It belongs to the domain of the first unit it was reached from, in the order of functions.

#include "analysis/learn/learn.h"

#include <algorithm>

#include "program/classify.h"

namespace reckon::analysis {

void spread_concern(Context& ctx) {
  std::vector<FuncId> work;
  std::vector<char> seen(ctx.program.num_functions(), 0);
  for (FuncId f{}; f < ctx.program.num_functions(); ++f, ctx.program.rest()) {
    const program::UnitId u = ctx.program.unit_id(f);
    if (!ctx.unit_concerned[u] || ctx.known_by_spec(f)) continue;
    const auto& calls = ctx.program.notes(f).calls;
    const bool changes = std::any_of(calls.begin(), calls.end(), [&](const program::CallNote& call) {
      const specs::FunctionSpec* spec = call.callee != model::kNone ? ctx.spec_of[u][call.callee] : nullptr;
      return spec && program::changes_counts(*spec);
    });
    if (changes) seen[f] = 1, work.push_back(f);
  }
  for (std::size_t next = 0; next < work.size(); ++next) {
    const FuncId f = work[next];
    for (FuncId caller : ctx.program.callers(f)) {
      if (seen[caller] || ctx.known_by_spec(caller)) continue;
      seen[caller] = 1;
      work.push_back(caller);
      const program::UnitId u = ctx.program.unit_id(caller);
      if (ctx.unit_concerned[u]) continue;
      ctx.unit_concerned[u] = 1;
      ctx.unit_domain[u] = ctx.unit_domain[ctx.program.unit_id(f)];
    }
  }
}

}  // namespace reckon::analysis
