// Variables that hold one interned object for good: `sym_f = install("f")` and no other assignment anywhere. Two of
// them with different texts are different objects, so a branch on which of them an argument is can be decided by
// callers.
//
// Limits: a variable counts as holding its object from the start, though it is assigned at some time; one whose address
// is taken could be changed behind our back, and is left out.

#include "analysis/learn/learn.h"
#include "program/values.h"

namespace reckon::analysis {

using model::Op;
using model::OperandKind;

namespace {

std::optional<std::string> text_of(const model::Unit& unit, const model::Operand& o) {
  if (o.kind != OperandKind::Symbol || o.imm != 0 || unit.symbols[o.id].init == model::kNone) return std::nullopt;
  const model::Constant& c = unit.constants[unit.symbols[o.id].init];
  if (c.kind == model::ConstKind::String) return std::string(unit.str(c.string_id()));
  return std::nullopt;
}

}  // namespace

void learn_interned(Context& ctx) {
  bool any = false;
  for (const auto& f : ctx.specs.functions()) any = any || f->interns;
  if (!any) return;
  std::unordered_map<std::string, bool> spoilt;
  for (const FuncId f : ctx.program.wholes()) {
    const program::UnitId u = ctx.program.unit_id(f);
    const model::Unit& unit = ctx.program.unit(f);
    const model::Body& body = ctx.program.function(f).body;
    const program::ValueDefs defs(body);
    for (const model::Instr& i : body.instrs) {
      const auto ops = body.ops(i);
      for (std::size_t k = 0; k < ops.size(); ++k) {
        if (ops[k].kind != OperandKind::Symbol || unit.symbols[ops[k].id].kind != model::SymbolKind::Variable) continue;
        if (i.op == Op::Load) continue;
        std::string name(unit.name(ops[k].symbol_id()));
        if (unit.symbols[ops[k].id].linkage == model::Linkage::Internal) name += "@" + std::to_string(u);
        std::optional<std::string> text;
        if (i.op == Op::Store && k == 0 && ops[0].imm == 0 && ops[1].kind == OperandKind::Value)
          if (const model::Instr* made = defs.def(ops[1].value_id()); made && made->op == Op::Call) {
            const auto call = body.ops(*made);
            const specs::FunctionSpec* spec =
                call[0].kind == OperandKind::Symbol ? ctx.spec_of[u][call[0].id] : nullptr;
            if (spec && spec->interns && call.size() == 2) text = text_of(unit, call[1]);
          }
        const auto known = ctx.interned.find(name);
        if (!text || (known != ctx.interned.end() && known->second != *text))
          spoilt[name] = true;
        else
          ctx.interned.emplace(std::move(name), std::move(*text));
      }
    }
    ctx.program.rest();
  }
  for (const auto& [name, yes] : spoilt) ctx.interned.erase(name);
}

}  // namespace reckon::analysis
