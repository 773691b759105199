// What functions have to do with counts, in units where only counts matter. Where an exception or a collector matters,
// functions without counts do, too.

#include "analysis/learn/learn.h"

#include <algorithm>

namespace reckon::analysis {

void learn_classes(Context& ctx) {
  auto counts_alone = [&](specs::DomainId d) {
    const auto& domains = ctx.specs.domains();
    return d < domains.size() && domains[d].reports_pairs && !domains[d].reports_protection &&
           domains[d].failure_value != specs::FailureValue::Exception;
  };
  ctx.without_counts.assign(ctx.program.num_functions(), 0);
  if (std::none_of(ctx.unit_domain.begin(), ctx.unit_domain.end(), counts_alone)) return;
  ctx.classes = program::classify(ctx.program, ctx.specs, {.max_branches = program::kAnyBranches});
  for (FuncId f{}; f < ctx.classes.size(); ++f)
    ctx.without_counts[f] =
        ctx.classes[f] == program::Class::Other && counts_alone(ctx.unit_domain[ctx.program.unit_id(f)]);
}

}  // namespace reckon::analysis
