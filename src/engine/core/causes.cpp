#include "engine/core/causes.h"

#include <vector>

#include "model/texts.h"
#include "specs/parser.h"
#include "support/limits.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;
using specs::FailureCause;

FailureCause said_by(const specs::FunctionFlags& flags) {
  return flags.fails_for_memory ? FailureCause::Memory
         : flags.fails_by_input ? FailureCause::Input
         : flags.fails_outside  ? FailureCause::Outside
                                : FailureCause::Unsaid;
}

bool null_without_memory(std::span<const specs::Outcome> outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) {
    return o.out_of_memory_only && o.result.kind == specs::Value::Kind::Int && o.result.imm == 0;
  });
}

namespace {

const Instr* defined_by(const model::Body& body, const Operand& o) {
  if (o.kind != OperandKind::Value) return nullptr;
  const auto it =
      std::find_if(body.instrs.begin(), body.instrs.end(), [&](const Instr& i) { return i.result == o.value_id(); });
  return it == body.instrs.end() ? nullptr : &*it;
}

}  // namespace

Causes::Causes(const Context& ctx, FuncId function, const std::vector<PathNode>& nodes)
    : ctx_(ctx),
      unit_id_(ctx.program.unit_id(function)),
      unit_(ctx.program.unit(function)),
      body_(ctx.program.function(function).body),
      nodes_(nodes),
      set_up_(ctx.phases[function] == Phase::Init) {}

const specs::DomainSpec* Causes::domain() const {
  const DomainId number = ctx_.unit_domain[unit_id_];
  const auto& all = ctx_.specs.domains();
  return number < all.size() ? &all[number] : nullptr;
}

FailureCause Causes::customary() const {
  const specs::DomainSpec* d = domain();
  return d && d->failure_cause != FailureCause::Unsaid ? d->failure_cause : FailureCause::Outside;
}

// What a function of this domain refuses by itself.
FailureCause Causes::of_refusal() const {
  const FailureCause as_a_rule = customary();
  return set_up_ && as_a_rule == FailureCause::Input ? FailureCause::Outside : as_a_rule;
}

FailureCause Causes::of_call(InstrId call, const specs::Outcome& outcome, const specs::FunctionSpec* spec) const {
  const FailureCause said = said_of(call, outcome, spec);
  return set_up_ && said == FailureCause::Input ? FailureCause::Memory : said;
}

// What is said of calls that are given a certain text: how to treat errors, which method to call.
FailureCause Causes::of_text(InstrId call, const specs::FunctionSpec& spec) const {
  const specs::DomainSpec* d = ctx_.specs.find_domain(spec.domain);
  if (!d) return FailureCause::Unsaid;
  for (const Operand& argument : body_.ops(body_.instrs[call]).subspan(1)) {
    const auto text = model::constant_text(unit_, argument);
    if (!text) continue;
    const std::string given = spec.name + "(" + std::string(*text) + ")";
    for (const auto& [pattern, cause] : d->blamed)
      if (pattern.ends_with(')') && specs::matches_pattern(pattern, given)) return cause;
  }
  return FailureCause::Unsaid;
}

FailureCause Causes::said_of(InstrId call, const specs::Outcome& outcome, const specs::FunctionSpec* spec) const {
  if (outcome.out_of_memory_only) return FailureCause::Memory;
  if (outcome.cause != FailureCause::Unsaid) return outcome.cause;
  if (!spec) return customary();
  if (const FailureCause said = of_text(call, *spec); said != FailureCause::Unsaid) return said;
  if (const FailureCause said = said_by(*spec); said != FailureCause::Unsaid) return said;
  const specs::DomainSpec* d = ctx_.specs.find_domain(spec->domain);
  return d && d->failure_cause != FailureCause::Unsaid ? d->failure_cause : customary();
}

FailureCause Causes::of_raising(InstrId call, const specs::Outcome& outcome, const specs::FunctionSpec* spec) const {
  if (const FailureCause said = spec ? said_by(*spec) : FailureCause::Unsaid; said != FailureCause::Unsaid) return said;
  const specs::DomainSpec* d = domain();
  if (!d) return outcome.cause;
  for (const Operand& argument : body_.ops(body_.instrs[call]).subspan(1)) {
    const Instr* read = defined_by(body_, argument);
    const Operand from = read && read->op == Op::Load ? body_.ops(*read)[0] : argument;
    if (from.kind != OperandKind::Symbol) continue;
    const std::string_view name = unit_.name(from.symbol_id());
    const auto it = std::find_if(d->blamed.begin(), d->blamed.end(), [&](const auto& b) { return b.first == name; });
    if (it != d->blamed.end()) return it->second;
  }
  return outcome.cause;
}

Causes::Question Causes::asked(const Operand& condition) const {
  std::vector<Operand> todo{condition};
  Question out{InstrId(kNone)};
  constexpr std::size_t kMost = support::kLimits.operands.cause_steps;
  for (std::size_t at = 0; at < todo.size() && at < kMost; ++at) {
    const Instr* i = defined_by(body_, todo[at]);
    if (i && (i->op == Op::Cmp || i->op == Op::Cast || i->op == Op::Phi || i->op == Op::Arith)) {
      for (const Operand& o : body_.ops(*i))
        if (std::find(todo.begin(), todo.end(), o) == todo.end()) todo.push_back(o);
      continue;
    }
    out.counted_here = out.counted_here && (todo[at].kind == OperandKind::Int || todo[at].kind == OperandKind::Null);
    if (!i || i->op != Op::Call) continue;
    const InstrId found(static_cast<std::uint32_t>(i - body_.instrs.data()));
    if (out.call != kNone && out.call != found) return {InstrId(kNone), false};
    out.call = found;
  }
  out.counted_here = out.counted_here && todo.size() <= kMost;
  return out;
}

Causes::Question Causes::asked_at(const PathNode& branch) const {
  const auto ops = body_.ops(body_.instrs[branch.instr]);
  return ops.empty() ? Question{InstrId(kNone), false} : asked(ops[0]);
}

bool Causes::is_helper(InstrId call) const {
  const Operand callee = body_.ops(body_.instrs[call])[0];
  return callee.kind == OperandKind::Symbol && !ctx_.spec_of[unit_id_][callee.id] &&
         ctx_.program.definition(unit_id_, callee.symbol_id()) != program::kNone;
}

// Nobody knows how it fails: it has neither a body nor a spec, or one that says nothing of what it answers.
bool Causes::out_of_sight(InstrId call) const {
  const Operand callee = body_.ops(body_.instrs[call])[0];
  if (callee.kind != OperandKind::Symbol) return false;
  const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][callee.id];
  if (!spec) return ctx_.program.definition(unit_id_, callee.symbol_id()) == program::kNone;
  return !spec->pure && !spec->tests_exception && spec->outcomes.size() == 1 && !spec->outcomes[0].failure &&
         spec->outcomes[0].result.kind == specs::Value::Kind::Unknown;
}

// What stands behind the last question before a function refused: somebody outside who was asked, unless all they got
// were numbers, of which one was not good.
FailureCause Causes::of_question(InstrId call, FailureCause raised) const {
  if (raised == FailureCause::Input) return raised;
  if (call == kNone || !out_of_sight(call)) return FailureCause::Unsaid;
  const auto given = body_.ops(body_.instrs[call]).subspan(1);
  const std::uint32_t aux = body_.instrs[call].aux;
  if (aux == kNone || given.empty()) return FailureCause::Outside;
  const auto& params = unit_.type(body_.calls[aux].type).params;
  const bool numbers = std::all_of(params.begin(), params.end(),
                                   [&](model::TypeId t) { return unit_.type(t).kind == model::TypeKind::Int; });
  return numbers ? FailureCause::Input : FailureCause::Outside;
}

// What made the call fail whose answer was asked for last on this way; Unsaid: nobody asked, or it did not fail.
// `helper`: a function of the program raises for it, which it does after failures of all kinds.
FailureCause Causes::of_answer(PathId last, bool helper) const {
  while (last != kNone && nodes_[last].kind != PathNode::Kind::Branch) last = nodes_[last].parent;
  if (last == kNone) return FailureCause::Unsaid;
  const InstrId call = asked_at(nodes_[last]).call;
  const FailureCause told = of_node(last, call);
  return told == FailureCause::Unsaid && helper ? of_question(call, FailureCause::Unsaid) : told;
}

FailureCause Causes::of_asked(PathId last, const Operand& value) const { return of_node(last, asked(value).call); }

// What made this call fail on this way, if it did.
FailureCause Causes::of_node(PathId last, InstrId call) const {
  if (call == kNone) return FailureCause::Unsaid;
  while (last != kNone && (nodes_[last].kind != PathNode::Kind::Call || nodes_[last].instr != call))
    last = nodes_[last].parent;
  return last == kNone || nodes_[last].raises ? FailureCause::Unsaid : nodes_[last].cause;
}

// Was raising an exception the last thing on this way that went wrong?
bool Causes::raised_last(PathId last) const {
  for (PathId n = last; n != kNone; n = nodes_[n].parent)
    if (nodes_[n].kind == PathNode::Kind::Call && (nodes_[n].raises || nodes_[n].failure)) return nodes_[n].raises;
  return false;
}

FailureCause Causes::of_way(PathId last, bool refuses, std::optional<std::int64_t> number) const {
  const specs::DomainSpec* d = domain();
  if (refuses && number && d)
    for (const auto& [value, cause] : d->blamed_numbers)
      if (value == *number) return cause;
  FailureCause raised = FailureCause::Unsaid;
  // What is asked after the function has raised is about cleaning up.
  const bool cleans_up = raised_last(last);
  bool asked_before = false, explained = false;
  for (PathId n = last; n != kNone; n = nodes_[n].parent) {
    const PathNode& node = nodes_[n];
    if (node.kind == PathNode::Kind::Call && node.raises && !explained) {
      refuses = explained = true;
      raised = node.cause;
      if (raised == FailureCause::Memory) return raised;
      // A ValueError for a copy that could not be made is a matter of memory.
      if (raised == FailureCause::Input) {
        const FailureCause answer = of_answer(n, is_helper(node.instr));
        return answer == FailureCause::Unsaid ? raised : answer;
      }
    } else if (node.kind == PathNode::Kind::Call && node.failure && !node.raises) {
      return node.cause;
    } else if (node.kind == PathNode::Kind::Branch && refuses && !asked_before && (explained || !cleans_up)) {
      const Question question = asked_at(node);
      if (question.counted_here) continue;
      asked_before = true;
      if (const FailureCause by = of_question(question.call, raised); by != FailureCause::Unsaid) return by;
    }
  }
  return refuses ? of_refusal() : FailureCause::Unsaid;
}

}  // namespace reckon::engine
