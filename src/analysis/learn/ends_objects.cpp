// Which functions destroy or clear objects, or are called by one that does.

#include "analysis/learn/learn.h"

#include "analysis/learn/reading.h"

namespace reckon::analysis {

void learn_ends_of_objects(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.ends_objects.assign(program.num_functions(), 0);
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest())
    for (const program::TableEntry& e : program.roles(f))
      if (promises(ctx, slot_of(ctx, e), &specs::ContractFlags::ends_object)) ctx.ends_objects[f] = 1;
  for (FuncId f{}; f < program.num_functions(); ++f)
    if (ctx.contracts[f].frees_object) ctx.ends_objects[f] = 1;
  std::vector<FuncId> helpers;
  for (FuncId f{}; f < program.num_functions(); ++f)
    for (FuncId c : program.callers(f))
      if (ctx.ends_objects[c]) helpers.push_back(f);
  for (FuncId f : helpers) ctx.ends_objects[f] = 1;
}

}  // namespace reckon::analysis
