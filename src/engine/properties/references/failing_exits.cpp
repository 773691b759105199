// References that a failing end leaves behind, and results that are there whoever asks.

#include <algorithm>

#include "engine/core/failing.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;

// References that a failing end leaves stored: in memory of its own making, which nobody will find, or in a structure
// of its callers, who were told that nothing happened.
void ReferenceExits::check_failure_keeps(const Exit& e) {
  if (!subject_.fails_by_errno(ctx_.unit_domain[unit_id_]) || e.by_exception || contract_.consumes) return;
  if (!subject_.may_fail_for_good() && !ctx_.program.callers(id_).empty()) return;
  const State& s = e.state;
  const Failing f = failing(terms_, s, e.result, unit_.type(fn_.result).kind);
  // A number that a call answers may be an error; one that was read from memory says nothing of this function.
  if (!f.sure && !(f.maybe && terms_[e.result].kind == TermKind::Fresh)) return;
  for (const Obj& o : s.objects) {
    if (o.owned > 0 && o.indirect) trail_.silent(Silence::ChangedByCallee, o.term, e.instr);
    if (o.escaped || o.immortal || o.owned <= 0 || o.indirect || !o.holders.empty() ||
        s.facts.known_zero(terms_, o.term))
      continue;
    if (o.kind != ObjKind::New && o.kind != ObjKind::Param) continue;
    int stored = 0;
    for (const Cell& c : s.memory)
      if (props().references->refers_to(c.value, o) && terms_[terms_.owner_root(c.base)].kind != TermKind::Slot)
        ++stored;
    if (stored == 0 || stored < o.owned) continue;  // not stored, or told by the other checks
    trail_.emit(EventKind::Leak, s, &o, e.instr);
  }
}

// A function that gives what another one makes of its argument gives what is there anyway when that does.
specs::Ready ReferenceExits::ready_result() const {
  auto def = [&](const model::Operand& o) -> const model::Instr* {
    for (const model::Instr& i : body_.instrs)
      if (o.kind == model::OperandKind::Value && i.result == o.value_id()) return &i;
    return nullptr;
  };
  const model::Instr* call = nullptr;
  auto gives = [&](const model::Operand& o) {  // false: it gives something else as well
    const model::Instr* from = def(o);
    if (!from || from->op != model::Op::Call || (call && call != from)) return false;
    call = from;
    return true;
  };
  for (const model::Instr& i : body_.instrs) {
    const auto ops = body_.ops(i);
    if (i.op == model::Op::Ret && i.num_operands != 0 && ops[0].kind == model::OperandKind::Value && !gives(ops[0]))
      return {};
    // Or it leaves that in an argument.
    if (i.op == model::Op::Store && ops[0].kind == model::OperandKind::Value && ops[0].id < fn_.params.size() &&
        !gives(ops[1]))
      return {};
  }
  const auto ops = call ? body_.ops(*call) : std::span<const model::Operand>();
  if (ops.empty() || ops[0].kind != model::OperandKind::Symbol) return {};
  const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
  const FuncId f = ctx_.program.definition(unit_id_, ops[0].symbol_id());
  specs::Ready ready = spec                                    ? spec->ready
                       : f != kNone && ctx_.summaries[f].known ? ctx_.summaries[f].ready_result
                                                               : specs::Ready{};
  if (ready.param >= ops.size() - 1) return {};
  model::Operand o = ops[ready.param + 1];
  for (const model::Instr* i = def(o); i && i->op == model::Op::Cast; i = def(o)) o = body_.ops(*i)[0];
  if (o.kind != model::OperandKind::Value || o.id >= fn_.params.size()) return {};
  ready.param = o.id;
  return ready;
}

}  // namespace reckon::engine
