#include "checks/check.h"

#include <algorithm>

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

std::string View::failing_call() const {
  const auto& nodes = ex_.path_nodes();
  for (std::uint32_t n = event_.path; n != kNone; n = nodes[n].parent)
    if (nodes[n].kind == PathNode::Kind::Call && nodes[n].failure)
      return ex_.callee_name(ex_.function().body.instrs[nodes[n].instr]);
  return {};
}

std::string View::domain() const {
  const auto& all = ex_.context().specs.domains();
  return event_.object.domain < all.size() ? all[event_.object.domain].name : std::string("reckon");
}

report::SourceLoc View::loc(std::uint32_t instr) const {
  report::SourceLoc out;
  if (instr == kNone) return out;
  const model::Body& body = ex_.function().body;
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

std::vector<report::Step> View::steps(std::uint32_t last) const {
  const auto& nodes = ex_.path_nodes();
  const model::Body& body = ex_.function().body;
  std::vector<std::uint32_t> order;
  for (std::uint32_t n = last; n != kNone; n = nodes[n].parent) order.push_back(n);
  std::reverse(order.begin(), order.end());
  std::vector<report::Step> steps;
  for (std::uint32_t n : order) {
    const PathNode& node = nodes[n];
    report::Step step;
    step.loc = loc(node.instr);
    switch (node.kind) {
      case PathNode::Kind::Branch: {
        const model::Instr& i = body.instrs[node.instr];
        if (i.op == model::Op::Switch)
          step.text = node.which == 0 ? "taking the default case" : "taking case " + std::to_string(body.ops(i)[node.which].imm);
        else
          step.text = node.which == 0 ? "taking the true branch" : "taking the false branch";
        step.essential = false;
        break;
      }
      case PathNode::Kind::Call: {
        const std::string callee = ex_.callee_name(body.instrs[node.instr]);
        if (callee.empty()) continue;
        step.text = node.failure ? "when " + callee + "() fails" : "when " + callee + "() returns";
        step.essential = node.failure;
        break;
      }
      case PathNode::Kind::Count: {
        const bool mine = node.object == event_.object.term;
        const std::string name = ex_.describe(node.object);
        const std::string callee = body.instrs[node.instr].op == model::Op::Call ? ex_.callee_name(body.instrs[node.instr]) : "";
        step.text = callee.empty() ? "the count changes" : callee + "()";
        step.state = "owned references of " + (name.empty() ? "the object" : "`" + name + "`") + ": " + std::to_string(node.owned);
        step.essential = mine;
        break;
      }
    }
    steps.push_back(std::move(step));
  }
  // The last branch says how the path got to the end.
  for (auto it = steps.rbegin(); it != steps.rend(); ++it)
    if (it->text.starts_with("taking")) {
      it->essential = true;
      break;
    }
  return steps;
}

report::Finding View::finding(std::string_view kind) const {
  report::Finding f;
  f.check = domain() + "-" + std::string(kind);
  f.function = std::string(ex_.context().program.display(ex_.id()));
  f.object = object_name();
  f.loc = loc(event_.instr);
  if (event_.object.origin != kNone) f.origin = loc(event_.object.origin);
  f.origin_api = origin_call();
  if (event_.object.term != engine::kNoTerm && ex_.terms()[event_.object.term].kind == engine::TermKind::Fresh)
    f.origin_index = static_cast<std::uint32_t>(ex_.terms()[event_.object.term].imm);
  f.path = steps(event_.path);
  if (event_.oom) f.severity = report::Severity::Low;
  return f;
}

}  // namespace reckon::checks
