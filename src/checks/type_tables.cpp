#include "checks/type_tables.h"

#include <algorithm>

#include "program/values.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::ConstKind;
using model::kNone;
using model::Op;
using model::OperandKind;

bool is_type(const engine::Context& ctx, const model::Unit& unit, model::TypeId type) {
  const std::string_view name = unit.str(unit.type(type).name);
  return std::find(ctx.type_records.begin(), ctx.type_records.end(), name) != ctx.type_records.end();
}

void collect(const engine::Context& ctx, program::UnitId u, model::ConstId constant, int fuel, std::set<FuncId>& out) {
  const model::Unit& unit = ctx.program.unit_at(u);
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

// The value behind casts.
model::Operand bare(const program::ValueDefs& defs, model::Operand o) {
  while (o.kind == OperandKind::Value) {
    const model::Instr* def = defs.def(o.value_id());
    if (!def || def->op != Op::Cast) break;
    o = defs.body().ops(*def)[0];
  }
  return o;
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
      const model::Body& body = ctx.program.function(f).body;
      for (const model::Instr& i : body.instrs) {
        if (i.op != Op::Call || body.ops(i)[0].kind != OperandKind::Symbol) continue;
        const FuncId callee = ctx.program.definition(ctx.program.unit_id(f), body.ops(i)[0].symbol_id());
        if (callee != kNone && out.insert(callee).second) next.insert(callee);
      }
    }
    last = std::move(next);
  }
  return out;
}

std::set<std::string> own_structs(const engine::Context& ctx, FuncId f) {
  const model::Function& fn = ctx.program.function(f);
  const model::Unit& unit = ctx.program.unit(f);
  const program::ValueDefs defs(fn.body);
  std::set<std::string> out;
  auto add = [&](model::TypeId record) {
    if (const std::string_view name = unit.str(unit.type(record).name);
        !name.empty() && !is_type(ctx, unit, record) && !ctx.specs.find_counted(name))
      out.emplace(name);
  };
  if (!fn.params.empty() && unit.type(fn.params[0].type).kind == model::TypeKind::Pointer)
    add(unit.type(fn.params[0].type).elem);
  std::vector<model::Operand> own;
  for (const model::Instr& i : fn.body.instrs)
    if (i.op == Op::Ret && i.num_operands > 0) own.push_back(bare(defs, fn.body.ops(i)[0]));
  for (const model::Instr& i : fn.body.instrs) {
    if (i.op != Op::Field || i.aux == kNone) continue;
    const model::Operand base = bare(defs, fn.body.ops(i)[0]);
    if (base.kind != OperandKind::Value) continue;
    const bool self = base.id == 0 && !fn.params.empty();
    const model::Instr* def = defs.def(base.value_id());
    if (self || (def && def->op == Op::Call && std::find(own.begin(), own.end(), base) != own.end()))
      add(fn.body.fields[i.aux].record);
  }
  return out;
}

VariableUses::VariableUses(const engine::Context& ctx) {
  for (FuncId f{}; f < ctx.program.num_functions(); ++f) {
    const model::Unit& unit = ctx.program.unit(f);
    const program::UnitId u = ctx.program.unit_id(f);
    const model::Body& body = ctx.program.function(f).body;
    const program::ValueDefs defs(body);
    // The variable an address lies in, and how far from its start.
    auto variable = [&](model::Operand o, std::uint64_t& offset, bool& exact) -> Uses* {
      for (int fuel = support::kLimits.operands.variable_steps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
        const model::Instr* def = defs.def(o.value_id());
        if (!def || (def->op != Op::Field && def->op != Op::Cast && def->op != Op::Index)) return nullptr;
        if (def->op == Op::Field) offset += static_cast<std::uint64_t>(def->imm);
        if (def->op == Op::Index) exact = false;
        o = body.ops(*def)[0];
      }
      if (o.kind != OperandKind::Symbol || unit.symbols[o.id].kind != model::SymbolKind::Variable) return nullptr;
      offset += static_cast<std::uint64_t>(o.imm);
      return &uses_[variable_key(unit, u, o.symbol_id())];
    };
    for (const model::Instr& i : body.instrs) {
      const auto ops = body.ops(i);
      if (i.op == Op::Store) {
        std::uint64_t offset = 0;
        bool exact = true;
        if (Uses* use = variable(ops[0], offset, exact))
          exact ? void(use->written.insert(offset)) : void(use->copied = true);
      }
      if (i.op != Op::Call) continue;
      const bool known = ops[0].kind == OperandKind::Symbol && ctx.spec_of[u][ops[0].id] != nullptr;
      for (std::size_t a = 1; a < ops.size(); ++a) {
        std::uint64_t offset = 0;
        bool exact = true;
        Uses* use = variable(ops[a], offset, exact);
        if (!use) continue;
        use->given.push_back({f, &i, a});
        use->copied = use->copied || !known;
      }
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
