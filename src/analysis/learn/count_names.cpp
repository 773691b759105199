// Every name of a count gets a number before threads start.

#include "analysis/learn/learn.h"

#include <algorithm>

namespace reckon::analysis {

void learn_count_names(Context& ctx) {
  auto add_kind = [&](const std::string& k, const std::string& domain) {
    if (std::find(ctx.count_names.begin(), ctx.count_names.end(), k) != ctx.count_names.end()) return;
    ctx.count_names.push_back(k);
    ctx.count_domains.push_back(ctx.domain_id(domain));
  };
  for (const auto& f : ctx.specs.functions())
    for (const specs::Outcome& o : f->outcomes)
      for (const specs::CountChange& c : o.counts) add_kind(c.kind, f->domain);
}

}  // namespace reckon::analysis
