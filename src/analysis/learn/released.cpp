// Members that deallocators see to: where they read objects from their own, and which members they, or functions they
// call, release.

#include "analysis/learn/learn.h"

#include <algorithm>

#include "analysis/learn/reading.h"
#include "engine/core/header_structs.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

// Offsets at which a function reads objects from its first argument.
std::vector<std::int64_t> members_read(const Context& ctx, FuncId f) {
  const model::Body& body = ctx.program.function(f).body;
  const program::UnitId u = ctx.program.unit_id(f);
  std::vector<char> self(body.num_values, 0);
  std::vector<std::int64_t> field(body.num_values, -1), out;
  if (!self.empty()) self[0] = 1;
  // Count and type are set by whoever makes the object.
  auto in_header = [&](const model::Instr& i) { return names_header(ctx.specs, ctx.program.unit(f), body, i); };
  for (const model::Instr& i : body.instrs) {
    const auto ops = body.ops(i);
    const bool from_value = !ops.empty() && ops[0].kind == model::OperandKind::Value && ops[0].id < body.num_values;
    if (!from_value) continue;
    if (i.op == model::Op::Cast && self[ops[0].id]) self[i.result] = 1;
    if (i.op == model::Op::Field && self[ops[0].id] && !in_header(i)) field[i.result] = i.imm;
    if (i.op == model::Op::Load && field[ops[0].id] > 0 && ctx.counted(u, i.type)) out.push_back(field[ops[0].id]);
  }
  return out;
}

// Members of structs that a deallocator, or a function it calls, gives up.
void fields_released_by(Context& ctx, FuncId f, int depth) {
  const model::Unit& unit = ctx.program.unit(f);
  const program::UnitId u = ctx.program.unit_id(f);
  const model::Body& body = ctx.program.function(f).body;
  const program::ValueDefs defs(body);
  auto field_of = [&](model::Operand o) -> const model::FieldName* {
    for (int step = 0; step < support::kLimits.program.released_steps && o.kind == model::OperandKind::Value; ++step) {
      const model::Instr* i = defs.def(o.value_id());
      if (!i) return nullptr;
      if (i->op == model::Op::Field) return i->aux != model::kNone ? &body.fields[i->aux] : nullptr;
      if (i->op != model::Op::Load && i->op != model::Op::Cast) return nullptr;
      o = body.ops(*i)[0];
    }
    return nullptr;
  };
  for (const model::Instr& i : body.instrs) {
    if (i.op != model::Op::Call) continue;
    const auto ops = body.ops(i);
    if (ops.empty() || ops[0].kind != model::OperandKind::Symbol) continue;
    const specs::FunctionSpec* spec = ctx.spec_of[u][ops[0].id];
    if (!spec) {
      const FuncId callee = ctx.program.definition(u, ops[0].symbol_id());
      if (callee != program::kNone && depth < support::kLimits.program.released_calls)
        fields_released_by(ctx, callee, depth + 1);
      continue;
    }
    for (const specs::Outcome& o : spec->outcomes)
      for (const specs::CountChange& c : o.counts)
        if (c.delta < 0 && c.kind.empty() && c.object.root == specs::Place::Root::Arg && c.object.path.empty() &&
            c.object.field_path.empty() && c.object.index + 1 < ops.size())
          if (const model::FieldName* field = field_of(ops[c.object.index + 1]))
            ctx.released_fields.insert(std::string(unit.str(unit.type(field->record).name)) + "." +
                                       std::string(unit.str(field->path)));
  }
}

}  // namespace

void learn_released(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.type_records = ctx.specs.records_with([](const specs::ContractFlags& c) { return c.destroys_static_object(); });
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    if (ctx.contracts[f].frees_object) fields_released_by(ctx, f, 0);
    for (const program::TableEntry& e : program.roles(f)) {
      if (e.unit == model::kNone) continue;
      const specs::SlotSpec* slot = slot_of(ctx, e);
      if (promises(ctx, slot, &specs::ContractFlags::clears_members)) fields_released_by(ctx, f, 0);
      if (ctx.contracts[f].frees_object && e.variable != model::kNone) {
        const model::Unit& unit = program.unit_at(e.unit);
        std::string name(unit.name(e.variable));
        if (unit.symbols[e.variable].linkage == model::Linkage::Internal) name += "@" + std::to_string(e.unit);
        ctx.released_members.emplace(std::move(name), members_read(ctx, f));
      }
    }
  }
}

}  // namespace reckon::analysis
