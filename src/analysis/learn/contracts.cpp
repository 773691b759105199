// What functions promise to whoever calls them by way of a table, a registration, or their name (`slot` lines of
// specs).

#include "analysis/learn/learn.h"

#include <algorithm>
#include <map>

#include "analysis/learn/reading.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using program::ArgumentNote;
using program::CallNote;

// A name that no `contract` line describes comes only from specs that were not checked: nothing is promised then.
Contract contract_of(const Context& ctx, const specs::SlotSpec& slot) {
  Contract out;
  out.entry = true;
  if (const specs::ContractSpec* described = ctx.specs.find_contract(slot.contract))
    static_cast<specs::ContractFlags&>(out) = *described;
  out.given = true;
  return out;
}

// Functions in tables.
void place_in_tables(Context& ctx) {
  const program::Program& program = ctx.program;
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest())
    for (const program::TableEntry& e : program.roles(f)) {
      const specs::SlotSpec* slot = slot_of(ctx, e);
      if (!slot) continue;
      const Contract now = contract_of(ctx, *slot), before = ctx.contracts[f];
      ctx.contracts[f] = now;
      // In two tables a failure ends nothing only if it ends nothing in either.
      if (now.acquires && before.acquires) ctx.contracts[f].runs_again &= before.runs_again;
      if (now.frees_object && before.frees_object && now.drops_type != before.drops_type) {
        ctx.contracts[f].drops_type = false;
        ctx.of_both_types[f] = 1;
      }
    }
}

// A public function that nobody in sight calls or names is called by a table of some other program. `slot
// device.*_remove` says which by its first parameter and how its name ends.
void place_by_name(Context& ctx) {
  const auto& program = ctx.program;
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    const model::Function& fn = program.declared(f);
    const model::Unit& unit = program.frame(f);
    const model::Symbol& symbol = unit.symbols[fn.symbol];
    // What exports it names it, too, in no struct of its own.
    const auto roles = program.roles(f);
    const bool in_table =
        std::any_of(roles.begin(), roles.end(), [](const program::TableEntry& e) { return !e.record.empty(); });
    if (ctx.contracts[f].given || in_table || !program.callers(f).empty() || fn.params.empty() ||
        symbol.linkage != model::Linkage::External)
      continue;
    const std::string_view name = program.name(f);
    const std::size_t last = name.rfind('_');
    const model::Type& first = unit.type(fn.params[0].type);
    if (last == std::string_view::npos || first.kind != model::TypeKind::Pointer) continue;
    if (const specs::SlotSpec* slot =
            ctx.specs.find_slot(unit.str(unit.type(first.elem).name), "*" + std::string(name.substr(last))))
      ctx.contracts[f] = contract_of(ctx, *slot);
  }
}

// Functions passed to functions that register them (`slot FUNCTION[N] CONTRACT`), by name or by way of helpers that are
// given the function and pass it on.
class Registered {
 public:
  explicit Registered(Context& ctx) : ctx_(ctx) {}

  void place() {
    for (int round = 0; round < support::kLimits.program.caller_rounds; ++round) {
      const std::size_t before = passed_on_.size();
      each_argument([&](FuncId f, const CallNote& call, std::size_t a) { note_helper(f, call, a); });
      if (passed_on_.size() == before) break;
    }
    each_argument([&](FuncId f, const CallNote& call, std::size_t a) { place(f, call, a); });
  }

 private:
  template <class Look>
  void each_argument(const Look& look) {
    for (const FuncId f : ctx_.program.wholes()) {
      for (const CallNote& call : ctx_.program.notes(f).calls)
        if (call.callee != model::kNone)
          for (std::size_t a = 0; a < call.arguments.size(); ++a) look(f, call, a);
      ctx_.program.rest();
    }
  }

  // Where the function goes that is given as this argument; nullptr: not known.
  const specs::SlotSpec* slot(FuncId f, const CallNote& call, std::size_t argument) const {
    if (const auto* by_name =
            ctx_.specs.find_slot(ctx_.program.frame(f).name(call.callee), "[" + std::to_string(argument) + "]"))
      return by_name;
    const auto helper = passed_on_.find({ctx_.program.definition(ctx_.program.unit_id(f), call.callee), argument});
    return helper == passed_on_.end() ? nullptr : helper->second;
  }

  // A parameter that is a function and goes to one that registers it.
  void note_helper(FuncId f, const CallNote& call, std::size_t a) {
    const ArgumentNote& argument = call.arguments[a];
    if (argument.kind != ArgumentNote::Kind::Param || argument.cast) return;
    const model::Unit& unit = ctx_.program.frame(f);
    const model::Type& type = unit.type(ctx_.program.declared(f).params[argument.id].type);
    if (type.kind != model::TypeKind::Pointer || unit.type(type.elem).kind != model::TypeKind::Function) return;
    if (const specs::SlotSpec* known = slot(f, call, a)) passed_on_.emplace(std::pair(f, argument.id), known);
  }

  void place(FuncId f, const CallNote& call, std::size_t a) {
    const ArgumentNote& argument = call.arguments[a];
    if (argument.kind != ArgumentNote::Kind::Symbol) return;
    if (ctx_.program.frame(f).symbols[argument.id].kind != model::SymbolKind::Function) return;
    const FuncId target = ctx_.program.definition(ctx_.program.unit_id(f), argument.symbol_id());
    if (target == model::kNone) return;
    if (const specs::SlotSpec* known = slot(f, call, a)) ctx_.contracts[target] = contract_of(ctx_, *known);
  }

  Context& ctx_;
  std::map<std::pair<FuncId, std::size_t>, const specs::SlotSpec*> passed_on_;  // by function and parameter
};

// Functions that stand in no table of the program and are called by the interpreter all the same: a public function
// without parameters, known by how its name begins (`slot void.PyInit_* CONTRACT`), one whose parameters have the names
// that people give to those of an entry (`slot params.self_args CONTRACT`), and one that takes its arguments apart
// itself.
void place_by_shape(Context& ctx) {
  const auto& program = ctx.program;
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    const model::Function& fn = program.declared(f);
    if (ctx.contracts[f].given || !program.roles(f).empty() || !program.callers(f).empty() ||
        !program.head(f).has_body || fn.from_header)
      continue;
    const program::UnitId u = program.unit_id(f);
    const model::Symbol& symbol = program.frame(f).symbols[fn.symbol];
    if (!ctx.counted(u, fn.result) || symbol.address_taken) continue;
    if (fn.params.empty()) {
      const std::string_view name = program.name(f);
      const specs::SlotSpec* slot =
          name.find('_') == std::string_view::npos
              ? nullptr
              : ctx.specs.find_slot("void", std::string(name.substr(0, name.find('_') + 1)) + "*");
      if (slot && symbol.linkage == model::Linkage::External) ctx.contracts[f] = contract_of(ctx, *slot);
      continue;
    }
    if (fn.params.size() < 2 || fn.params.size() > 3) continue;
    const bool objects =
        std::all_of(fn.params.begin(), fn.params.end(), [&](const model::Param& p) { return ctx.counted(u, p.type); });
    if (!objects) continue;
    std::string names;
    for (const model::Param& p : fn.params)
      names += (names.empty() ? "" : "_") + std::string(program.frame(f).str(p.name));
    if (const specs::SlotSpec* slot = ctx.specs.find_slot("params", names)) {
      ctx.contracts[f] = contract_of(ctx, *slot);
      continue;
    }
    for (const CallNote& call : program.notes(f).calls) {
      if (call.callee == model::kNone || call.arguments.empty()) continue;
      const specs::FunctionSpec* spec = ctx.spec_of[u][call.callee];
      if (!spec || spec->varargs != specs::VarargKind::ParseFormat) continue;
      const ArgumentNote& parsed = call.arguments[0];
      if (parsed.kind != ArgumentNote::Kind::Param || parsed.cast || parsed.id != 1) continue;
      ctx.contracts[f] = {};
      ctx.contracts[f].given = ctx.contracts[f].entry = ctx.contracts[f].gives_new = true;
    }
  }
}

}  // namespace

void learn_contracts(Context& ctx) {
  ctx.contracts.assign(ctx.program.num_functions(), Contract{});
  ctx.of_both_types.assign(ctx.program.num_functions(), 0);
  place_in_tables(ctx);
  place_by_name(ctx);
  Registered(ctx).place();
  place_by_shape(ctx);
}

}  // namespace reckon::analysis
