#include "checks/check.h"

#include "specs/parser.h"

namespace reckon::checks {

using engine::PathNode;
using model::kNone;

std::string View::object_name() const {
  if (event_.object.term == engine::kNoTerm) return {};
  return ex_.describe(event_.object.term);
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
  const std::uint32_t o = event_.object.origin;
  if (o == kNone || ex_.function().body.instrs[o].op != model::Op::Call) return {};
  return ex_.callee_name(ex_.function().body.instrs[o]);
}

std::string View::callee_of(std::uint32_t instr) const {
  if (instr == kNone || ex_.function().body.instrs[instr].op != model::Op::Call) return {};
  return ex_.callee_name(ex_.function().body.instrs[instr]);
}

std::string View::failing_call() const {
  const auto& nodes = ex_.path_nodes();
  for (std::uint32_t n = event_.path; n != kNone; n = nodes[n].parent)
    if (nodes[n].kind == PathNode::Kind::Call && nodes[n].failure)
      return ex_.callee_name(ex_.function().body.instrs[nodes[n].instr]);
  return {};
}

// A call of a function of the program, whose result somebody wants?
bool View::calls_helper(std::uint32_t instr) const {
  const model::Instr& i = ex_.function().body.instrs[instr];
  if (i.op != model::Op::Call || i.result == kNone) return false;
  const auto ops = ex_.function().body.ops(i);
  if (ops[0].kind != model::OperandKind::Symbol) return true;  // behind a pointer
  const engine::Context& ctx = ex_.context();
  const auto unit = ctx.program.unit_id(ex_.id());
  return !ctx.spec_of[unit][ops[0].id] && ctx.program.definition(unit, ops[0].id) != program::kNone;
}

bool View::argument_from_memory() const {
  const model::Body& body = ex_.function().body;
  const auto ops = body.ops(body.instrs[event_.instr]);
  if (event_.argument + 1 >= ops.size()) return false;
  auto def = [&](const model::Operand& o) -> const model::Instr* {
    for (const model::Instr& i : body.instrs)
      if (o.kind == model::OperandKind::Value && i.result == o.id) return &i;
    return nullptr;
  };
  const model::Instr* i = def(ops[event_.argument + 1]);
  while (i && i->op == model::Op::Cast) i = def(body.ops(*i)[0]);
  if (!i || i->op != model::Op::Load) return false;
  const model::Instr* from = def(body.ops(*i)[0]);
  return !from || from->op != model::Op::Alloca;
}

bool View::decided_out_of_sight() const {
  const model::Body& body = ex_.function().body;
  std::vector<std::uint32_t> defs(body.num_values, kNone);
  for (std::uint32_t n = 0; n < body.instrs.size(); ++n)
    if (body.instrs[n].result != kNone) defs[body.instrs[n].result] = n;
  // 1: by what a helper gave; 0: by something else; -1: by a value that earlier steps chose.
  auto decided_by = [&](const model::Operand& o, auto&& self, int fuel) -> int {
    if (fuel == 0 || o.kind != model::OperandKind::Value || o.id >= defs.size() || defs[o.id] == kNone) return 0;
    const model::Instr& i = body.instrs[defs[o.id]];
    if (i.op == model::Op::Call) return calls_helper(defs[o.id]) ? 1 : 0;
    if (i.op == model::Op::Phi) return -1;
    if (i.op != model::Op::Cmp && i.op != model::Op::Cast && i.op != model::Op::Arith) return 0;
    int out = 0;
    for (const model::Operand& part : body.ops(i))
      if (const int by = self(part, self, fuel - 1); by != 0 && out != 1) out = by;
    return out;
  };
  const auto& nodes = ex_.path_nodes();
  for (std::uint32_t n = event_.path; n != kNone; n = nodes[n].parent) {
    if (nodes[n].kind == PathNode::Kind::Call && calls_helper(nodes[n].instr)) return !ends_clearly(nodes[n]);
    if (nodes[n].kind != PathNode::Kind::Branch) continue;
    const model::Instr& i = body.instrs[nodes[n].instr];
    if (i.op == model::Op::Switch && nodes[n].which == 0) return true;
    const int by = i.op == model::Op::CondBr ? decided_by(body.ops(i)[0], decided_by, 6) : 0;
    if (by == 0) return false;
    if (by < 0) continue;
    while (n != kNone && !(nodes[n].kind == PathNode::Kind::Call && calls_helper(nodes[n].instr))) n = nodes[n].parent;
    return n == kNone || !ends_clearly(nodes[n]);
  }
  return false;
}

// Does the helper, where it ends as it did on this path, give a constant and leave the exception state alone?
bool View::ends_clearly(const PathNode& call) const {
  const engine::Context& ctx = ex_.context();
  const auto ops = ex_.function().body.ops(ex_.function().body.instrs[call.instr]);
  if (ops[0].kind != model::OperandKind::Symbol) return false;
  const auto f = ctx.program.definition(ctx.program.unit_id(ex_.id()), ops[0].id);
  if (f == program::kNone || call.which >= ctx.summaries[f].outcomes.size()) return false;
  const specs::Outcome& o = ctx.summaries[f].outcomes[call.which];
  return o.result.kind == specs::Value::Kind::Int && o.exception == specs::Exception::Unchanged;
}

std::string View::source_name(std::uint32_t instr) const {
  return instr == kNone ? std::string() : ex_.callee_name(ex_.function().body.instrs[instr]);
}

bool View::is_immortal() const {
  if (!event_.object.singleton || event_.object.term == engine::kNoTerm) return false;
  const engine::Context& ctx = ex_.context();
  const specs::GlobalSpec* g = ctx.specs.find_global(ex_.terms().global_name(event_.object.term));
  const std::string& version = ctx.unit_version[ctx.program.unit_id(ex_.id())];
  return g && !version.empty() && specs::up_to_version(g->immortal_since, version);
}

std::string View::domain() const {
  const auto& all = ex_.context().specs.domains();
  return event_.object.domain < all.size() ? all[event_.object.domain].name : std::string("reckon");
}

report::SourceLoc View::loc(std::uint32_t instr) const {
  report::SourceLoc out;
  const model::Body& body = ex_.function().body;
  if (instr >= body.instrs.size()) return out;  // kNone, or a symbol that no instruction made
  const model::Unit& unit = ex_.unit();
  // An instruction without a place of its own stands where its neighbours do.
  model::Loc l = body.instrs[instr].loc;
  for (std::uint32_t i = instr; l.line == 0 && i > 0;) l = body.instrs[--i].loc;
  if (l.line == 0) l = ex_.function().loc;
  out.file = unit.str(l.file);
  out.line = l.line;
  out.col = l.col;
  out.macro = unit.str(l.macro);
  return out;
}

report::Finding View::finding(std::string_view kind) const {
  report::Finding f;
  f.check = domain() + "-" + std::string(kind);
  f.function = std::string(ex_.context().program.display(ex_.id()));
  f.object = object_name();
  f.loc = loc(event_.instr);
  // An argument was not obtained anywhere in this function.
  if (event_.object.origin != kNone && event_.object.kind != engine::ObjKind::Param) f.origin = loc(event_.object.origin);
  f.origin_api = origin_call();
  if (event_.object.term != engine::kNoTerm && ex_.terms()[event_.object.term].kind == engine::TermKind::Fresh)
    f.origin_index = static_cast<std::uint32_t>(ex_.terms()[event_.object.term].imm);
  f.path = steps(event_.path);
  if (event_.oom) f.severity = report::Severity::Low;
  return f;
}

}  // namespace reckon::checks
