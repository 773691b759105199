// The interpreter's lock: calls that need it, give it up or take it, in this function and in those it calls.
//
// A function that uses the API needs the lock whoever has to see to it: its outcomes say so, unless it has taken the
// lock itself, and a caller that has given it up is told at the call. Where ways with and without such a use meet,
// nothing is said. A step that is given a thread's state undoes what another call did, perhaps elsewhere (lock.h).

#include "engine/core/applying.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/lock/locks.h"

namespace reckon::engine {

using model::kNone;

void Locks::do_step(State& s, LockStep step, InstrId instr) {
  const Lock after = after_step(s.lock, step);
  if (s.lock == after) return;
  s.lock = after;
  trail_.note_state(s, instr);
}

void Locks::lock_at_call(State& s, const specs::FunctionSpec& spec, InstrId instr) {
  if (spec.needs_gil && !spec.takes_gil) {
    if (given_up(s.lock)) trail_.emit(EventKind::NoLock, s, nullptr, instr, trail_.callee_name(body_.instrs[instr]));
    if (s.lock == 0 && s.needs_lock == kNone && !spec.drops_gil) s.needs_lock = instr;
  }
  if (spec.drops_gil) do_step(s, spec.params.empty() ? LockStep::Gave : LockStep::GaveBack, instr);
  if (spec.takes_gil) do_step(s, spec.params.empty() ? LockStep::Took : LockStep::TookBack, instr);
}

void Locks::lock_by_callee(State& s, const specs::LockEffects& o, const std::string& callee, InstrId instr) {
  if (body_.ops(body_.instrs[instr])[0].kind != model::OperandKind::Symbol) return;
  if (!o.needs_lock.empty()) {
    if (s.lock == 0 && s.needs_lock == kNone) s.needs_lock = instr;
    if (Event* e = given_up(s.lock) ? trail_.emit(EventKind::NoLock, s, nullptr, instr, callee) : nullptr)
      e->get<LockFacts>().user = o.needs_lock;
  }
  s.lock = after_steps(s.lock, o.lock);
}

// Which of several functions stands behind a pointer may depend on what decided about the lock: where one of them does
// something about it, nothing is known afterwards, and where one of them needs it, nothing is said.
void Locks::lock_behind_pointer(States& out, std::size_t before, const std::vector<FuncId>& targets) const {
  for (const FuncId f : targets)
    for (const specs::Outcome& o : ctx_.summaries[f].outcomes)
      if (o.lock != 0)
        for (std::size_t n = before; n < out.size(); ++n) out[n].lock = static_cast<Lock>(LockStep::GaveBack);
}

// The function that needs it, for people: the call itself, or one inside the callee.
std::string Locks::lock_user(InstrId instr) const {
  const model::Operand callee = body_.ops(body_.instrs[instr])[0];
  if (callee.kind == model::OperandKind::Symbol && !ctx_.spec_of[unit_id_][callee.id])
    if (const FuncId f = ctx_.program.definition(unit_id_, callee.symbol_id()); f != kNone)
      for (const specs::Outcome& o : ctx_.summaries[f].outcomes)
        if (!o.needs_lock.empty()) return o.needs_lock;
  return trail_.callee_name(body_.instrs[instr]);
}

void Locks::exit(const Exit& e) {
  if (manner_.counts_objects && subject_.is_entry() && given_up(e.state.lock))
    trail_.emit(EventKind::NoLock, e.state, nullptr, e.instr);
}

void Locks::sum_up(const Exit& e, const NewObjects&, specs::Outcome& o) const {
  o.lock = e.state.lock;
  if (e.state.needs_lock != kNone) o.needs_lock = lock_user(e.state.needs_lock);
}

bool Locks::storing(State& s, TermId, TermId, InstrId instr) {
  if (ctx_.free_threaded) judge_without_lock(s, instr);
  return false;
}

void Locks::compared(State& s, InstrId instr) {
  if (ctx_.free_threaded) judge_without_lock(s, instr);
}

void Locks::before_call(State& s, const Call& call) { lock_at_call(s, *call.spec, call.index); }

void Locks::after_targets(States& out, std::size_t from, const Call&, const Targets& targets) {
  if (targets.by_pointer) lock_behind_pointer(out, from, targets.functions);
}

void Locks::borrowed(State& s, InstrId instr, const std::string& callee, const std::string& safer) {
  borrow_without_lock(s, instr, callee, safer);
}

void Locks::finish(State& s, const Applying& call, TermId) {
  if (!call.spec) lock_by_callee(s, *call.outcome, call.callee, call.index);
}

}  // namespace reckon::engine
