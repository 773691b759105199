#include "driver/declared.h"

#include <fmt/core.h>

#include "specs/lookup.h"
#include "specs/prototype.h"
#include "support/suggest.h"

namespace reckon::driver {

namespace {

specs::Prototype prototype_of(const model::Unit& unit, const model::Type& type) {
  auto is_pointer = [&](model::TypeId t) { return unit.type(t).kind == model::TypeKind::Pointer; };
  using Returns = specs::Prototype::Returns;
  specs::Prototype out;
  out.variadic = type.variadic;
  const model::TypeKind result = unit.type(type.elem).kind;
  out.returns = result == model::TypeKind::Void      ? Returns::Void
                : result == model::TypeKind::Int     ? Returns::Integer
                : result == model::TypeKind::Pointer ? Returns::Pointer
                                                     : Returns::Other;
  for (const model::TypeId p : type.params) out.param_is_pointer.push_back(is_pointer(p));
  return out;
}

}  // namespace

std::vector<DeclaredFunctions::Misfit> DeclaredFunctions::compare(const model::Unit& unit) {
  std::vector<Misfit> out;
  for (const model::Symbol& symbol : unit.symbols) {
    if (symbol.kind != model::SymbolKind::Function) continue;
    declared_.emplace(unit.str(symbol.name));
    declared_.emplace(unit.str(symbol.display));
    const model::Type& type = unit.type(symbol.type);
    const specs::FunctionSpec* spec = specs::find_function(set_, unit.str(symbol.name), unit.str(symbol.display));
    if (!spec || type.kind != model::TypeKind::Function || (wanted_ && !wanted_(*spec))) continue;
    ++compared_;
    for (specs::SpecError& e : specs::check_against(*spec, prototype_of(unit, type)))
      if (told_.insert(fmt::format("{}:{}:{}", e.loc.file, e.loc.line, e.message)).second)
        out.push_back({std::move(e), fmt::format("{}:{}", unit.str(symbol.loc.file), symbol.loc.line)});
  }
  return out;
}

std::vector<specs::SpecError> DeclaredFunctions::unused() const {
  const std::vector<std::string> known(declared_.begin(), declared_.end());
  std::vector<specs::SpecError> out;
  for (const auto& spec : set_.functions())
    if (!declared_.contains(spec->name) && spec->name.find('*') == std::string::npos && (!wanted_ || wanted_(*spec)))
      out.push_back({spec->loc, fmt::format("no source here calls or defines `{}`{}", spec->name,
                                            support::did_you_mean(spec->name, known))});
  return out;
}

}  // namespace reckon::driver
