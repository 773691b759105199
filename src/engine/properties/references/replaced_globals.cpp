// A global that owns an object is given another one, and the old one is not released.
//
// The problem: `last = PyObject_Str(o);` in a function that is called again and again loses what the call before left
// in `last`. The method: at the ends of an entry point, each global that holds a reference of its own by now is asked
// what it held at entry: that is lost unless it was NULL, was released, or is somewhere else now.
//
// Limits: entry points that run when a module is set up run once, and so does what another global is asked about first
// (`if (ready) return; ready = 1;`); nothing is said of a global that a helper writes to.

#include <algorithm>
#include <string_view>

#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"

namespace reckon::engine {

using model::kNone;

// Is it called by others, as often as they like?
bool ReferenceExits::runs_again() const {
  return subject_.is_entry() && !contract_.at_init && !contract_.at_teardown && !contract_.frees_object &&
         (ctx_.phases.empty() || ctx_.phases[id_] == Phase::Run);
}

// Does a function that this one calls, or one that that calls, write to the global? Outcomes do not tell of variables
// that are private to a file.
bool ReferenceExits::callee_writes(std::string_view global) const {
  const program::Program& program = ctx_.program;
  std::vector<FuncId> open{id_};
  for (std::size_t n = 0; n < open.size(); ++n)
    for (const FuncId f : program.callees(open[n])) {
      if (std::find(open.begin(), open.end(), f) != open.end()) continue;
      const auto& written = program.notes(f).written_globals;
      const model::Unit& unit = program.frame(f);
      if (std::any_of(written.begin(), written.end(), [&](model::SymId s) { return unit.name(s) == global; }))
        return true;
      open.push_back(f);
    }
  return false;
}

// Does the way here depend on what another global held? That may tell whether this was done before.
bool ReferenceExits::goes_by_other_globals(const State& s, TermId global) const {
  const auto& known = s.facts.ranges();
  return std::any_of(known.begin(), known.end(), [&](const auto& fact) {
    if (terms_[fact.first].kind != TermKind::Initial) return false;
    const TermId root = terms_.root(terms_[fact.first].left());
    return terms_[root].kind == TermKind::Global && root != global;
  });
}

// Does what the global held at entry live on: in memory, in a container, with a callee, as the result?
bool ReferenceExits::given_on(const Exit& e, TermId old) const {
  if (old == e.result) return true;
  if (const Obj* o = e.state.object(old))
    if (o->owned != 0 || o->escaped || o->handed || o->indirect || o->immortal || !o->holders.empty()) return true;
  return std::any_of(e.state.memory.begin(), e.state.memory.end(), [&](const Cell& c) { return c.value == old; });
}

void ReferenceExits::check_replaced_globals(const Exit& e) {
  if (e.by_exception || !runs_again()) return;
  const State& s = e.state;
  for (const Cell& c : s.memory) {
    if (terms_[c.base].kind != TermKind::Global || c.offset != 0 || s.epoch(c.base) != 0) continue;
    const Obj* now = s.object(c.value);
    if (!now || now->owned <= 0 || now->escaped || now->immortal || now->indirect || now->kind == ObjKind::Interior)
      continue;
    const TermId old = terms_.initial(c.base, 0, 0);
    if (old == c.value || s.facts.known_zero(terms_, old) || given_on(e, old)) continue;
    std::string_view name = terms_.global_name(c.base);
    name = name.substr(0, name.find('@'));
    if (goes_by_other_globals(s, c.base) || callee_writes(name)) {
      trail_.silent(Silence::FollowsState, old, e.instr);
      continue;
    }
    EventObject lost;
    lost.term = old;
    lost.kind = ObjKind::Loaded;
    lost.domain = now->domain;
    lost.origin = store_to(unit_, body_, name, now->touched);
    if (Event* event = trail_.emit(EventKind::Leak, s, &lost, lost.origin == kNone ? e.instr : lost.origin))
      event->get<LeakFacts>().reason = LeakFacts::Reason::GlobalReplaced;
  }
}

}  // namespace reckon::engine
