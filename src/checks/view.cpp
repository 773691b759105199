#include "checks/check.h"
#include "checks/cleanup_exits.h"

#include <algorithm>

#include "checks/static_checks.h"
#include "specs/parser.h"
#include "support/limits.h"

namespace reckon::checks {

using engine::PathNode;
using model::kNone;

std::string View::object_name() const {
  if (event_.object.term == engine::kNoTerm) return {};
  return trace_.describe(event_.object.term);
}

std::string View::quoted_object() const {
  const std::string name = object_name();
  if (name.empty()) return "an object";
  if (name.ends_with("()")) return "the result of " + name;
  return "`" + name + "`";
}

std::string View::reference() const {
  const std::string name = object_name();
  if (name.ends_with("()")) return "from " + name;
  return name.empty() ? "to an object" : "`" + name + "`";
}

std::string View::origin_call() const {
  const model::InstrId o = event_.object.origin;
  if (o == kNone || trace_.function().body.instrs[o].op != model::Op::Call) return {};
  return trace_.callee_name(trace_.function().body.instrs[o]);
}

bool View::unnamed_in_callee() const {
  const model::Body& body = trace_.function().body;
  const model::InstrId o = event_.object.origin;
  if (!object_name().empty() || o == kNone || body.instrs[o].op != model::Op::Call) return false;
  const model::Operand callee = body.ops(body.instrs[o])[0];
  const engine::Context& ctx = trace_.context();
  const specs::FunctionSpec* spec =
      callee.kind == model::OperandKind::Symbol ? ctx.spec_of[ctx.program.unit_id(trace_.id())][callee.id] : nullptr;
  return !spec || spec->computed;
}

bool View::fails_by_errno() const {
  const engine::Context& ctx = trace_.context();
  return ctx.specs.domains()[ctx.unit_domain[ctx.program.unit_id(trace_.id())]].failure_value ==
         specs::FailureValue::Errno;
}

bool View::unproven_pointer() const {
  // Where a failure has an object of its own, programs do not ask for NULL if a call cannot fail where it stands: a
  // pattern that is a constant, a group that was looked up just before. None of the first ten such findings was real.
  const engine::Context& all = trace_.context();
  if (!all.specs.domains()[all.unit_domain[all.program.unit_id(trace_.id())]].error_structs.empty()) return true;
  if (!fails_by_errno()) return false;
  const engine::PathId n = event_.find<engine::NullFacts>() ? last_failure() : engine::PathId(kNone);
  if (n == kNone) return true;
  const model::Body& body = trace_.function().body;
  const model::Operand callee = body.ops(body.instrs[trace_.path_nodes()[n].instr])[0];
  const engine::Context& ctx = trace_.context();
  return callee.kind != model::OperandKind::Symbol || !ctx.spec_of[ctx.program.unit_id(trace_.id())][callee.id];
}

std::string View::callee_of(model::InstrId instr) const {
  if (instr == kNone || trace_.function().body.instrs[instr].op != model::Op::Call) return {};
  return trace_.callee_name(trace_.function().body.instrs[instr]);
}

std::string View::failing_call() const {
  const auto& nodes = trace_.path_nodes();
  for (engine::PathId n = event_.path; n != kNone; n = nodes[n].parent)
    if (nodes[n].kind == PathNode::Kind::Call && nodes[n].failure)
      return trace_.callee_name(trace_.function().body.instrs[nodes[n].instr]);
  return {};
}

// The call that failed last on the path; of a NULL, the one that gave it.
engine::PathId View::last_failure() const {
  const auto& nodes = trace_.path_nodes();
  const auto* null = event_.find<engine::NullFacts>();
  engine::PathId n = event_.path;
  while (n != kNone && !(nodes[n].kind == PathNode::Kind::Call && nodes[n].failure &&
                         (!null || null->giver.empty() || source_name(nodes[n].instr) == null->giver)))
    n = nodes[n].parent;
  return n;
}

// Did the last call that failed do so because of what a member holds, which nobody on this path has looked at: a
// conversion of an object kept there, or a function of the program that tests it? What is kept was good when it was
// stored, as a rule.
bool View::failed_by_member(bool helpers_too) const {
  const auto& nodes = trace_.path_nodes();
  const engine::PathId n = last_failure();
  if (n == kNone) return false;
  const model::Body& body = trace_.function().body;
  const model::Instr& call = body.instrs[nodes[n].instr];
  const auto ops = body.ops(call);
  if (ops[0].kind != model::OperandKind::Symbol) return false;
  const engine::Context& ctx = trace_.context();
  const auto unit = ctx.program.unit_id(trace_.id());
  if (const specs::FunctionSpec* spec = ctx.spec_of[unit][ops[0].id]) {
    const bool decided_by_argument = nodes[n].which < spec->outcomes.size() &&
                                     !spec->outcomes[nodes[n].which].out_of_memory_only && !spec->runs_code &&
                                     ops.size() > 1;
    const model::Type* type = call.aux != kNone ? &trace_.unit().type(body.calls[call.aux].type) : nullptr;
    const bool object = type && !type->params.empty() && ctx.counted(unit, type->params[0]);
    if (!decided_by_argument || !object) return false;
    // What a callback is called with is what it was registered with.
    const bool callback = ctx.program.callers(trace_.id()).empty() && ctx.program.roles(trace_.id()).empty() &&
                          trace_.unit().symbols[trace_.function().symbol].address_taken;
    return read_from_memory(ops[1]) ||
           (callback && ops[1].kind == model::OperandKind::Value && ops[1].id < trace_.function().params.size());
  }
  const auto f = ctx.program.definition(unit, ops[0].symbol_id());
  if (f == program::kNone || nodes[n].which >= ctx.summaries[f].outcomes.size()) return false;
  // Every way in which it fails so.
  const specs::Outcome& o = ctx.summaries[f].outcomes[nodes[n].which];
  const auto& all = ctx.summaries[f].outcomes;
  return helpers_too && std::all_of(all.begin(), all.end(), [&](const specs::Outcome& x) {
           if (!x.failure || x.result.kind != o.result.kind || x.result.imm != o.result.imm) return true;
           return !x.out_of_memory_only && std::any_of(x.when.begin(), x.when.end(), [](const specs::Condition& c) {
             return c.place.root == specs::Place::Root::Arg && !c.place.path.empty();
           });
         });
}

bool View::found_elsewhere() const {
  const engine::TermId of = event_.get<engine::UseFacts>().died_with_owner ? event_.object.owner : event_.object.term;
  if (of == engine::kNoTerm) return false;
  const engine::TermId t = trace_.terms().root(of);  // an object that is a part of what was found is found with it
  if (trace_.terms()[t].kind != engine::TermKind::Fresh) return false;
  const model::Body& body = trace_.function().body;
  const model::InstrId made = trace_.terms()[t].instr();
  if (made >= body.instrs.size() || body.instrs[made].op != model::Op::Call) return false;
  const auto ops = body.ops(body.instrs[made]);
  if (ops[0].kind != model::OperandKind::Symbol) return false;
  const specs::FunctionSpec* spec = trace_.context().spec_of[trace_.context().program.unit_id(trace_.id())][ops[0].id];
  return spec && spec->finds;
}

// Which of several numbers the helper that failed last gave is not known, so neither what callers make of it.
bool View::code_unknown() const {
  const auto& nodes = trace_.path_nodes();
  const engine::PathId n = last_failure();
  if (n == kNone) return false;
  const model::Instr& call = trace_.function().body.instrs[nodes[n].instr];
  const auto ops = trace_.function().body.ops(call);
  if (ops[0].kind != model::OperandKind::Symbol || call.result == kNone) return false;
  // A result nobody looks at may be any.
  const model::Body& body = trace_.function().body;
  if (std::none_of(body.instrs.begin(), body.instrs.end(), [&](const model::Instr& i) {
        const auto used = body.ops(i);
        return std::any_of(used.begin(), used.end(), [&](const model::Operand& o) {
          return o.kind == model::OperandKind::Value && o.value_id() == call.result;
        });
      }))
    return false;
  const engine::Context& ctx = trace_.context();
  const auto f = ctx.program.definition(ctx.program.unit_id(trace_.id()), ops[0].symbol_id());
  if (f == program::kNone || nodes[n].which >= ctx.summaries[f].outcomes.size()) return false;
  return ctx.summaries[f].outcomes[nodes[n].which].result.kind == specs::Value::Kind::Range;
}

// A call of a function of the program, whose result somebody wants?
bool View::calls_helper(model::InstrId instr) const {
  const model::Instr& i = trace_.function().body.instrs[instr];
  if (i.op != model::Op::Call || i.result == kNone) return false;
  const auto ops = trace_.function().body.ops(i);
  if (ops[0].kind != model::OperandKind::Symbol) return true;  // behind a pointer
  const engine::Context& ctx = trace_.context();
  const auto unit = ctx.program.unit_id(trace_.id());
  return !ctx.spec_of[unit][ops[0].id] && ctx.program.definition(unit, ops[0].symbol_id()) != program::kNone;
}

bool View::argument_from_memory() const {
  const auto ops = trace_.function().body.ops(trace_.function().body.instrs[event_.instr]);
  const std::size_t operand = event_.get<engine::NullFacts>().argument + 1;
  return operand < ops.size() && read_from_memory(ops[operand]);
}

bool View::read_from_memory(const model::Operand& value) const {
  const model::Body& body = trace_.function().body;
  auto def = [&](const model::Operand& o) -> const model::Instr* {
    for (const model::Instr& i : body.instrs)
      if (o.kind == model::OperandKind::Value && i.result == o.value_id()) return &i;
    return nullptr;
  };
  const model::Instr* i = def(value);
  while (i && i->op == model::Op::Cast) i = def(body.ops(*i)[0]);
  if (!i || i->op != model::Op::Load) return false;
  const model::Instr* from = def(body.ops(*i)[0]);
  return !from || from->op != model::Op::Alloca;
}

bool View::no_case_fits() const {
  const model::Body& body = trace_.function().body;
  const auto& nodes = trace_.path_nodes();
  std::vector<model::InstrId> passed;
  for (engine::PathId n = event_.path; n != kNone; n = nodes[n].parent) {
    if (nodes[n].kind != PathNode::Kind::Branch || nodes[n].which != 0 ||
        body.instrs[nodes[n].instr].op != model::Op::Switch)
      continue;
    const model::Operand over = body.ops(body.instrs[nodes[n].instr])[0];
    for (const model::InstrId other : passed)
      if (other != nodes[n].instr && body.ops(body.instrs[other])[0] == over) return true;
    passed.push_back(nodes[n].instr);
  }
  return false;
}

bool View::decided_out_of_sight() const {
  const model::Body& body = trace_.function().body;
  std::vector<model::InstrId> defs(body.num_values, kNone);
  for (model::InstrId n{}; n < body.instrs.size(); ++n)
    if (body.instrs[n].result != kNone) defs[body.instrs[n].result] = n;
  // A local that some function of the program got the address of.
  auto left_by_helper = [&](const model::Operand& address) {
    if (address.kind != model::OperandKind::Value || defs[address.id] == kNone ||
        body.instrs[defs[address.id]].op != model::Op::Alloca)
      return false;
    const engine::Context& ctx = trace_.context();
    const auto unit = ctx.program.unit_id(trace_.id());
    return std::any_of(body.instrs.begin(), body.instrs.end(), [&](const model::Instr& i) {
      const auto ops = body.ops(i);
      return i.op == model::Op::Call && ops[0].kind == model::OperandKind::Symbol && !ctx.spec_of[unit][ops[0].id] &&
             ctx.program.definition(unit, ops[0].symbol_id()) != program::kNone &&
             std::any_of(ops.begin() + 1, ops.end(), [&](const model::Operand& o) {
               return o.kind == model::OperandKind::Value && o.id == address.id;
             });
    });
  };
  // 2: by what a helper left in a local; 1: by what a helper gave; 0: by something else; -1: by a value that earlier
  // steps chose.
  auto decided_by = [&](const model::Operand& o, auto&& self, int fuel) -> int {
    if (fuel == 0 || o.kind != model::OperandKind::Value || o.id >= defs.size() || defs[o.id] == kNone) return 0;
    const model::Instr& i = body.instrs[defs[o.id]];
    if (i.op == model::Op::Call) return calls_helper(defs[o.id]) ? 1 : 0;
    if (i.op == model::Op::Phi) return -1;
    if (i.op == model::Op::Load && left_by_helper(body.ops(i)[0])) return 2;
    if (i.op != model::Op::Cmp && i.op != model::Op::Cast && i.op != model::Op::Arith) return 0;
    int out = 0;
    for (const model::Operand& part : body.ops(i))
      if (const int by = self(part, self, fuel - 1); by != 0 && out < 1) out = by;
    return out;
  };
  const auto& nodes = trace_.path_nodes();
  for (engine::PathId n = event_.path; n != kNone; n = nodes[n].parent) {
    if (nodes[n].kind == PathNode::Kind::Call && calls_helper(nodes[n].instr)) return !ends_clearly(nodes[n]);
    if (nodes[n].kind != PathNode::Kind::Branch) continue;
    const model::Instr& i = body.instrs[nodes[n].instr];
    if (i.op == model::Op::Switch && nodes[n].which == 0) return true;
    const int by =
        i.op == model::Op::CondBr ? decided_by(body.ops(i)[0], decided_by, support::kLimits.operands.branch_steps) : 0;
    if (by == 0) return false;
    if (by == 2) return true;
    if (by < 0) continue;
    while (n != kNone && !(nodes[n].kind == PathNode::Kind::Call && calls_helper(nodes[n].instr))) n = nodes[n].parent;
    return n == kNone || !ends_clearly(nodes[n]);
  }
  return false;
}

// Does the helper, where it ends as it did on this path, give a constant and leave the exception state alone?
bool View::ends_clearly(const PathNode& call) const {
  const engine::Context& ctx = trace_.context();
  const auto ops = trace_.function().body.ops(trace_.function().body.instrs[call.instr]);
  if (ops[0].kind != model::OperandKind::Symbol) return false;
  const auto f = ctx.program.definition(ctx.program.unit_id(trace_.id()), ops[0].symbol_id());
  if (f == program::kNone || call.which >= ctx.summaries[f].outcomes.size()) return false;
  const specs::Outcome& o = ctx.summaries[f].outcomes[call.which];
  if (o.result.kind != specs::Value::Kind::Int || o.exception != specs::Exception::Unchanged) return false;
  // The same value with an exception elsewhere: what sets none is the odd end, which may not be possible, and if it is,
  // the mistake is the helper's and not that of each of its callers.
  const auto& all = ctx.summaries[f].outcomes;
  return std::none_of(all.begin(), all.end(), [&](const specs::Outcome& other) {
    return other.exception != specs::Exception::Unchanged && other.result.kind == o.result.kind &&
           other.result.imm == o.result.imm;
  });
}

std::string View::source_name(model::InstrId instr) const {
  return instr == kNone ? std::string() : trace_.callee_name(trace_.function().body.instrs[instr]);
}

bool View::is_immortal() const {
  const engine::TermId t = event_.object.term;
  const engine::Context& ctx = trace_.context();
  const specs::GlobalSpec* g = nullptr;
  if (event_.object.preexisting)
    g = ctx.specs.find_global(domain() + "%ready");
  else if (event_.object.singleton && t != engine::kNoTerm && trace_.terms()[t].kind == engine::TermKind::Global)
    g = ctx.specs.find_global(trace_.terms().global_name(t));
  const std::string& version = ctx.unit_version[ctx.program.unit_id(trace_.id())];
  return g && g->immortal && !version.empty() && specs::up_to_version(g->immortal_since, version);
}

std::string View::domain() const {
  const auto& all = trace_.context().specs.domains();
  return event_.object.domain < all.size() ? all[event_.object.domain].name : std::string("reckon");
}

report::SourceLoc source_loc(const model::Unit& unit, const model::Loc& loc) {
  return {std::string(unit.str(loc.file)), loc.line, loc.col, std::string(unit.str(loc.macro))};
}

report::SourceLoc View::loc(model::InstrId instr) const {
  report::SourceLoc out;
  const model::Body& body = trace_.function().body;
  if (instr >= body.instrs.size()) return out;  // kNone, or a symbol that no instruction made
  const model::Unit& unit = trace_.unit();
  // An instruction without a place of its own stands where its neighbours do.
  model::Loc l = body.instrs[instr].loc;
  for (model::InstrId i = instr; l.line == 0 && i > 0;) l = body.instrs[--i].loc;
  if (l.line == 0) l = trace_.function().loc;
  out.file = unit.str(l.file);
  out.line = l.line;
  out.col = l.col;
  out.macro = unit.str(l.macro);
  return out;
}

// The function that the source has there: this one, or the rest of it that stands in a helper (program/rests.h).
std::string_view View::function_at(const report::SourceLoc& place) const {
  const model::Unit& unit = trace_.unit();
  auto holds = [&](const model::Function& f) {
    return f.loc.line <= place.line && place.line <= f.end.line && unit.str(f.loc.file) == place.file;
  };
  if (!holds(trace_.function()))
    for (const model::Function& f : unit.functions)
      if (f.rest_of != model::kNone && holds(f)) return unit.str(unit.symbols[f.symbol].display);
  return trace_.context().program.display(trace_.id());
}

namespace {

// Does this count keep objects alive? Then one of its gets may be refused, without an error number, since the object is
// on its way out; those of a clock or a supply say why they failed. Such a count goes wherever a pointer does: into
// lists, callbacks and structures, and whoever is given the pointer gives it back.
bool goes_with_pointers(const specs::SpecSet& all, std::string_view domain, std::string_view count) {
  bool refused = false;
  for (const auto& spec : all.functions()) {
    if (spec->domain != domain || spec->computed) continue;
    const auto takes = [&](const specs::Outcome& o) {
      return std::any_of(o.counts.begin(), o.counts.end(),
                         [&](const specs::CountChange& c) { return c.kind == count && c.delta > 0; });
    };
    if (std::none_of(spec->outcomes.begin(), spec->outcomes.end(), takes)) continue;
    for (const specs::Outcome& o : spec->outcomes) {
      if (o.result.kind == specs::Value::Kind::Range && o.result.imm < 0 && o.failure) return false;
      refused |= !takes(o) && o.result.kind == specs::Value::Kind::Int && o.result.imm == 0;
    }
  }
  return refused;
}

}  // namespace

report::Finding View::finding(std::string_view kind) const {
  report::Finding f;
  f.check = domain() + "-" + std::string(kind);
  f.object = object_name();
  f.loc = loc(returned_at(trace_, event_.instr, event_.path));
  f.function = function_at(f.loc);
  // An argument was not obtained anywhere in this function.
  if (event_.object.origin != kNone && event_.object.kind != engine::ObjKind::Param)
    f.origin = loc(event_.object.origin);
  f.origin_api = origin_call();
  if (event_.object.term != engine::kNoTerm && trace_.terms()[event_.object.term].kind == engine::TermKind::Fresh)
    f.origin_index = static_cast<std::uint32_t>(trace_.terms()[event_.object.term].imm);
  f.path = steps(event_.path);
  f.trigger = trigger();
  if (event_.oom) f.severity = report::Severity::Low;
  if (const auto* counted = event_.find<engine::CountFacts>();
      counted && !counted->count.empty() && fails_by_errno() &&
      goes_with_pointers(trace_.context().specs, domain(), counted->count))
    f.confidence = report::Confidence::Low;
  return f;
}

}  // namespace reckon::checks
