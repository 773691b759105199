#include "engine/trace.h"

#include "engine/core/failing.h"
#include "engine/executor.h"

namespace reckon::engine {

const TermArena& Trace::terms() const { return look_.terms(); }
const std::vector<PathNode>& Trace::path_nodes() const { return look_.path_nodes(); }
const std::vector<PathChange>& Trace::path_changes() const { return look_.path_changes(); }
const model::Function& Trace::function() const { return look_.function(); }
const model::Unit& Trace::unit() const { return look_.unit(); }
const Context& Trace::context() const { return look_.context(); }
FuncId Trace::id() const { return look_.id(); }

bool Trace::ends_in_failure(InstrId instr, PathId path) const {
  const model::TypeKind type = unit().type(function().result).kind;
  for (const Exit& e : look_.exits())
    if (e.instr == instr && e.state.path == path && failing(terms(), e.state, e.result, type).sure) return true;
  return false;
}

ExcState Trace::entry_exception() const { return look_.entry_exception(); }
std::string Trace::callee_name(const model::Instr& call) const { return look_.callee_name(call); }
std::string Trace::describe(TermId t) const { return look_.describe(t); }

}  // namespace reckon::engine
