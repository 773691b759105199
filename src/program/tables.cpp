#include "program/tables.h"
#include "support/limits.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace reckon::program {

using model::ConstKind;
using model::Op;
using model::OperandKind;
using model::SymbolKind;
using model::TypeKind;

namespace {

constexpr std::size_t kMaxSteps = support::kLimits.program.table_steps;

// The member of a union that an initial value of `type` belongs to.
std::size_t union_member(const model::Type& record, model::TypeId type) {
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].type == type) return i;
  return 0;
}

// Does the constant hold the address of a function anywhere? Most variables do not.
bool holds_function(const model::Unit& unit, model::ConstId root) {
  std::vector<model::ConstId> todo{root};
  while (!todo.empty()) {
    const model::Constant& c = unit.constants[todo.back()];
    todo.pop_back();
    if (c.kind == ConstKind::Address && c.ref != kNone && unit.symbols[c.ref].kind == SymbolKind::Function) return true;
    todo.insert(todo.end(), c.children.begin(), c.children.end());
  }
  return false;
}

void functions_in(const model::Unit& unit, model::ConstId constant, std::uint64_t offset, std::size_t depth,
                  FunctionsByOffset& found) {
  const model::Constant& c = unit.constants[constant];
  if (c.kind == ConstKind::Address && c.ref != kNone && c.imm == 0 && unit.symbols[c.ref].kind == SymbolKind::Function)
    found.push_back({offset, c.symbol_id()});
  if (c.kind != ConstKind::Aggregate || depth >= kMaxSteps) return;
  const model::Type& t = unit.type(c.type);
  for (std::size_t i = 0; i < c.children.size(); ++i) {
    std::uint64_t at = 0;
    if (t.kind == TypeKind::Array)
      at = i * unit.type(t.elem).size;
    else if (i < t.fields.size())
      at = t.fields[i].offset;
    else
      break;
    functions_in(unit, c.children[i], offset + at, depth + 1, found);
  }
}
}  // namespace

FunctionsByOffset functions_in(const model::Unit& unit, model::ConstId constant) {
  FunctionsByOffset found;
  functions_in(unit, constant, 0, 0, found);
  return found;
}

TableCollector::TableCollector(std::size_t num_functions, TextPool& texts, Definition definition)
    : texts_(texts), definition_(std::move(definition)), roles_(num_functions) {}

void TableCollector::add_variables(UnitId id, const model::Unit& unit) {
  ContentHasher hasher(unit, [&](model::SymId s) { return definition_(id, s); });
  for (model::SymId s{}; s < unit.symbols.size(); ++s) {
    const model::Symbol& symbol = unit.symbols[s];
    if (symbol.kind != SymbolKind::Variable || symbol.init == kNone || !holds_function(unit, symbol.init)) continue;
    if (symbol.loc.file != 0 && !seen_variables_.insert(hasher.variable(s)).second) continue;
    Where where{id, unit, s, symbol.init, {}, {}};
    walk(where, symbol.type, symbol.init);
  }
}

void TableCollector::walk(Where& where, model::TypeId type, model::ConstId constant) {
  const model::Unit& unit = where.unit;
  const model::Constant& c = unit.constants[constant];
  if (c.kind == ConstKind::Address && c.ref != kNone && c.imm == 0) {
    if (unit.symbols[c.ref].kind != SymbolKind::Function) return;
    if (const FuncId f = definition_(where.id, c.symbol_id()); f != kNone) add(where, f);
    return;
  }
  if (c.kind != ConstKind::Aggregate || where.steps.size() >= kMaxSteps) return;
  if (c.type != 0) type = c.type;
  const model::Type& t = unit.type(type);
  for (std::size_t i = 0; i < c.children.size(); ++i) {
    model::TypeId child_type{};
    Step step{{}, {}, static_cast<std::int64_t>(i)};
    if (t.kind == TypeKind::Struct || t.kind == TypeKind::Union) {
      // A union has a child for each member, or one for whichever was meant.
      const bool one_of = t.kind == TypeKind::Union && c.children.size() < t.fields.size();
      const std::size_t member = one_of ? union_member(t, unit.constants[c.children[i]].type) : i;
      if (member >= t.fields.size()) continue;
      step = {type, t.fields[member].name, Step::kField};
      child_type = t.fields[member].type;
    } else if (t.kind == TypeKind::Array) {
      child_type = t.elem;
    }
    where.steps.push_back(step);
    where.holders.push_back(constant);
    walk(where, child_type, c.children[i]);
    where.steps.pop_back();
    where.holders.pop_back();
  }
}

void TableCollector::add(const Where& where, FuncId function) {
  const model::Unit& unit = where.unit;
  const std::span<const Step> steps = where.steps;
  std::size_t innermost = steps.size();
  auto add_path = [&](std::span<const Step> from, std::string_view start) {
    add_target(spell_steps(unit, from, Elements::Dropped, std::string(start)), function);
    if (std::all_of(from.begin(), from.end(), [](const Step& s) { return s.is_field(); })) return;
    add_target(spell_steps(unit, from, Elements::Any, std::string(start)), function);
    add_target(spell_steps(unit, from, Elements::Numbered, std::string(start)), function);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string_view record = record_name(unit, steps[i]);
    if (record.empty()) continue;
    innermost = i;
    add_path(steps.subspan(i), record);
  }
  const std::string_view global = where.variable == kNone ? std::string_view{} : unit.name(where.variable);
  if (!global.empty()) add_path(steps, global);

  TableEntry entry;
  entry.function = function;
  entry.unit = where.id;
  if (innermost < steps.size()) {
    entry.record = texts_.keep(record_name(unit, steps[innermost]));
    entry.field = texts_.keep(spell_steps(unit, steps.subspan(innermost), Elements::Dropped, {}));
  } else {
    if (global.empty()) return;  // a field of a struct without a name, in an object we do not know
    entry.field = texts_.keep(spell_steps(unit, steps, Elements::Dropped, std::string(global)));
    for (std::size_t i = 0; i < steps.size() && innermost == steps.size(); ++i)
      if (steps[i].is_field()) innermost = i;
    if (innermost == steps.size() && !steps.empty()) innermost = steps.size() - 1;
  }
  if (where.init != kNone) {
    entry.variable = where.variable;
    entry.element = where.holders.empty() ? where.init : where.holders[innermost];
  } else {
    // The same assignment in many places is one role.
    for (const TableEntry& e : roles_[function])
      if (e.variable == kNone && e.record == entry.record && e.field == entry.field) return;
  }
  roles_[function].push_back(entry);
}

void TableCollector::add_puts(UnitId id, const model::Unit& unit, std::span<const PutNote> puts) {
  for (const PutNote& put : puts) {
    const Where where{id, unit, put.variable, kNone, put.steps, {}};
    for (const model::SymId s : put.functions)
      if (const FuncId f = definition_(id, s); f != kNone) add(where, f);
  }
}

TextMap<std::vector<FuncId>> TableCollector::take_targets() {
  for (auto& [key, functions] : targets_) {
    std::sort(functions.begin(), functions.end());
    functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
    if (functions.size() > kMaxPointerTargets) {
      functions.clear();
      functions.shrink_to_fit();
    }
  }
  return std::move(targets_);
}

PutNote located(const model::Unit& unit, const ValueDefs& defs, model::Operand address) {
  // From the address outwards: the innermost step is met first.
  PutNote where;
  std::int64_t offset = 0;
  bool only_fields = true, all_named = true;
  for (std::size_t n = 0; n < kMaxSteps; ++n) {
    if (address.kind == OperandKind::Symbol) {
      const model::Symbol& symbol = unit.symbols[address.id];
      offset += address.imm;
      if (symbol.kind != SymbolKind::Variable || offset < 0) break;
      where.variable = address.symbol_id();
      if (only_fields) {
        where.steps = steps_to_offset(unit, symbol.type, static_cast<std::uint64_t>(offset));
        all_named = true;
      }
      break;
    }
    const model::Instr* def = address.kind == OperandKind::Value ? defs.def(address.value_id()) : nullptr;
    if (def == nullptr || def->num_operands == 0) break;
    std::vector<Step> more;
    if (def->op == Op::Field) {
      offset += def->imm;
      if (def->aux != kNone) {
        const model::FieldName& name = defs.body().fields[def->aux];
        more = steps_of_path(unit, name.record, unit.str(name.path));
        if (more.empty()) more.push_back({name.record, name.path, Step::kField});  // fields not known, the name is
      } else {
        all_named = false;
      }
    } else if (def->op == Op::Index) {
      only_fields = false;
      more = {{{}, {}, Step::kAnyElement}};
    } else if (def->op != Op::Cast) {
      break;
    }
    where.steps.insert(where.steps.begin(), more.begin(), more.end());
    address = defs.body().ops(*def)[0];
  }
  if (!all_named) {
    where.steps.clear();
    where.variable = kNone;
  }
  return where;
}

std::vector<PutNote> copied(const model::Unit& unit, const ValueDefs& defs, model::SymId callee,
                            const model::Operand& to, const model::Operand& from) {
  if (unit.name(callee) != "memcpy" || from.kind != OperandKind::Symbol || from.imm != 0) return {};
  const model::ConstId init = unit.symbols[from.id].init;
  if (init == kNone || !holds_function(unit, init)) return {};

  PutNote where = located(unit, defs, to);
  model::TypeId type{};
  if (to.kind == OperandKind::Symbol && to.imm == 0) {
    type = unit.symbols[to.id].type;
    where.steps.clear();  // the whole of the global
  } else if (const model::Instr* def = to.kind == OperandKind::Value ? defs.def(to.value_id()) : nullptr) {
    if (def->op == Op::Field && def->aux != kNone)
      type = defs.body().fields[def->aux].type;
    else if (unit.type(def->type).kind == TypeKind::Pointer)
      type = unit.type(def->type).elem;
  }
  std::vector<PutNote> out;
  for (const auto& [offset, symbol] : functions_in(unit, init)) {
    const std::vector<Step> inner = steps_to_offset(unit, type, offset);
    if (inner.empty()) continue;
    PutNote& put = out.emplace_back(where);
    put.functions = {symbol};
    put.steps.insert(put.steps.end(), inner.begin(), inner.end());
  }
  return out;
}

}  // namespace reckon::program
