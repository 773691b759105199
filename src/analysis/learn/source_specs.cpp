// Which functions of the program go by what its own source says of them: by attributes at their declaration, or by
// their body where a spec only knows the name.

#include "analysis/learn/learn.h"

#include "specs/attributes.h"
#include "specs/prototype.h"

namespace reckon::analysis {

namespace {

// What attributes at a declaration say about the function.
void add_source_spec(Context& ctx, program::UnitId u, model::SymId s) {
  const model::Unit& unit = ctx.program.frame_at(u);
  const model::Symbol& sym = unit.symbols[s];
  std::vector<specs::SourceAttribute> attributes;
  for (const model::Attribute& a : sym.attributes)
    attributes.push_back({std::string(unit.str(a.name)), std::string(unit.str(a.text)), a.args});
  const model::Type& type = unit.type(sym.type);
  specs::Declaration d;
  d.name = unit.str(sym.display);
  d.returns_object = ctx.counted(u, type.elem);
  d.loc = {std::string(unit.str(sym.loc.file)), sym.loc.line, sym.loc.col};
  auto is_pointer = [&](model::TypeId t) { return unit.type(t).kind == model::TypeKind::Pointer; };
  d.prototype.variadic = type.variadic;
  d.prototype.returns = is_pointer(type.elem) ? specs::Prototype::Returns::Pointer
                        : type.elem == 0      ? specs::Prototype::Returns::Void
                                              : specs::Prototype::Returns::Integer;
  for (model::TypeId p : type.params) {
    d.prototype.param_is_pointer.push_back(is_pointer(p));
    d.param_names.emplace_back();
  }
  auto spec = std::make_unique<specs::FunctionSpec>();
  spec->name = d.name;
  if (!specs::spec_from_attributes(attributes, d, *spec, ctx.source_errors)) return;
  spec->from_source = true;
  if (!ctx.specs.domains().empty()) spec->domain = ctx.specs.domains()[ctx.unit_domain[u]].name;
  ctx.spec_of[u][s] = spec.get();
  ctx.from_source.push_back(std::move(spec));
}

// Has the function that the program defines under this name another prototype than the spec, or is it private to a
// source file and known to the spec by a pattern only? Then it is a function of the program's own.
bool anothers(const Context& ctx, const specs::FunctionSpec& spec, FuncId f) {
  const model::Function& fn = ctx.program.declared(f);
  const model::Unit& unit = ctx.program.frame(f);
  if (fn.from_header || spec.from_source) return false;
  if (spec.name.find('*') != std::string::npos) return unit.symbols[fn.symbol].linkage == model::Linkage::Internal;
  using Returns = specs::Prototype::Returns;
  specs::Prototype prototype;
  prototype.variadic = fn.variadic;
  const model::TypeKind result = unit.type(fn.result).kind;
  prototype.returns = fn.result == 0                       ? Returns::Void
                      : result == model::TypeKind::Pointer ? Returns::Pointer
                      : result == model::TypeKind::Int     ? Returns::Integer
                                                           : Returns::Other;
  for (const model::Param& p : fn.params)
    prototype.param_is_pointer.push_back(unit.type(p.type).kind == model::TypeKind::Pointer);
  return !specs::check_against(spec, prototype).empty();
}

}  // namespace

void learn_source_specs(Context& ctx) {
  const program::Program& program = ctx.program;
  for (program::UnitId u{}; u < program.num_units(); ++u, program.rest())
    for (model::SymId s{}; s < program.frame_at(u).symbols.size(); ++s) {
      const model::Symbol& sym = program.frame_at(u).symbols[s];
      const specs::FunctionSpec*& spec = ctx.spec_of[u][s];
      // A domain that no header announces (the C library) knows its functions by name only: a body in the
      // program with the same name is the program's own function.
      if (spec && ctx.specs.domains()[ctx.domain_id(spec->domain)].headers.empty() &&
          program.definition(u, s) != model::kNone && !program::changes_counts(*spec))
        spec = nullptr;
      if (spec && spec->computed && program.definition(u, s) != model::kNone) spec = nullptr;
      if (spec && program.definition(u, s) != model::kNone && anothers(ctx, *spec, program.definition(u, s)))
        spec = nullptr;
      if (!spec && !sym.attributes.empty() && sym.kind == model::SymbolKind::Function) add_source_spec(ctx, u, s);
    }
}

}  // namespace reckon::analysis
