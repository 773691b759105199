// Which functions of the program go by what its own source says of them: by attributes at their declaration, or by
// their body where a spec only knows the name.

#include "analysis/learn/learn.h"

#include <algorithm>
#include <map>

#include "program/classify.h"
#include "specs/attributes.h"
#include "specs/prototype.h"

namespace reckon::analysis {

namespace {

// The domain of units that belong to no other: specs/attribute.spec.
constexpr std::string_view kAttributeDomain = "attribute";

// Who takes what the functions of a unit hand out: `malloc(FREE, N)`.
using Deallocators = std::map<std::string, std::uint32_t, std::less<>>;

// The next name of "self,n,", as the capture tells the names of the parameters of an annotated function.
std::string_view next_name(std::string_view& names) {
  const std::size_t end = std::min(names.find(','), names.size());
  const std::string_view name = names.substr(0, end);
  names.remove_prefix(std::min(end + 1, names.size()));
  return name;
}

// Makes specs of what attributes say.
class SourceSpecs {
 public:
  explicit SourceSpecs(Context& ctx) : ctx_(ctx) {}

  // What attributes at a declaration say about the function.
  void add(program::UnitId u, model::SymId s) {
    const model::Unit& unit = ctx_.program.frame_at(u);
    std::vector<specs::SourceAttribute> attributes;
    for (const model::Attribute& a : unit.symbols[s].attributes) {
      attributes.push_back({std::string(unit.str(a.name)), std::string(unit.str(a.text)), a.args});
      const specs::Deallocator taker = specs::deallocator_of(attributes.back());
      if (!taker.name.empty()) deallocators_[u].emplace(taker.name, taker.param), all_.emplace(taker.name, taker.param);
    }
    auto spec = std::make_unique<specs::FunctionSpec>();
    const specs::Declaration d = declaration(u, s);
    spec->name = d.name;
    if (specs::spec_from_attributes(attributes, d, *spec, ctx_.source_errors)) keep(u, s, std::move(spec));
  }

  // Functions named by `malloc(FREE, N)` give back what they are handed, in every unit; one of which specs say that it
  // does nothing to counts (free) does so only where the attribute stands.
  void add_deallocators() {
    for (program::UnitId u{}; !all_.empty() && u < ctx_.program.num_units(); ++u, ctx_.program.rest()) {
      const model::Unit& unit = ctx_.program.frame_at(u);
      for (model::SymId s{}; s < unit.symbols.size(); ++s) {
        const specs::FunctionSpec* known = ctx_.spec_of[u][s];
        if (unit.symbols[s].kind != model::SymbolKind::Function || (known && program::changes_counts(*known))) continue;
        const Deallocators& here = known ? deallocators_[u] : all_;
        const auto taker = here.find(unit.str(unit.symbols[s].display));
        if (taker == here.end()) continue;
        auto spec = std::make_unique<specs::FunctionSpec>();
        if (specs::spec_of_deallocator(declaration(u, s), taker->second, *spec)) keep(u, s, std::move(spec));
      }
    }
  }

  // A function without a body that variables name in the attribute `cleanup` and that is given the address of a pointer
  // to a counted object gives that back. What it does to things that nobody counts is left open: it may unlock them.
  void add_cleanup(program::UnitId u, model::SymId s) {
    const model::Unit& unit = ctx_.program.frame_at(u);
    const model::Symbol& sym = unit.symbols[s];
    if (std::none_of(sym.attributes.begin(), sym.attributes.end(),
                     [&](const model::Attribute& a) { return unit.str(a.name) == "cleanup"; }))
      return;
    const model::Type& type = unit.type(sym.type);
    if (type.params.size() != 1 || unit.type(type.params[0]).kind != model::TypeKind::Pointer) return;
    const model::TypeId held = unit.type(type.params[0]).elem;
    if (!ctx_.counted(u, held)) return;
    auto spec = std::make_unique<specs::FunctionSpec>();
    if (!specs::spec_of_cleanup(declaration(u, s), *spec)) return;
    spec->domain = ctx_.specs.domains()[ctx_.counted_domain[u][held]].name;
    keep(u, s, std::move(spec));
  }

  // A unit in which no other domain is at work is in that of attributes.
  void place_units() {
    const auto& domains = ctx_.specs.domains();
    if (domains.empty()) return;
    const DomainId own = ctx_.domain_id(kAttributeDomain);
    for (const auto& [u, spec] : made_)
      if (!ctx_.unit_concerned[u] && domains[own].name == kAttributeDomain && program::changes_counts(*spec))
        ctx_.unit_concerned[u] = 1, ctx_.unit_domain[u] = own;
    for (const auto& [u, spec] : made_) spec->domain = domains[ctx_.unit_domain[u]].name;
  }

  // Counts with a name that only attributes speak of.
  void name_counts() {
    for (const auto& [u, spec] : made_)
      for (const specs::Outcome& outcome : spec->outcomes)
        for (const specs::CountChange& change : outcome.counts)
          if (std::find(ctx_.count_names.begin(), ctx_.count_names.end(), change.kind) == ctx_.count_names.end()) {
            ctx_.count_names.push_back(change.kind);
            ctx_.count_domains.push_back(ctx_.unit_domain[u]);
          }
  }

 private:
  specs::Declaration declaration(program::UnitId u, model::SymId s) const {
    const model::Unit& unit = ctx_.program.frame_at(u);
    const model::Symbol& sym = unit.symbols[s];
    const model::Type& type = unit.type(sym.type);
    specs::Declaration d;
    d.name = unit.str(sym.display);
    d.returns_object = ctx_.counted(u, type.elem);
    d.loc = {std::string(unit.str(sym.loc.file)), sym.loc.line, sym.loc.col};
    auto is_pointer = [&](model::TypeId t) { return unit.type(t).kind == model::TypeKind::Pointer; };
    d.prototype.variadic = type.variadic;
    d.prototype.returns = is_pointer(type.elem) ? specs::Prototype::Returns::Pointer
                          : type.elem == 0      ? specs::Prototype::Returns::Void
                                                : specs::Prototype::Returns::Integer;
    const auto told = std::find_if(sym.attributes.begin(), sym.attributes.end(),
                                   [&](const model::Attribute& a) { return unit.str(a.name) == "parameters"; });
    std::string_view names = told != sym.attributes.end() ? unit.str(told->text) : std::string_view();
    for (model::TypeId p : type.params) {
      d.prototype.param_is_pointer.push_back(is_pointer(p));
      d.param_names.emplace_back(next_name(names));
    }
    return d;
  }

  void keep(program::UnitId u, model::SymId s, std::unique_ptr<specs::FunctionSpec> spec) {
    spec->from_source = true;
    made_.emplace_back(u, spec.get());
    ctx_.spec_of[u][s] = spec.get();
    ctx_.from_source.push_back(std::move(spec));
  }

  Context& ctx_;
  std::vector<std::pair<program::UnitId, specs::FunctionSpec*>> made_;
  std::map<program::UnitId, Deallocators> deallocators_;  // that a unit speaks of
  Deallocators all_;
};

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
  SourceSpecs said(ctx);
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
      if (!spec && !sym.attributes.empty() && sym.kind == model::SymbolKind::Function) said.add(u, s);
    }
  said.add_deallocators();
  said.place_units();
  said.name_counts();
}

void learn_cleanups(Context& ctx) {
  SourceSpecs said(ctx);
  for (program::UnitId u{}; u < ctx.program.num_units(); ++u, ctx.program.rest())
    for (model::SymId s{}; s < ctx.program.frame_at(u).symbols.size(); ++s)
      if (!ctx.spec_of[u][s] && ctx.program.definition(u, s) == model::kNone) said.add_cleanup(u, s);
}

}  // namespace reckon::analysis
