// Which units define functions that specs describe by named counts: they keep those counts themselves.

#include "analysis/learn/learn.h"

namespace reckon::analysis {

void learn_implementers(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.unit_implements.assign(program.num_units(), 0);
  for (FuncId f{}; f < program.num_functions(); ++f) {
    if (program.head(f).from_header || !program.head(f).has_body || !ctx.known_by_spec(f)) continue;
    const specs::FunctionSpec& spec = *ctx.spec_of[program.unit_id(f)][program.head(f).symbol];
    for (const specs::Outcome& o : spec.outcomes)
      for (const specs::CountChange& c : o.counts)
        if (!c.kind.empty() && !spec.computed) ctx.unit_implements[program.unit_id(f)] = 1;
  }
}

}  // namespace reckon::analysis
