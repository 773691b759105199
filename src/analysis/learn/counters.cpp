// Primitives: functions whose body is where a count is kept.
//
// The problem: what a spec says of `get` and `put` is true because their bodies add to a number, or call the same for a
// part of the object that has the number. Judged by the engine such a body changes no count at all, so it would seem to
// break its contract. The method looks at the model alone. A body is a primitive if it writes to the field that a
// `counted` line names, or to the top of the protection stack; or if its spec changes a count of a parameter, and the
// body adds to a member of that object, hands one to assembly, or counts a part of it; or if it leaves the object alone
// and counts what a member points to, or hands the object to a function behind a pointer. Functions that it calls and
// that no spec describes are looked into.
//
// Limits: a counter behind two pointers is not found, unless a `counted` line names it.

#include "analysis/learn/counters.h"

#include <algorithm>

#include "program/types.h"
#include "support/limits.h"

namespace reckon::analysis {

using model::Body;
using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

namespace {

// What an operand is made of: a parameter, whether a member was picked on the way, and whether what that holds was
// read. No parameter: kNone.
struct Origin {
  std::uint32_t param = kNone;
  bool member = false;
  bool read = false;
};

Origin origin(const program::ValueDefs& defs, const model::Function& fn, Operand o) {
  Origin out;
  while (o.kind == OperandKind::Value) {
    const Instr* def = defs.def(o.value_id());
    if (!def) {
      out.param = o.id < fn.params.size() ? o.id : kNone;
      return out;
    }
    const bool first_read = def->op == Op::Load && !out.read;
    if (def->op != Op::Field && def->op != Op::Cast && def->op != Op::Index && !first_read) return {};
    out.read = out.read || first_read;
    out.member = out.member || (def->op == Op::Field && def->aux != kNone);
    o = fn.body.ops(*def)[0];
  }
  return {};
}

// The same address, written once more.
bool same_address(const program::ValueDefs& defs, const Body& body, const Operand& a, const Operand& b) {
  if (a == b) return true;
  if (a.kind != OperandKind::Value || b.kind != OperandKind::Value) return false;
  const Instr *x = defs.def(a.value_id()), *y = defs.def(b.value_id());
  return x && y && x->op == y->op && (x->op == Op::Field || x->op == Op::Cast) && x->imm == y->imm &&
         same_address(defs, body, body.ops(*x)[0], body.ops(*y)[0]);
}

// Is what is stored what stood there, and something added to it?
bool adds(const program::ValueDefs& defs, const Body& body, const Instr& store) {
  const auto ops = body.ops(store);
  if (ops[1].kind != OperandKind::Value) return false;
  const Instr* sum = defs.def(ops[1].value_id());
  if (!sum || sum->op != Op::Arith) return false;
  const auto op = static_cast<model::ArithOp>(sum->sub);
  if (op != model::ArithOp::Add && op != model::ArithOp::Sub) return false;
  return std::ranges::any_of(body.ops(*sum), [&](const Operand& o) {
    const Instr* old = o.kind == OperandKind::Value ? defs.def(o.value_id()) : nullptr;
    return old && old->op == Op::Load && same_address(defs, body, body.ops(*old)[0], ops[0]);
  });
}

// Does the spec change a count of the object that this parameter points to, or take a reference to it over?
bool counts_param(const specs::FunctionSpec& spec, std::uint32_t param) {
  auto is_it = [&](const specs::Place& p) {
    return p.root == specs::Place::Root::Arg && p.index == param && p.path.empty() && p.field_path.empty();
  };
  return std::ranges::any_of(spec.outcomes, [&](const specs::Outcome& o) {
    return std::ranges::any_of(o.counts, [&](const auto& c) { return is_it(c.object); }) ||
           std::ranges::any_of(o.holds, [&](const auto& h) { return h.steals && is_it(h.object); });
  });
}

}  // namespace

bool Counters::is_counter(const model::Unit& unit, const Body& body, const Instr& field) const {
  if (field.op != Op::Field || field.aux == kNone) return false;
  const model::FieldName& name = body.fields[field.aux];
  auto counter = [&](std::string_view record, std::string_view path) {
    const specs::CountedType* c = ctx_.specs.find_counted(record);
    return c && !c->count_field.empty() && c->count_field == path;
  };
  if (counter(unit.str(unit.type(name.record).name), unit.str(name.path))) return true;
  const auto steps = program::steps_of_path(unit, name.record, unit.str(name.path));
  return !steps.empty() && steps.back().is_field() &&
         counter(program::record_name(unit, steps.back()), unit.str(steps.back().field));
}

bool Counters::is_stack_top(const model::Unit& unit, program::UnitId u, const Operand& address) const {
  const auto& domains = ctx_.specs.domains();
  return address.kind == OperandKind::Symbol && ctx_.unit_domain[u] < domains.size() &&
         !domains[ctx_.unit_domain[u]].stack_top.empty() &&
         unit.name(address.symbol_id()) == domains[ctx_.unit_domain[u]].stack_top;
}

bool Counters::writes_counter(FuncId f, int fuel) {
  if (const auto known = writes_.find(f); known != writes_.end()) return known->second;
  writes_[f] = false;  // a recursion adds nothing
  const model::Function& fn = ctx_.program.function(f);
  const model::Unit& unit = ctx_.program.unit(f);
  const program::UnitId u = ctx_.program.unit_id(f);
  const program::ValueDefs defs(fn.body);
  const bool found = std::ranges::any_of(fn.body.instrs, [&](const Instr& i) {
    const auto ops = fn.body.ops(i);
    if (i.op == Op::Store) {
      if (is_stack_top(unit, u, ops[0])) return true;
      const Instr* field = ops[0].kind == OperandKind::Value ? defs.def(ops[0].value_id()) : nullptr;
      while (field && field->op == Op::Cast && fn.body.ops(*field)[0].kind == OperandKind::Value)
        field = defs.def(fn.body.ops(*field)[0].value_id());
      return field && is_counter(unit, fn.body, *field);
    }
    if (i.op != Op::Call || fuel == 0 || ops[0].kind != OperandKind::Symbol) return false;
    // A spec that tells what becomes of counts is all there is to know; one that sets a counter tells nothing.
    const specs::FunctionSpec* spec = ctx_.spec_of[u][ops[0].id];
    if (spec && program::changes_counts(*spec)) return false;
    const FuncId callee = ctx_.program.definition(u, ops[0].symbol_id());
    return callee != program::kNone && ctx_.program.function(callee).from_header && writes_counter(callee, fuel - 1);
  });
  return writes_[f] = found;
}

// Does `f` keep a count in the object that its parameter points to?
bool Counters::counts_part_of(FuncId f, std::uint32_t param, int fuel) {
  const auto key = std::pair(f, param);
  if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
  counts_[key] = false;
  const model::Function& fn = ctx_.program.function(f);
  const program::UnitId u = ctx_.program.unit_id(f);
  const program::ValueDefs defs(fn.body);
  bool itself = false, by_part = false, through = false;
  for (const Instr& i : fn.body.instrs) {
    const auto ops = fn.body.ops(i);
    if (i.op == Op::Store) {
      const Origin to = origin(defs, fn, ops[0]);
      by_part = by_part || (to.param == param && !to.read && adds(defs, fn.body, i));
    }
    if (i.op != Op::Call) continue;
    const bool assembly = i.aux != kNone && fn.body.calls[i.aux].inline_asm;
    const bool named = !ops.empty() && ops[0].kind == OperandKind::Symbol;
    const specs::FunctionSpec* spec = named ? ctx_.spec_of[u][ops[0].id] : nullptr;
    const FuncId callee = named && !spec ? ctx_.program.definition(u, ops[0].symbol_id()) : FuncId{program::kNone};
    for (std::uint32_t a = 1; a < ops.size(); ++a) {
      const Origin from = origin(defs, fn, ops[a]);
      if (from.param != param) continue;
      const bool counts = spec && counts_param(*spec, a - 1);
      itself = itself || (counts && !from.member && !from.read);
      through = through || (counts && from.read) || (!named && !from.read);
      by_part = by_part || (!from.read && (assembly || (counts && from.member)));
      if (callee != program::kNone && fuel > 0 && !from.read)
        by_part = by_part || counts_part_of(callee, a - 1, fuel - 1);
    }
  }
  const bool found = by_part || (through && !itself);
  return counts_[key] = found;
}

bool Counters::primitive(FuncId f, const specs::FunctionSpec& spec) {
  constexpr int kFuel = support::kLimits.program.counter_calls;
  if (writes_counter(f, kFuel)) return true;
  for (std::uint32_t p = 0; p < ctx_.program.function(f).params.size(); ++p)
    if (counts_param(spec, p) && counts_part_of(f, p, kFuel)) return true;
  return false;
}

}  // namespace reckon::analysis
