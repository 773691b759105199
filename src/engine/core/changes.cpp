// What each step of a path did to the property part of its state, kept for reports: a reader wants to see every
// object at the step they look at, not only the one the finding is about. Differences are taken where states fork
// at a call, since both sides are at hand there; nothing here influences the simulation.

#include "engine/core/trail.h"

namespace reckon::engine {

void Trail::note_changes(const State& before, State& after, InstrId instr) {
  PathChange change;
  bool changed = false;
  State::for_each_part([&]<class P>(std::type_identity<P>) {
    if (after.P::describe_change(terms_, before, change)) changed = true;
  });
  if (!changed) return;
  note(after, {.instr = instr, .kind = PathNode::Kind::State, .which = static_cast<std::uint32_t>(changes_.size())});
  changes_.push_back(std::move(change));
}

void Trail::note_state(State& s, InstrId instr) {
  PathChange change;
  State::for_each_part([&]<class P>(std::type_identity<P>) { s.P::describe(change); });
  note(s, {.instr = instr, .kind = PathNode::Kind::State, .which = static_cast<std::uint32_t>(changes_.size())});
  changes_.push_back(std::move(change));
}

}  // namespace reckon::engine
