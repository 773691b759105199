#include "analysis/context.h"

#include "analysis/learn/learn.h"

namespace reckon::analysis {

Context make_context(const program::Program& program, const specs::SpecSet& specs,
                     const std::vector<std::string>& forced) {
  Context ctx(program, specs);
  ctx.summaries.resize(program.num_functions());
  learn_count_names(ctx);
  learn_domains(ctx, forced);
  learn_counted_types(ctx);
  learn_source_specs(ctx);
  if (!ctx.from_source.empty()) learn_counted_types(ctx);  // which have named more of them
  learn_cleanups(ctx);
  learn_promises(ctx);
  learn_contracts(ctx);
  learn_implementers(ctx);
  learn_ends_of_objects(ctx);
  learn_entry_params(ctx);
  learn_given_arguments(ctx);
  learn_released(ctx);
  learn_from_callers(ctx);
  learn_phases(ctx);
  learn_interned(ctx);
  learn_lasting_fields(ctx);
  learn_hold_flags(ctx);
  learn_versions(ctx);
  spread_concern(ctx);
  learn_classes(ctx);
  return ctx;
}

}  // namespace reckon::analysis
