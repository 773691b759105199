// Which struct a module's state is: the one of the size its definition gives, in which the functions that set the
// module up keep references.

#include <algorithm>

#include "checks/static_checks.h"
#include "checks/type_tables.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::ConstKind;
using model::kNone;

class StateFinder {
 public:
  StateFinder(const engine::Context& ctx, const std::vector<MemberStore>& stores)
      : ctx_(ctx),
        stores_(stores),
        definitions_(
            ctx.specs.records_with([](const specs::ContractFlags& c) { return c.clears_members && c.of_state; })),
        setups_(ctx.specs.records_with([](const specs::ContractFlags& c) { return c.only_reports_status(); })) {}

  std::vector<ModuleState> run() {
    std::vector<std::pair<program::UnitId, model::SymId>> found;
    for (program::UnitId u{}; u < ctx_.program.num_units(); ++u) {
      const model::Unit& unit = ctx_.program.frame_at(u);
      for (model::SymId s{}; s < unit.symbols.size(); ++s) {
        const model::Symbol& symbol = unit.symbols[s];
        if (symbol.kind != model::SymbolKind::Variable || !symbol.defined || symbol.init == kNone) continue;
        const model::Type& type = unit.type(symbol.type);
        if (type.kind == model::TypeKind::Struct && contains(definitions_, unit.str(type.name)))
          found.emplace_back(u, s);
      }
      ctx_.program.rest();
    }
    if (found.empty()) return {};
    uses_.emplace(ctx_);
    for (const auto& [u, s] : found) look_at(ctx_.program.frame_at(u), u, s);
    return std::move(out_);
  }

 private:
  static bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void look_at(const model::Unit& unit, program::UnitId u, model::SymId variable) {
    const model::Constant& init = unit.constants[unit.symbols[variable].init];
    if (init.kind != ConstKind::Aggregate) return;
    ModuleState state{.unit = u, .variable = variable};
    std::set<std::uint64_t> sizes;
    std::set<FuncId> setup;
    for (const model::ConstId child : init.children) {
      const model::Constant& c = unit.constants[child];
      if (c.kind == ConstKind::Int && c.imm > 0) sizes.insert(static_cast<std::uint64_t>(c.imm));
      if (c.kind != ConstKind::Address || c.ref == kNone) continue;
      const model::Symbol& target = unit.symbols[c.ref];
      if (target.kind == model::SymbolKind::Function) {
        if (const FuncId f = ctx_.program.definition(u, c.symbol_id()); f != kNone) state.functions.insert(f);
        state.has_functions = true;
        continue;
      }
      const model::Type& type = unit.type(target.type);
      if (type.kind != model::TypeKind::Array || target.init == kNone ||
          !contains(setups_, unit.str(unit.type(type.elem).name)))
        continue;
      state.by_phases = true;
      functions_of(ctx_, u, target.init, setup);
    }
    if (sizes.empty()) return;
    for (const VariableUses::Given& g : uses_->given(variable_key(unit, u, variable))) setup.insert(g.function);
    setup = with_callees(ctx_, setup);
    for (const MemberStore& store : stores_)
      if (setup.contains(store.function) &&
          sizes.contains(size_of(ctx_.program.frame(store.function), store.member.record)))
        state.records.insert(store.member.record);
    if (!state.records.empty()) out_.push_back(std::move(state));
  }

  // 0: not known, or an object of its own.
  std::uint64_t size_of(const model::Unit& unit, const std::string& record) const {
    for (model::TypeId t{}; t < unit.types.size(); ++t)
      if (unit.types[t].kind == model::TypeKind::Struct && unit.str(unit.types[t].name) == record) {
        const auto& fields = unit.types[t].fields;
        const bool counted = !fields.empty() &&
                             ctx_.specs.find_counted(unit.str(unit.type(fields[0].type).name)) != nullptr &&
                             unit.type(fields[0].type).kind == model::TypeKind::Struct;
        return counted ? 0 : unit.types[t].size;
      }
    return 0;
  }

  const engine::Context& ctx_;
  const std::vector<MemberStore>& stores_;
  const std::vector<std::string> definitions_, setups_;
  std::optional<VariableUses> uses_;
  std::vector<ModuleState> out_;
};

}  // namespace

std::vector<ModuleState> module_states(const engine::Context& ctx, const std::vector<MemberStore>& stores) {
  return StateFinder(ctx, stores).run();
}

}  // namespace reckon::checks
