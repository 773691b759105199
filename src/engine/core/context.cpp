#include "engine/core/context.h"

#include <algorithm>

namespace reckon::engine {

bool Context::known_by_spec(FuncId f) const {
  const specs::FunctionSpec* spec = spec_of[program.unit_id(f)][program.head(f).symbol];
  return spec && !spec->from_source;
}

bool Context::worth_analysing(FuncId f) const {
  return program.head(f).has_body && unit_concerned[program.unit_id(f)] && !known_by_spec(f);
}

CountId CountKnowledge::count_id(std::string_view name) const {
  auto it = std::find(count_names.begin(), count_names.end(), name);
  return it == count_names.end() ? CountId{} : CountId(static_cast<std::size_t>(it - count_names.begin()));
}

DomainId Context::domain_id(std::string_view name) const {
  const auto& all = specs.domains();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return DomainId(i);
  return {};
}

}  // namespace reckon::engine
