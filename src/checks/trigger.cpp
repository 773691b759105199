// What must happen for a finding to show.
//
// The way to the event tells: an outcome of a call that needs memory to run out; else what failed last on it, and why
// (engine/core/causes.h); else why the function itself fails, if it does on every way on from there. Where nothing
// fails, nothing has to happen. Some events rest on something else, which their facts tell. A collection takes a
// particular input if the call that collects has outcomes that do not, or if its spec says what it is called for (a
// warning), or if it goes by a pointer, where it depends on what somebody has put there; so does one of an object that
// is new in some outcomes of its call only. A mistake in a call that raises an exception shows when there is something
// to raise. A protection stack that is left wrong at some ends, and right at others, is so for some input. A borrowed
// reference that code takes away needs somebody's object with that code.
//
// Limits: which branches the way takes does not matter, so "nothing fails" may still need a particular argument.

#include <algorithm>

#include "checks/check.h"
#include "checks/static_checks.h"
#include "engine/core/causes.h"

namespace reckon::checks {

using engine::EventKind;
using engine::PathNode;
using report::Trigger;
using specs::FailureCause;

namespace {

Trigger trigger_of(FailureCause cause) {
  switch (cause) {
    case FailureCause::Unsaid: return Trigger::Normal;
    case FailureCause::Input: return Trigger::Input;
    case FailureCause::Outside: return Trigger::Outside;
    case FailureCause::Memory: return Trigger::Memory;
  }
  return Trigger::Normal;
}

const specs::FunctionSpec* spec_at(const engine::Context& ctx, program::FuncId f, model::InstrId call) {
  const model::Body& body = ctx.program.function(f).body;
  if (call == model::kNone || body.instrs[call].op != model::Op::Call) return nullptr;
  const model::Operand callee = body.ops(body.instrs[call])[0];
  return callee.kind == model::OperandKind::Symbol ? ctx.spec_of[ctx.program.unit_id(f)][callee.id] : nullptr;
}

// What a call that collects is made for, or what makes it collect, if its spec says so.
FailureCause said_of_collection(const engine::Trace& trace, model::InstrId call) {
  const specs::FunctionSpec* spec = spec_at(trace.context(), trace.id(), call);
  return spec ? engine::said_by(*spec) : FailureCause::Unsaid;
}

// The outcomes of a call; nullptr: not known.
const std::vector<specs::Outcome>* outcomes_of(const engine::Trace& trace, model::InstrId call) {
  const engine::Context& ctx = trace.context();
  const model::Body& body = trace.function().body;
  const model::Operand callee = body.ops(body.instrs[call])[0];
  if (callee.kind != model::OperandKind::Symbol) return nullptr;
  const program::UnitId unit = ctx.program.unit_id(trace.id());
  if (const specs::FunctionSpec* spec = ctx.spec_of[unit][callee.id])
    return spec->allocates ? nullptr : &spec->outcomes;
  return ctx.outcomes_before(ctx.program.definition(unit, callee.symbol_id()), trace.id());
}

// Does the call give a new object for some of what it is given, and one that others hold for the rest?
bool new_for_some(const engine::Trace& trace, model::InstrId call) {
  if (call == model::kNone || trace.function().body.instrs[call].op != model::Op::Call) return false;
  const std::vector<specs::Outcome>* outcomes = outcomes_of(trace, call);
  if (!outcomes) return false;
  bool is_new = false, is_not = false;
  for (const specs::Outcome& o : *outcomes) {
    if (o.never_returns) continue;
    const bool owned = std::any_of(o.objects.begin(), o.objects.end(), [](const specs::Object& x) { return x.owned; });
    (owned ? is_new : is_not) = true;
  }
  return is_new && is_not;
}

// Does the call collect for some of what it is given, and not for all of it?
bool collects_for_some(const engine::Trace& trace, model::InstrId call) {
  if (call == model::kNone || trace.function().body.instrs[call].op != model::Op::Call) return false;
  const std::vector<specs::Outcome>* outcomes = outcomes_of(trace, call);
  if (!outcomes) return false;
  bool collects = false, collects_not = false;
  for (const specs::Outcome& o : *outcomes)
    if (!o.never_returns) (o.allocates ? collects : collects_not) = true;
  return collects && collects_not;
}

bool goes_by_pointer(const engine::Trace& trace, model::InstrId call) {
  const model::Body& body = trace.function().body;
  return call != model::kNone && body.instrs[call].op == model::Op::Call &&
         body.ops(body.instrs[call])[0].kind != model::OperandKind::Symbol;
}

bool branches(const std::vector<PathNode>& nodes, engine::PathId last) {
  while (last != model::kNone && nodes[last].kind != PathNode::Kind::Branch) last = nodes[last].parent;
  return last != model::kNone;
}

}  // namespace

Trigger trigger_of_raising(const engine::Context& ctx, program::FuncId f, model::InstrId call) {
  const specs::FunctionSpec* spec = spec_at(ctx, f, call);
  if (!spec || spec->outcomes.size() != 1 || spec->outcomes[0].exception != specs::Exception::Set)
    return Trigger::Normal;
  const std::vector<PathNode> nowhere;
  const engine::Causes causes(ctx, f, nowhere);
  const FailureCause raised = causes.of_raising(call, spec->outcomes[0], spec);
  return trigger_of(raised == FailureCause::Unsaid ? causes.customary() : raised);
}

Trigger View::trigger() const {
  if (event_.kind == EventKind::FreeThreading) return Trigger::Race;
  if (event_.oom) return Trigger::Memory;
  if (const auto* leak = event_.find<engine::LeakFacts>();
      leak && (leak->reason == engine::LeakFacts::Reason::InitialisedAgain ||
               leak->reason == engine::LeakFacts::Reason::GlobalReplaced))
    return Trigger::Input;
  if (const auto* borrowed = event_.find<engine::BorrowedFacts>(); borrowed && borrowed->keeps_pointing)
    return Trigger::Input;
  if (event_.kind == EventKind::BorrowAcross) return Trigger::Input;
  const auto* null = event_.find<engine::NullFacts>();
  if (null && null->by_contract) return Trigger::Input;
  const auto& nodes = trace_.path_nodes();
  const engine::Causes causes(trace_.context(), trace_.id(), nodes);
  // A NULL is the doing of the call that gave it: it failed, or did not find what it was asked for.
  if (const engine::PathId n = last_failure(); null && !null->giver.empty())
    return trigger_of(n == model::kNone ? causes.customary() : nodes[n].cause);
  // So is an exception that is left: the function itself refuses nothing.
  if (event_.kind == EventKind::ValueWithException)
    if (const FailureCause left = causes.of_way(event_.path, false); left != FailureCause::Unsaid)
      return trigger_of(left);
  const auto refusal = trace_.ends_in_failure(event_.path);
  const bool refuses = refusal || event_.kind == EventKind::NoException || event_.kind == EventKind::ValueWithException;
  const FailureCause cause =
      causes.of_way(refusal ? refusal->path : event_.path, refuses, refusal ? refusal->number : std::nullopt);
  if (cause != FailureCause::Unsaid) return trigger_of(cause);
  if (const Trigger raised = trigger_of_raising(trace_.context(), trace_.id(), event_.instr); raised != Trigger::Normal)
    return raised;
  if (event_.kind == EventKind::Unprotected || event_.kind == EventKind::UnprotectedArgument) {
    const model::InstrId call = event_.kind == EventKind::Unprotected ? event_.object.released : event_.instr;
    if (const FailureCause said = said_of_collection(trace_, call); said != FailureCause::Unsaid)
      return trigger_of(said);
    if (goes_by_pointer(trace_, call) || collects_for_some(trace_, call) || new_for_some(trace_, event_.object.origin))
      return Trigger::Input;
  }
  const bool depth = event_.kind == EventKind::DepthAtExit || event_.kind == EventKind::DepthNegative;
  if (depth && trace_.some_end_is_balanced()) return Trigger::Input;
  if (event_.kind == EventKind::AnnotationBroken && branches(nodes, event_.path)) return Trigger::Input;
  if (event_.kind == EventKind::FailureKeeps) return trigger_of(causes.customary());
  // Two ends that callers cannot tell apart: what makes the other one fail makes the difference.
  const engine::CountFacts* count = event_.count_facts();
  return trigger_of(causes.of_way(count ? count->other_path : model::kNone, false));
}

}  // namespace reckon::checks
