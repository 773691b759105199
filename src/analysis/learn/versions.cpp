// Which version of the domain's headers a unit was compiled with.

#include "analysis/learn/learn.h"

#include "analysis/learn/reading.h"

namespace reckon::analysis {

void learn_versions(Context& ctx) {
  const program::Program& program = ctx.program;
  const specs::SpecSet& specs = ctx.specs;
  for (program::UnitId u{}; u < program.num_units(); ++u, program.rest()) {
    std::string& version = ctx.unit_version.emplace_back();
    if (ctx.unit_domain[u] < specs.domains().size())
      for (const auto& [v, header] : specs.domains()[ctx.unit_domain[u]].versions)
        if (includes(program.frame_at(u), header)) version = v;
  }
}

}  // namespace reckon::analysis
