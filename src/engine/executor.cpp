// The one place that lists the properties, and the passes of one look: walk, judge, sum up.

#include "engine/executor.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/exceptions/exceptions.h"
#include "engine/properties/formats/formats_property.h"
#include "engine/properties/lock/locks.h"
#include "engine/properties/pointers/pointers.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/decisions.h"
#include "engine/properties/protection/exits.h"
#include "engine/properties/protection/stack.h"
#include "engine/properties/references/borrows.h"
#include "engine/properties/references/deferred.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/properties/types/types.h"
#include "engine/summaries/summing.h"

namespace reckon::engine {

Properties::Properties(Executor& executor)
    : pointers(std::make_unique<Pointers>(executor)),
      references(std::make_unique<References>(executor)),
      borrows(std::make_unique<Borrows>(executor)),
      deferred(std::make_unique<Deferred>(executor)),
      reference_exits(std::make_unique<ReferenceExits>(executor)),
      counts(std::make_unique<Counts>(executor)),
      protection_stack(std::make_unique<ProtectionStack>(executor)),
      protection_exits(std::make_unique<ProtectionExits>(executor)),
      decisions(std::make_unique<Decisions>(executor)),
      collector(std::make_unique<Collector>(executor)),
      exceptions(std::make_unique<Exceptions>(executor)),
      locks(std::make_unique<Locks>(executor)),
      types(std::make_unique<Types>(executor)),
      formats(std::make_unique<Formats>(executor)),
      summing(std::make_unique<Summing>(executor)) {}

Properties::~Properties() = default;

Frame::Frame(const Context& context, FuncId function, const Look& how)
    : ctx(context),
      id(function),
      fn(context.program.function(function)),
      unit(context.program.unit(function)),
      body(fn.body),
      unit_id(context.program.unit_id(function)),
      contract(context.contracts.empty() ? Contract{} : context.contracts[function]),
      look(how),
      flow(fn.body, static_cast<std::uint32_t>(fn.params.size())) {
  const auto& domains = context.specs.domains();
  const std::uint8_t d = context.unit_domain[unit_id];
  gc = d < domains.size() && domains[d].reports_protection;
  if (const auto asked = context.asked_lines.find(function); asked != context.asked_lines.end())
    answer.line = asked->second;
}

Module::Module(Executor& e)
    : exec_(e),
      subject_(e.subject_),
      trail_(e.trail_),
      memory_(e.memory_),
      calls_(e.calls_),
      loop_(e.loop_),
      hooks_(e.hooks_),
      ctx_(e.frame_.ctx),
      id_(e.frame_.id),
      fn_(e.frame_.fn),
      unit_(e.frame_.unit),
      body_(e.frame_.body),
      unit_id_(e.frame_.unit_id),
      contract_(e.frame_.contract),
      joining_(e.frame_.look.joining),
      flow_(e.frame_.flow),
      terms_(e.frame_.terms),
      path_(e.frame_.path),
      changes_(e.frame_.changes),
      exits_(e.frame_.exits),
      result_(e.frame_.result),
      answer_(e.frame_.answer),
      max_steps_(e.frame_.look.steps),
      max_rounds_(e.frame_.look.rounds),
      branches_(e.frame_.look.branches),
      looks_only_(e.frame_.looks_only),
      gc_(e.frame_.gc),
      defs_(e.frame_.defs),
      uses_(e.frame_.uses),
      layouts_(e.frame_.layouts) {}

Properties& Module::props() const { return *exec_.properties_; }

Executor::Executor(const Context& context, FuncId function, const Look& look)
    : frame_(context, function, look),
      subject_(*this),
      trail_(*this),
      memory_(*this),
      calls_(*this),
      loop_(*this),
      properties_(std::make_unique<Properties>(*this)) {
  Properties& p = *properties_;
  if (frame_.gc) hooks_.add(*p.collector);
  hooks_.add(*p.pointers);
  hooks_.add(*p.references);
  hooks_.add(*p.borrows);
  hooks_.add(*p.deferred);
  hooks_.add(*p.reference_exits);
  hooks_.add(*p.types);
  hooks_.add(*p.exceptions);
  hooks_.add(*p.formats);
  hooks_.add(*p.locks);
  hooks_.add(*p.counts);
}

FunctionResult Executor::run() {
  if (loop_.run()) {
    for (const Exit& e : frame_.exits) hooks_.each<&Property::exit>(e);
    hooks_.each<&Property::all_exits>();
    frame_.result.summary = properties_->summing->summarise();
  }
  return std::move(frame_.result);
}

Executor::~Executor() = default;

const std::vector<OutcomeExit>& Executor::outcome_exits() const { return properties_->summing->outcome_exits_; }

}  // namespace reckon::engine
