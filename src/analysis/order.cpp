#include "analysis/order.h"

#include <algorithm>

#include "program/scc.h"

namespace reckon::analysis {

namespace {

using Edges = std::vector<std::vector<FuncId>>;

// What a spec describes is not looked into: a call of it ties nobody to what it calls in turn. An interpreter's eval()
// would make one component of all that it runs and all that runs it.
Edges calls_between(const Context& ctx) {
  Edges out(ctx.program.num_functions());
  for (FuncId f{}; f < out.size(); ++f)
    if (!ctx.known_by_spec(f))
      for (FuncId callee : ctx.program.callees(f))
        if (!ctx.known_by_spec(callee)) out[f].push_back(callee);
  return out;
}

}  // namespace

Order order_of_work(const Context& ctx) {
  Order out;
  out.callees = calls_between(ctx);
  // A function passed on as a pointer is not called here, but what it does may be looked up.
  for (FuncId f{}; f < ctx.program.num_functions(); ++f) {
    const auto named = ctx.program.named(f);
    out.named.emplace_back(named.begin(), named.end());
  }
  out.components = program::order_components(program::strong_components(out.callees), out.callees, out.named);
  out.component_of.assign(ctx.program.num_functions(), 0);
  for (std::uint32_t c = 0; c < out.components.size(); ++c)
    for (FuncId f : out.components[c]) out.component_of[f] = c;
  std::vector<std::uint32_t> level(out.components.size(), 0);
  for (std::uint32_t c = 0; c < out.components.size(); ++c) {
    auto after = [&](FuncId other) {
      const std::uint32_t earlier = out.component_of[other];
      if (earlier < c) level[c] = std::max(level[c], level[earlier] + 1);
    };
    for (FuncId f : out.components[c]) {
      for (FuncId callee : out.callees[f]) after(callee);
      for (FuncId other : out.named[f]) after(other);
    }
    if (out.levels.size() <= level[c]) out.levels.resize(level[c] + 1);
    out.levels[level[c]].push_back(c);
  }
  return out;
}

}  // namespace reckon::analysis
