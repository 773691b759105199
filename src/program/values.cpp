#include "program/values.h"

#include <algorithm>

namespace reckon::program {

ValueDefs::ValueDefs(const model::Body& body) : body_(body), index_(body.num_values, model::kNone) {
  for (model::InstrId i{}; i < body.instrs.size(); ++i)
    if (body.instrs[i].result < index_.size()) index_[body.instrs[i].result] = i;
}

std::vector<model::SymId> addresses(const ValueDefs& defs, const model::Operand& operand) {
  std::vector<model::SymId> found;
  std::vector<model::ValueId> seen;
  std::vector<model::Operand> todo{operand};
  while (!todo.empty()) {
    const model::Operand o = todo.back();
    todo.pop_back();
    if (o.kind == model::OperandKind::Symbol && o.imm == 0) found.push_back(o.symbol_id());
    if (o.kind != model::OperandKind::Value) continue;
    const model::Instr* i = defs.def(o.value_id());
    if (i == nullptr || std::find(seen.begin(), seen.end(), o.value_id()) != seen.end()) continue;
    seen.push_back(o.value_id());
    const std::span<const model::Operand> ops = defs.body().ops(*i);
    if (i->op == model::Op::Phi || i->op == model::Op::Cast)
      todo.insert(todo.end(), ops.begin(), ops.end());
    else if (i->op == model::Op::Select && ops.size() == 3)
      todo.insert(todo.end(), {ops[1], ops[2]});
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace reckon::program
