// What is not safe in a program that runs without a global lock.

#include <algorithm>

#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/lock/locks.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/borrows.h"

namespace reckon::engine {

using model::Instr;
using model::OperandKind;
using specs::FunctionSpec;

// Something of the program's own keeps other threads out, or may do so: a critical section or a lock.
bool Locks::holds_lock(const State& s) const {
  return s.coarsened != 0 ||
         std::any_of(s.counts.begin(), s.counts.end(), [](const Count& c) { return c.kind != 0 && c.delta > 0; });
}

// A reference that is borrowed from what other threads may change meanwhile.
void Locks::borrow_without_lock(State& s, InstrId instr, std::string callee, const std::string& safer) {
  if (Event* e = holds_lock(s) ? nullptr : trail_.emit(EventKind::FreeThreading, s, nullptr, instr, std::move(callee)))
    e->get<ThreadFacts>() = {.hazard = ThreadFacts::Hazard::BorrowedItem, .safer = safer};
}

// Stores and comparisons that need the interpreter's lock.
void Locks::judge_without_lock(State& s, InstrId instr) {
  const model::Instr& i = body_.instrs[instr];
  const auto ops = body_.ops(i);
  if (contract_.frees_object) return;
  if (i.op == model::Op::Store) {
    if (!subject_.is_entry() || contract_.only_reports_status() || !subject_.counted(i.type)) return;
    const TermId address = memory_.eval(s, ops[0], instr), value = memory_.eval(s, ops[1], instr);
    if (terms_[terms_.root(address)].kind != TermKind::Global || terms_.is_const(value)) return;
    if (holds_lock(s)) return;
    if (Event* e = trail_.emit(EventKind::FreeThreading, s, nullptr, instr))
      e->get<ThreadFacts>().hazard = ThreadFacts::Hazard::SharedVariable;
    return;
  }
  for (std::size_t k = 0; k < 2 && ops.size() == 2; ++k) {
    if (ops[1 - k].kind != model::OperandKind::Int || ops[1 - k].imm != 1) continue;
    const Term x = terms_[memory_.eval(s, ops[k], instr)];
    bool count = false;
    if (x.kind == TermKind::Fresh && x.a < body_.instrs.size() && body_.instrs[x.a].op == model::Op::Call) {
      const auto callee = body_.ops(body_.instrs[x.a]);
      const specs::FunctionSpec* spec =
          callee[0].kind == model::OperandKind::Symbol ? ctx_.spec_of[unit_id_][callee[0].id] : nullptr;
      count = spec && spec->tells_count;
    } else if (std::string_view field;
               const specs::CountedType* c = props().borrows->header_read(memory_.eval(s, ops[k], instr), &field)) {
      count = field == c->count_field;
    }
    if (count)
      if (Event* e = trail_.emit(EventKind::FreeThreading, s, nullptr, instr))
        e->get<ThreadFacts>().hazard = ThreadFacts::Hazard::CountOfOne;
  }
}

}  // namespace reckon::engine
