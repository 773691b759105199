#include "program/looked_up.h"

#include <span>

#include "program/values.h"

namespace reckon::program {

using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;
using model::SymbolKind;

namespace {

bool has_finder(const model::Unit& unit, const Names& finders) {
  for (const model::Symbol& symbol : unit.symbols)
    if (symbol.kind == SymbolKind::Function && finders.contains(unit.str(symbol.name))) return true;
  return false;
}

// The text that an operand points to; nullptr if it is none.
const std::string* constant_text(const model::Unit& unit, const Operand& o) {
  if (o.kind != OperandKind::Symbol || o.imm != 0) return nullptr;
  const model::Symbol& symbol = unit.symbols[o.id];
  if (symbol.kind != SymbolKind::Variable || !symbol.is_constant || symbol.init == kNone) return nullptr;
  const model::Constant& text = unit.constants[symbol.init];
  return text.kind == model::ConstKind::String ? &unit.strings[text.string_id()] : nullptr;
}

const model::Instr* behind_casts(const ValueDefs& defs, Operand o) {
  const model::Instr* def = o.kind == OperandKind::Value ? defs.def(o.value_id()) : nullptr;
  while (def != nullptr && def->op == Op::Cast) {
    o = defs.body().ops(*def)[0];
    def = o.kind == OperandKind::Value ? defs.def(o.value_id()) : nullptr;
  }
  return def;
}

std::string stored_function(const model::Unit& unit, const ValueDefs& defs, const Operand& value,
                            const Names& finders) {
  const model::Instr* made = behind_casts(defs, value);
  return made != nullptr ? looked_up(unit, defs.body(), *made, finders) : std::string();
}

bool is_private(const model::Unit& unit, model::SymId variable) {
  return unit.symbols[variable].linkage == model::Linkage::Internal;
}

}  // namespace

std::string looked_up(const model::Unit& unit, const model::Body& body, const model::Instr& call,
                      const Names& finders) {
  const std::span<const Operand> ops = body.ops(call);
  if (call.op != Op::Call || ops.size() < 2 || ops[0].kind != OperandKind::Symbol) return {};
  const std::string_view finder = unit.name(ops[0].symbol_id());
  if (!finders.contains(finder)) return {};
  std::string function(finder);
  for (const Operand& argument : ops.subspan(1)) {
    const std::string* text = constant_text(unit, argument);
    if (text == nullptr) return {};
    function += "." + *text;
  }
  return function;
}

LookedUpVariables::LookedUpVariables(const UnitStore& units, const Names& finders) {
  for (UnitId u{}; u < units.size(); ++u, units.rest())
    if (has_finder(units.at(u), finders)) find_stores(u, units.at(u), finders);
  if (empty()) return;
  for (UnitId u{}; u < units.size(); ++u, units.rest())
    if (!shared_.empty() || own_.contains(u)) rule_out(u, units.at(u), finders);
}

void LookedUpVariables::find_stores(UnitId u, const model::Unit& unit, const Names& finders) {
  for (const model::Function& f : unit.functions) {
    const ValueDefs defs(f.body);
    for (const model::Instr& i : f.body.instrs) {
      const std::span<const Operand> ops = f.body.ops(i);
      if (i.op != Op::Store || ops[0].kind != OperandKind::Symbol || ops[0].imm != 0) continue;
      const model::SymId variable = ops[0].symbol_id();
      if (std::string function = stored_function(unit, defs, ops[1], finders); !function.empty())
        (is_private(unit, variable) ? own_[u] : shared_).emplace(unit.name(variable), std::move(function));
    }
  }
}

// Variables that get something else as well, or whose address is used other than to read and write them.
void LookedUpVariables::rule_out(UnitId u, const model::Unit& unit, const Names& finders) {
  for (const model::Function& f : unit.functions) {
    const ValueDefs defs(f.body);
    for (const model::Instr& i : f.body.instrs) {
      const std::span<const Operand> ops = f.body.ops(i);
      for (std::size_t n = 0; n < ops.size(); ++n) {
        const std::string* known = ops[n].kind == OperandKind::Symbol ? find(u, unit, ops[n].symbol_id()) : nullptr;
        if (known == nullptr || i.op == Op::Load) continue;
        const bool written = i.op == Op::Store && n == 0 && ops[0].imm == 0;
        if (written && ops[1].kind == OperandKind::Null) continue;
        if (!written || stored_function(unit, defs, ops[1], finders) != *known)
          (is_private(unit, ops[n].symbol_id()) ? own_[u] : shared_)[std::string(unit.name(ops[n].symbol_id()))]
              .clear();
      }
    }
  }
}

const std::string* LookedUpVariables::find(UnitId u, const model::Unit& unit, model::SymId variable) const {
  const ByName* known = &shared_;
  if (is_private(unit, variable)) {
    const auto own = own_.find(u);
    if (own == own_.end()) return nullptr;
    known = &own->second;
  }
  const auto it = known->find(unit.name(variable));
  return it != known->end() ? &it->second : nullptr;
}

std::string_view LookedUpVariables::function(UnitId u, const model::Unit& unit, model::SymId variable) const {
  const std::string* known = find(u, unit, variable);
  return known != nullptr ? std::string_view(*known) : std::string_view();
}

}  // namespace reckon::program
