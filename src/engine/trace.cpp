#include "engine/trace.h"

#include <algorithm>

#include "engine/core/failing.h"
#include "engine/executor.h"
#include "engine/properties/exceptions/exceptions.h"

namespace reckon::engine {

const TermArena& Trace::terms() const { return look_.terms(); }
const std::vector<PathNode>& Trace::path_nodes() const { return look_.path_nodes(); }
const std::vector<PathChange>& Trace::path_changes() const { return look_.path_changes(); }
const model::Function& Trace::function() const { return look_.function(); }
const model::Unit& Trace::unit() const { return look_.unit(); }
const Context& Trace::context() const { return look_.context(); }
FuncId Trace::id() const { return look_.id(); }

namespace {

// Does the way to `last` pass what `at` finds?
template <class Found>
bool passes(const std::vector<PathNode>& nodes, PathId last, Found at) {
  while (last != model::kNone && !at(last)) last = nodes[last].parent;
  return last != model::kNone;
}

// Does an end mean failure? An exception left beside a value may have been forgotten; beside 0 or nothing it tells.
bool fails(const Trace& trace, const Exit& e, model::TypeKind type) {
  const bool raised = e.state.exception == ExcState::Set && trace.entry_exception() != ExcState::Set;
  return (raised && (e.result == kNoTerm || e.state.facts.known_zero(trace.terms(), e.result))) ||
         failing(trace.terms(), e.state, e.result, type).sure;
}

// The last of the ends that are reached, if every one of them means failure.
template <class Reached>
std::optional<Refusal> refusal(const Trace& trace, const std::vector<Exit>& exits, Reached reached) {
  const model::TypeKind type = trace.unit().type(trace.function().result).kind;
  std::optional<Refusal> found;
  for (const Exit& e : exits) {
    if (!reached(e.state.path)) continue;
    if (!fails(trace, e, type)) return std::nullopt;
    found = Refusal{e.state.path, std::nullopt};
    if (e.result == kNoTerm) continue;
    if (const Range number = e.state.facts.range(trace.terms(), e.result); number.is_single())
      found->number = number.lo;
  }
  return found;
}

}  // namespace

// Ways that join go on under the name of one of them: then the ends count that were reached by the same last branch.
std::optional<Refusal> Trace::ends_in_failure(PathId path) const {
  const auto& nodes = path_nodes();
  auto below = [&](PathId end) {
    return path == model::kNone || passes(nodes, end, [&](PathId n) { return n == path; });
  };
  if (std::any_of(look_.exits().begin(), look_.exits().end(), [&](const Exit& e) { return below(e.state.path); }))
    return refusal(*this, look_.exits(), below);
  PathId branch = path;
  while (branch != model::kNone && nodes[branch].kind != PathNode::Kind::Branch) branch = nodes[branch].parent;
  if (branch == model::kNone) return std::nullopt;
  return refusal(*this, look_.exits(), [&](PathId end) {
    return passes(nodes, end, [&](PathId n) {
      return nodes[n].kind == PathNode::Kind::Branch && nodes[n].instr == nodes[branch].instr &&
             nodes[n].which == nodes[branch].which;
    });
  });
}

bool Trace::some_end_is_balanced() const {
  return std::any_of(look_.exits().begin(), look_.exits().end(), [](const Exit& e) {
    const auto& gc = e.state.gc;
    return !e.by_exception && gc.depth && gc.depth->is_const() && gc.depth->constant == 0 && gc.below == model::kNone;
  });
}

ExcState Trace::entry_exception() const { return engine::entry_exception(look_.contract()); }
std::string Trace::callee_name(const model::Instr& call) const { return look_.callee_name(call); }
std::string Trace::describe(TermId t) const { return look_.describe(t); }

}  // namespace reckon::engine
