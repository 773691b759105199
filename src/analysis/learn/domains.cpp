// Which spec holds for a symbol of a unit, and which domain the unit belongs to.
//
// A name alone does not say whose function it is: in a unit that says by its headers where it belongs, a name from
// elsewhere is a coincidence. Without such a header the calls decide.

#include "analysis/learn/learn.h"

#include <algorithm>

#include "analysis/learn/reading.h"
#include "specs/lookup.h"

namespace reckon::analysis {

namespace {

// The spec of a name, for a function that takes so many parameters: `NAME/3` where `NAME` has another number.
const specs::FunctionSpec* with_arity(const specs::SpecSet& specs, std::string_view name, std::string_view shown,
                                      std::size_t parameters) {
  const specs::FunctionSpec* spec = specs::find_function(specs, name, shown);
  if (!spec || spec->variadic || spec->params.size() == parameters) return spec;
  auto exact = [&](std::string_view which) -> const specs::FunctionSpec* {
    const std::string other = std::string(which) + "/" + std::to_string(parameters);
    const specs::FunctionSpec* found = specs.find(other);
    return found && found->name == other ? found : nullptr;
  };
  if (const specs::FunctionSpec* found = exact(name)) return found;
  const specs::FunctionSpec* found = shown.find("::") == std::string_view::npos ? nullptr : exact(shown);
  return found ? found : spec;
}

// Which domain a unit belongs to: forced, by the headers it read, or by the calls it makes.
void place_unit(Context& ctx, const model::Unit& unit, std::vector<const specs::FunctionSpec*>& by_symbol,
                const std::vector<std::string>& forced) {
  const auto& domains = ctx.specs.domains();
  std::vector<std::size_t> calls(domains.size(), 0);
  std::vector<char> named(domains.size(), 0);
  for (std::size_t d = 0; d < domains.size(); ++d)
    named[d] = std::find(forced.begin(), forced.end(), domains[d].name) != forced.end() ||
               std::any_of(domains[d].headers.begin(), domains[d].headers.end(),
                           [&](const auto& h) { return includes(unit, h); });
  // In a unit that says where it belongs, a name from elsewhere is a coincidence.
  const bool any_named = std::find(named.begin(), named.end(), 1) != named.end();
  for (const specs::FunctionSpec*& spec : by_symbol)
    if (spec && any_named)
      if (const std::size_t d = ctx.domain_id(spec->domain); !named[d] && !domains[d].headers.empty()) spec = nullptr;
  for (const specs::FunctionSpec* spec : by_symbol)
    if (spec && program::changes_counts(*spec)) ++calls[ctx.domain_id(spec->domain)];
  std::size_t best = 0;
  bool concerned = false;
  for (std::size_t d = 0; d < domains.size(); ++d) {
    if (named[d]) calls[d] += unit.symbols.size();
    if (calls[d] > calls[best]) best = d;
    concerned = concerned || calls[d] > 0;
  }
  ctx.unit_domain.push_back(specs::DomainId(best));
  ctx.unit_concerned.push_back(concerned);
}

}  // namespace

void learn_domains(Context& ctx, const std::vector<std::string>& forced) {
  for (program::UnitId u{}; u < ctx.program.num_units(); ++u, ctx.program.rest()) {
    const model::Unit& unit = ctx.program.frame_at(u);
    auto& by_symbol = ctx.spec_of.emplace_back(unit.symbols.size(), nullptr);
    for (std::size_t s = 0; s < unit.symbols.size(); ++s)
      if (const model::Symbol& sym = unit.symbols[s]; sym.kind == model::SymbolKind::Function) {
        const std::size_t parameters = unit.types[sym.type].params.size();
        const std::string_view shown = unit.str(sym.display);
        by_symbol[s] = with_arity(ctx.specs, unit.str(sym.name), shown, parameters);
        // C++ mangles the names of a C header's static inline functions.
        if (!by_symbol[s] && sym.linkage == model::Linkage::Internal && sym.display != sym.name)
          by_symbol[s] = with_arity(ctx.specs, shown, shown, parameters);
      }
    place_unit(ctx, unit, by_symbol, forced);
  }
}

}  // namespace reckon::analysis
