#include "checks/type_tables.h"

#include <algorithm>

#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::ConstKind;
using model::kNone;

bool is_type(const engine::Context& ctx, const model::Unit& unit, model::TypeId type) {
  const std::string_view name = unit.str(unit.type(type).name);
  return std::find(ctx.type_records.begin(), ctx.type_records.end(), name) != ctx.type_records.end();
}

void collect(const engine::Context& ctx, program::UnitId u, model::ConstId constant, int fuel, std::set<FuncId>& out) {
  const model::Unit& unit = ctx.program.frame_at(u);
  const model::Constant& c = unit.constants[constant];
  for (const model::ConstId child : c.children) collect(ctx, u, child, fuel, out);
  if (c.kind != ConstKind::Address || c.ref == kNone) return;
  const model::Symbol& symbol = unit.symbols[c.ref];
  if (symbol.kind == model::SymbolKind::Function) {
    if (const FuncId f = ctx.program.definition(u, c.symbol_id()); f != kNone) out.insert(f);
  } else if (symbol.init != kNone && fuel > 0 && !is_type(ctx, unit, symbol.type)) {
    collect(ctx, u, symbol.init, fuel - 1, out);
  }
}

// A variable, and no text.
bool is_table(const model::Unit& unit, model::SymId variable) {
  const model::Symbol& symbol = unit.symbols[variable];
  return symbol.kind == model::SymbolKind::Variable &&
         (symbol.init == kNone || unit.constants[symbol.init].kind != ConstKind::String);
}

}  // namespace

std::string variable_key(const model::Unit& unit, program::UnitId id, model::SymId variable) {
  std::string name(unit.str(unit.symbols[variable].name));
  if (unit.symbols[variable].linkage == model::Linkage::Internal) name += "@" + std::to_string(id);
  return name;
}

void functions_of(const engine::Context& ctx, program::UnitId unit, model::ConstId constant, std::set<FuncId>& out) {
  collect(ctx, unit, constant, support::kLimits.checks.type_tables, out);
}

std::set<FuncId> with_callees(const engine::Context& ctx, const std::set<FuncId>& functions) {
  std::set<FuncId> out = functions, last = functions;
  for (int depth = 0; depth < support::kLimits.checks.type_calls && !last.empty(); ++depth) {
    std::set<FuncId> next;
    for (const FuncId f : last) {
      for (const program::CallNote& call : ctx.program.notes(f).calls) {
        if (call.callee == kNone) continue;
        const FuncId callee = ctx.program.definition(ctx.program.unit_id(f), call.callee);
        if (callee != kNone && out.insert(callee).second) next.insert(callee);
      }
    }
    last = std::move(next);
  }
  return out;
}

std::set<std::string> own_structs(const engine::Context& ctx, FuncId f) {
  const model::Function& fn = ctx.program.declared(f);
  const model::Unit& unit = ctx.program.frame(f);
  std::set<std::string> out;
  auto add = [&](model::TypeId record) {
    if (const std::string_view name = unit.str(unit.type(record).name);
        !name.empty() && !is_type(ctx, unit, record) && !ctx.specs.find_counted(name))
      out.emplace(name);
  };
  if (!fn.params.empty() && unit.type(fn.params[0].type).kind == model::TypeKind::Pointer)
    add(unit.type(fn.params[0].type).elem);
  for (const model::TypeId record : ctx.program.notes(f).own_structs) add(record);
  return out;
}

VariableUses::VariableUses(const engine::Context& ctx) {
  for (FuncId f{}; f < ctx.program.num_functions(); ++f, ctx.program.rest()) {
    const program::UnitId u = ctx.program.unit_id(f);
    const model::Unit& unit = ctx.program.frame_at(u);
    const program::FunctionNotes& notes = ctx.program.notes(f);
    auto give = [&](model::SymId variable, std::uint32_t call, std::size_t argument) {
      const model::SymId callee = notes.calls[call].callee;
      Uses& use = uses_[variable_key(unit, u, variable)];
      use.given.push_back({f, call, argument});
      use.copied = use.copied || callee == kNone || ctx.spec_of[u][callee] == nullptr;
    };
    for (std::uint32_t n = 0; n < notes.calls.size(); ++n)
      for (std::size_t a = 0; a < notes.calls[n].arguments.size(); ++a)
        if (const program::ArgumentNote& given = notes.calls[n].arguments[a];
            given.kind == program::ArgumentNote::Kind::Symbol && is_table(unit, given.symbol_id()))
          give(given.symbol_id(), n, a);
    for (const program::VariableNote& note : notes.variables) {
      if (note.call != kNone) {
        give(note.variable, note.call, note.argument);
        continue;
      }
      Uses& use = uses_[variable_key(unit, u, note.variable)];
      note.exact ? void(use.written.insert(note.offset)) : void(use.copied = true);
    }
  }
}

const std::vector<VariableUses::Given>& VariableUses::given(const std::string& key) const {
  static const std::vector<Given> none;
  const auto it = uses_.find(key);
  return it == uses_.end() ? none : it->second.given;
}

bool VariableUses::written(const std::string& key, std::uint64_t offset) const {
  const auto it = uses_.find(key);
  return it != uses_.end() && it->second.written.contains(offset);
}

bool VariableUses::copied(const std::string& key) const {
  const auto it = uses_.find(key);
  return it != uses_.end() && it->second.copied;
}

}  // namespace reckon::checks
