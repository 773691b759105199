// Puts one look at a function together: the modules of the core, the properties of the table, and the passes of the
// look, which are to walk, to judge and to sum up.

#include "engine/executor.h"
#include "engine/properties/properties.h"
#include "engine/summaries/summing.h"

#define MODULE_HEADERS
#include "engine/properties/properties.def"
#undef MODULE_HEADERS

namespace reckon::engine {

Properties::Properties(Executor& executor) {
#define MODULE(Type, name, active) name = std::make_unique<Type>(executor);
#define HELPER(Type, name) name = std::make_unique<Type>(executor);
#include "engine/properties/properties.def"
}

Properties::~Properties() = default;

namespace {

std::vector<InstrId> definitions(const model::Body& body) {
  std::vector<InstrId> out(body.num_values, InstrId(model::kNone));
  for (InstrId n{}; n < body.instrs.size(); ++n)
    if (const model::ValueId v = body.instrs[n].result; v != model::kNone) out[v] = n;
  return out;
}

std::vector<std::uint32_t> numbers_of_uses(const model::Body& body) {
  std::vector<std::uint32_t> out(body.num_values, 0);
  for (const model::Instr& i : body.instrs)
    for (const model::Operand& o : body.ops(i))
      if (o.kind == model::OperandKind::Value) ++out[o.id];
  return out;
}

}  // namespace

Frame::Frame(const Context& context, FuncId function, const Look& how)
    : ctx(context),
      id(function),
      fn(context.program.function(function)),
      unit(context.program.unit(function)),
      body(fn.body),
      unit_id(context.program.unit_id(function)),
      contract(context.contracts.empty() ? Contract{} : context.contracts[function]),
      look(how),
      flow(fn.body, static_cast<std::uint32_t>(fn.params.size())),
      defs(definitions(fn.body)),
      uses(numbers_of_uses(fn.body)) {
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
      manner_(e.frame_.manner),
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
      properties_(std::make_unique<Properties>(*this)),
      summing_(std::make_unique<Summing>(*this)) {
  const auto& domains = context.specs.domains();
  const DomainId index = context.unit_domain[frame_.unit_id];
  static const specs::DomainSpec none;
  const specs::DomainSpec& domain = index < domains.size() ? domains[index] : none;
#define MODULE(Type, name, active) \
  if (active) hooks_.add(*properties_->name);
#include "engine/properties/properties.def"
  hooks_.each<&Property::manner>(frame_.manner);
}

FunctionResult Executor::run() {
  if (loop_.run()) {
    for (const Exit& e : frame_.exits) hooks_.each<&Property::exit>(e);
    hooks_.each<&Property::all_exits>();
    frame_.result.summary = summing_->summarise();
  }
  return std::move(frame_.result);
}

Executor::~Executor() = default;

const std::vector<OutcomeExit>& Executor::outcome_exits() const { return summing_->outcome_exits_; }

}  // namespace reckon::engine
