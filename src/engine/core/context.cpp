#include "engine/core/context.h"

#include <algorithm>

namespace reckon::engine {

bool Context::known_by_spec(FuncId f) const {
  const specs::FunctionSpec* spec = spec_of[program.unit_id(f)][program.function(f).symbol];
  return spec && !spec->from_source;
}

bool Context::worth_analysing(FuncId f) const {
  return !program.function(f).body.blocks.empty() && unit_concerned[program.unit_id(f)] && !known_by_spec(f);
}

std::uint16_t CountKnowledge::count_kind(std::string_view name) const {
  auto it = std::find(count_kinds.begin(), count_kinds.end(), name);
  return it == count_kinds.end() ? 0 : static_cast<std::uint16_t>(it - count_kinds.begin());
}

std::uint8_t Context::domain_index(std::string_view name) const {
  const auto& all = specs.domains();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return static_cast<std::uint8_t>(i);
  return 0;
}

}  // namespace reckon::engine
