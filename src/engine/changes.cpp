// What each step of a path did to the property part of its state, kept for reports: a reader wants to see every
// object at the step they look at, not only the one the finding is about. Differences are taken where states fork
// at a call, since both sides are at hand there; nothing here influences the simulation.

#include <algorithm>

#include "engine/executor.h"

namespace reckon::engine {

void Executor::note_changes(const State& before, State& after, std::uint32_t instr) {
  PathChange change;
  for (const Obj& o : after.objects) {
    if (o.kind == ObjKind::Interior) continue;
    const Obj* old = before.object(o.term);
    if (old ? old->same_property(o) : o.kind == ObjKind::Unknown) continue;
    change.objects.push_back(o);
  }
  for (const Count& c : after.counts)
    if (before.count(c.object, c.kind) != c.delta) change.counts.push_back(c);
  for (const Count& c : before.counts)  // back where it was at entry
    if (c.delta != 0 && after.count(c.object, c.kind) == 0) {
      change.counts.push_back(c);
      change.counts.back().delta = 0;
    }
  if (change.objects.empty() && change.counts.empty() && before.exception == after.exception && before.threads == after.threads)
    return;
  change.exception = after.exception;
  change.threads = after.threads;
  note(after, {.instr = instr, .kind = PathNode::Kind::State, .which = static_cast<std::uint32_t>(changes_.size())});
  changes_.push_back(std::move(change));
}

// The exception or the lock alone.
void Executor::note_mode(State& s, ExcState exception, std::int8_t threads, std::uint32_t instr) {
  if (s.exception == exception && s.threads == threads) return;
  s.exception = exception;
  s.threads = threads;
  PathChange change;
  change.exception = exception;
  change.threads = threads;
  note(s, {.instr = instr, .kind = PathNode::Kind::State, .which = static_cast<std::uint32_t>(changes_.size())});
  changes_.push_back(std::move(change));
}

}  // namespace reckon::engine
