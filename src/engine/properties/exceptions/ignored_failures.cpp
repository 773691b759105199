// A helper calls what can fail, throws the answer away and goes on: the exception stays set, and some call much later
// trips over it. Entry functions are judged by what they return; of others it is asked here whether anybody could still
// notice.
//
// Limits: results that are stored or passed on count as looked at; a caller that asks for exceptions anywhere is taken
// to ask for this one; callers of callers are looked at only where a caller has no result to tell of it.

#include "engine/properties/exceptions/ignored_failures.h"

#include <algorithm>

namespace reckon::engine {

using model::Instr;
using model::kNone;

namespace {

const specs::FunctionSpec* spec_of(const Context& ctx, FuncId f, const Instr& i) {
  if (i.op != model::Op::Call) return nullptr;
  const model::Operand callee = ctx.program.function(f).body.ops(i)[0];
  return callee.kind == model::OperandKind::Symbol ? ctx.spec_of[ctx.program.unit_id(f)][callee.id] : nullptr;
}

// What a call may do: as the spec says, or else the one function with a body that it names.
const std::vector<specs::Outcome>* outcomes_of(const Context& ctx, FuncId f, const Instr& i) {
  if (const specs::FunctionSpec* spec = spec_of(ctx, f, i)) return &spec->outcomes;
  if (i.op != model::Op::Call || ctx.program.function(f).body.ops(i)[0].kind != model::OperandKind::Symbol)
    return nullptr;
  const std::vector<FuncId> targets = ctx.program.targets(f, i);
  return targets.size() == 1 ? ctx.outcomes_before(targets[0], f) : nullptr;
}

bool asks_for_exception(const specs::FunctionSpec& spec) {
  return spec.tests_exception || std::any_of(spec.outcomes.begin(), spec.outcomes.end(), [](const specs::Outcome& o) {
           return o.pending == specs::Pending::Raised || o.exception == specs::Exception::Cleared;
         });
}

const specs::FunctionSpec* spec_of(const Context& ctx, FuncId f, const program::CallNote& call) {
  return call.callee != kNone ? ctx.spec_of[ctx.program.unit_id(f)][call.callee] : nullptr;
}

// A function around one call of the API: what that is. This is read from notes and not from its outcomes, because
// those of functions that other callers use may not be there yet.
const specs::FunctionSpec* wrapped(const Context& ctx, FuncId f, const program::CallNote& call) {
  if (call.callee == kNone) return nullptr;
  const std::vector<FuncId> targets = ctx.program.targets(ctx.program.unit_id(f), call);
  if (targets.size() != 1) return nullptr;
  const auto& calls = ctx.program.notes(targets[0]).calls;
  return calls.size() == 1 ? spec_of(ctx, targets[0], calls[0]) : nullptr;
}

}  // namespace

bool deals_with_exceptions(const Context& ctx, FuncId f) {
  const auto& calls = ctx.program.notes(f).calls;
  return std::any_of(calls.begin(), calls.end(), [&](const program::CallNote& call) {
    const specs::FunctionSpec* spec = spec_of(ctx, f, call);
    if (!spec) spec = wrapped(ctx, f, call);
    return spec && asks_for_exception(*spec);
  });
}

InstrId last_failure(const std::vector<PathNode>& nodes, PathId path) {
  while (path != kNone && !(nodes[path].kind == PathNode::Kind::Call && nodes[path].failure)) path = nodes[path].parent;
  return path == kNone ? kNone : nodes[path].instr;
}

bool asks_object(const Context& ctx, FuncId function, InstrId call) {
  const model::Body& body = ctx.program.function(function).body;
  const Instr& i = body.instrs[call];
  const specs::FunctionSpec* spec = spec_of(ctx, function, i);
  if (!spec || !spec->runs_code || i.aux == kNone) return false;
  auto counted = [&](model::TypeId t) { return ctx.counted(ctx.program.unit_id(function), t); };
  const auto& type = ctx.program.unit(function).type(body.calls[i.aux].type);
  return counted(i.type) && !type.params.empty() && counted(type.params[0]) &&
         std::any_of(spec->outcomes.begin(), spec->outcomes.end(),
                     [](const specs::Outcome& o) { return o.failure && !o.out_of_memory_only; });
}

bool callers_ask(const Context& ctx, FuncId function) {
  std::vector<FuncId> open{function};
  for (std::size_t n = 0; n < open.size(); ++n)
    for (const FuncId f : ctx.program.callers(open[n])) {
      if (deals_with_exceptions(ctx, f)) return true;
      const model::TypeId result = ctx.program.declared(f).result;
      const bool tells = ctx.program.frame(f).type(result).kind != model::TypeKind::Void;
      if (!tells && std::find(open.begin(), open.end(), f) == open.end()) open.push_back(f);
    }
  return false;
}

InstrId ignored_failure(const Context& ctx, FuncId function, const std::vector<PathNode>& nodes, PathId path) {
  const InstrId failed = last_failure(nodes, path);
  if (failed == kNone) return kNone;
  const model::Body& body = ctx.program.function(function).body;
  const Instr& call = body.instrs[failed];
  const std::vector<specs::Outcome>* outcomes = outcomes_of(ctx, function, call);
  if (!outcomes || call.result == kNone || ctx.program.unit(function).type(call.type).kind != model::TypeKind::Int)
    return kNone;
  bool succeeds = false, tells_otherwise = false;
  for (const specs::Outcome& o : *outcomes) {
    succeeds = succeeds || o.exception != specs::Exception::Set;
    tells_otherwise = tells_otherwise || (o.failure && !o.stores.empty());  // by what it leaves in an argument
  }
  if (!succeeds || tells_otherwise) return kNone;
  const bool used = std::any_of(body.operands.begin(), body.operands.end(),
                                [&](const model::Operand& o) { return o == model::Operand::value(call.result); });
  return used || deals_with_exceptions(ctx, function) || callers_ask(ctx, function) ? kNone : failed;
}

}  // namespace reckon::engine
