// What must happen for a finding to show.
//
// The way to the event tells: an outcome of a call that needs memory to run out; else the call that failed last, and
// what makes that function fail, as its spec or else its domain says; else the function's own failure, which is its
// domain's. Where nothing fails, nothing has to happen. Some events rest on something else, which their facts tell.
//
// Limits: which branches the way takes does not matter, so "nothing fails" may still need a particular argument.

#include <algorithm>

#include "checks/check.h"

namespace reckon::checks {

using engine::EventKind;
using engine::PathNode;
using report::Trigger;

namespace {

Trigger trigger_of(specs::FailureCause cause) {
  return cause == specs::FailureCause::Input ? Trigger::Input : Trigger::Outside;
}

}  // namespace

// What makes functions of this domain fail, as a rule.
Trigger View::customary_failure() const {
  const engine::Context& ctx = trace_.context();
  const std::uint8_t domain = ctx.unit_domain[ctx.program.unit_id(trace_.id())];
  const auto& all = ctx.specs.domains();
  return trigger_of(domain < all.size() ? all[domain].failure_cause : specs::FailureCause::Unsaid);
}

// What made this call fail, which did.
Trigger View::cause_of(const PathNode& call) const {
  const engine::Context& ctx = trace_.context();
  const auto unit = ctx.program.unit_id(trace_.id());
  const model::Body& body = trace_.function().body;
  const model::Operand callee = body.ops(body.instrs[call.instr])[0];
  if (callee.kind != model::OperandKind::Symbol) return customary_failure();
  auto for_memory = [&](const std::vector<specs::Outcome>& outcomes) {
    return call.which < outcomes.size() && outcomes[call.which].out_of_memory_only;
  };
  if (const specs::FunctionSpec* spec = ctx.spec_of[unit][callee.id]) {
    if (for_memory(spec->outcomes) || spec->fails_for_memory) return Trigger::Memory;
    if (spec->fails_by_input) return Trigger::Input;
    if (spec->fails_outside) return Trigger::Outside;
    const specs::DomainSpec* domain = ctx.specs.find_domain(spec->domain);
    return domain && domain->failure_cause != specs::FailureCause::Unsaid ? trigger_of(domain->failure_cause)
                                                                          : customary_failure();
  }
  const engine::FuncId helper = ctx.program.definition(unit, callee.symbol_id());
  return helper != program::kNone && for_memory(ctx.summaries[helper].outcomes) ? Trigger::Memory : customary_failure();
}

Trigger View::trigger() const {
  if (event_.kind == EventKind::FreeThreading) return Trigger::Race;
  if (event_.oom) return Trigger::Memory;
  if (const auto* leak = event_.find<engine::LeakFacts>();
      leak && leak->reason == engine::LeakFacts::Reason::InitialisedAgain)
    return Trigger::Input;
  if (const auto* borrowed = event_.find<engine::BorrowedFacts>(); borrowed && borrowed->keeps_pointing)
    return Trigger::Input;
  if (const auto* null = event_.find<engine::NullFacts>(); null && null->by_contract) return Trigger::Input;
  if (const engine::PathId n = last_failure(); n != model::kNone) return cause_of(trace_.path_nodes()[n]);
  // Two ends that callers cannot tell apart: what makes the other one fail makes the difference.
  const engine::CountFacts* count = event_.count_facts();
  const auto& nodes = trace_.path_nodes();
  for (engine::PathId n = count ? count->other_path : model::kNone; n != model::kNone; n = nodes[n].parent)
    if (nodes[n].kind == PathNode::Kind::Call && nodes[n].failure) return cause_of(nodes[n]);
  if (event_.kind == EventKind::NoException || event_.kind == EventKind::ValueWithException ||
      trace_.ends_in_failure(event_.instr, event_.path))
    return customary_failure();
  return Trigger::Normal;
}

}  // namespace reckon::checks
