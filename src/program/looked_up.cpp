#include "program/looked_up.h"

#include <algorithm>
#include <span>

#include "program/values.h"

namespace reckon::program {

using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;
using model::SymbolKind;

namespace {

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

// A call by name with constant texts alone: the name and the texts.
std::string call_with_texts(const model::Unit& unit, const model::Body& body, const model::Instr& call) {
  const std::span<const Operand> ops = body.ops(call);
  if (call.op != Op::Call || ops.size() < 2 || ops[0].kind != OperandKind::Symbol) return {};
  std::string function(unit.name(ops[0].symbol_id()));
  for (const Operand& argument : ops.subspan(1)) {
    const std::string* text = constant_text(unit, argument);
    if (text == nullptr) return {};
    function += "." + *text;
  }
  return function;
}

bool is_by_finder(std::string_view function, const Names& finders) {
  return !function.empty() && finders.contains(function.substr(0, function.find('.')));
}

bool is_private(const model::Unit& unit, model::SymId variable) {
  return unit.symbols[variable].linkage == model::Linkage::Internal;
}

}  // namespace

std::string looked_up(const model::Unit& unit, const model::Body& body, const model::Instr& call,
                      const Names& finders) {
  std::string function = call_with_texts(unit, body, call);
  return is_by_finder(function, finders) ? function : std::string();
}

bool calls_any(const model::Unit& unit, const Names& finders) {
  return std::any_of(unit.symbols.begin(), unit.symbols.end(), [&](const model::Symbol& symbol) {
    return symbol.kind == SymbolKind::Function && finders.contains(unit.str(symbol.name));
  });
}

LookupNotes lookups_of(const model::Unit& unit) {
  std::set<LookupNotes::Use> uses;
  for (const model::Function& f : unit.functions) {
    const ValueDefs defs(f.body);
    for (const model::Instr& i : f.body.instrs) {
      if (i.op == Op::Load) continue;
      const std::span<const Operand> ops = f.body.ops(i);
      for (std::size_t n = 0; n < ops.size(); ++n) {
        if (ops[n].kind != OperandKind::Symbol) continue;
        const model::SymId variable = ops[n].symbol_id();
        const model::Symbol& symbol = unit.symbols[variable];
        if (symbol.kind != SymbolKind::Variable || unit.type(symbol.type).kind != model::TypeKind::Pointer) continue;
        const bool written = i.op == Op::Store && n == 0 && ops[0].imm == 0;
        if (written && ops[1].kind == OperandKind::Null) continue;
        const model::Instr* made = written ? behind_casts(defs, ops[1]) : nullptr;
        uses.insert({std::string(unit.name(variable)), is_private(unit, variable),
                     made != nullptr ? call_with_texts(unit, f.body, *made) : std::string()});
      }
    }
  }
  return {{uses.begin(), uses.end()}};
}

LookedUpVariables::LookedUpVariables(std::size_t units, const std::function<LookupNotes(UnitId)>& notes,
                                     const Names& finders) {
  std::vector<LookupNotes> all;
  for (UnitId u{}; u < units; ++u) all.push_back(notes(u));
  for (UnitId u{}; u < units; ++u)
    for (const LookupNotes::Use& use : all[u].uses)
      if (is_by_finder(use.function, finders)) (use.is_private ? own_[u] : shared_).emplace(use.variable, use.function);
  // Variables that get something else as well, or whose address is used other than to read and write them.
  auto rule_out = [](ByName& names, const LookupNotes::Use& use) {
    if (const auto it = names.find(use.variable); it != names.end() && it->second != use.function) it->second.clear();
  };
  for (UnitId u{}; u < units; ++u)
    for (const LookupNotes::Use& use : all[u].uses)
      if (!use.is_private)
        rule_out(shared_, use);
      else if (const auto own = own_.find(u); own != own_.end())
        rule_out(own->second, use);
}

std::string_view LookedUpVariables::function(UnitId u, const model::Unit& unit, model::SymId variable) const {
  const ByName* known = &shared_;
  if (is_private(unit, variable)) {
    const auto own = own_.find(u);
    if (own == own_.end()) return {};
    known = &own->second;
  }
  const auto it = known->find(unit.name(variable));
  return it != known->end() ? std::string_view(it->second) : std::string_view();
}

std::string LookedUpVariables::identity() const {
  std::string out;
  auto add = [&](const ByName& names) {
    for (const auto& [variable, function] : names) out += variable + "=" + function + "\n";
  };
  add(shared_);
  for (const auto& [u, names] : own_) {
    out += std::to_string(u) + "\n";
    add(names);
  }
  return out;
}

}  // namespace reckon::program
