// Findings of functions that are too large to be walked path by path.
//
// The problem: where ways are joined, what was asked on them is lost, so that a way may lead from where one condition
// held to where another did, though the two exclude each other: a text is made for one kind of rule, and freed where
// the kind is asked for again. The method: a leak at an end that is reached only by way of the place that made the
// object does not need such a way. If the object is made on some of the ways only, and some end has given it up, it
// may. Limits: an object that is made on all ways, and given up under a condition that always holds, is told as lost.

#include "analysis/joined_ways.h"

#include <algorithm>

#include "engine/state.h"
#include "model/dominators.h"

namespace reckon::analysis {

namespace {

model::BlockId block_of(const model::Body& body, model::InstrId instr) {
  for (model::BlockId b{}; b < body.blocks.size(); ++b)
    if (instr >= body.blocks[b].first && instr < body.blocks[b].first + body.blocks[b].count) return b;
  return model::BlockId{};
}

}  // namespace

bool rests_on_joining(const engine::Executor& ex, const engine::Event& e) {
  const model::InstrId made = e.object.origin;
  if (e.kind != engine::EventKind::Leak || e.object.kind != engine::ObjKind::New || made == model::kNone ||
      e.instr == model::kNone)
    return false;
  const model::Body& body = ex.function().body;
  if (model::Dominators(body).dominates(block_of(body, made), block_of(body, e.instr))) return false;
  const auto& nodes = ex.path_nodes();
  const bool released = std::any_of(nodes.begin(), nodes.end(), [&](const engine::PathNode& n) {
    if (n.kind != engine::PathNode::Kind::Owned || n.owned > 0) return false;
    return n.object == e.object.term || ex.terms()[n.object].kind == engine::TermKind::Join;  // one of several
  });
  return released || std::any_of(ex.exits().begin(), ex.exits().end(), [&](const engine::Exit& exit) {
           const engine::Obj* x = exit.state.object(e.object.term);
           return x && (x->owned <= 0 || x->escaped);
         });
}

}  // namespace reckon::analysis
