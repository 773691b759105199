// What each step of a path did to the property part of its state, kept for reports: a reader wants to see every
// object at the step they look at, not only the one the finding is about. Differences are taken where states fork
// at a call, since both sides are at hand there; nothing here influences the simulation.

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"

namespace reckon::engine {

namespace {

bool same_stack(const Protection& a, const Protection& b) {
  return a.depth == b.depth && std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), b.objects.end(),
                                          [](const GcObject& x, const GcObject& y) {
                                            return x.term == y.term && x.fresh == y.fresh && x.escaped == y.escaped &&
                                                   x.slots == y.slots && x.holders == y.holders;
                                          });
}

void describe_stack(const TermArena& terms, const Protection& gc, PathChange& change) {
  change.protection = true;
  change.depth = gc.depth;
  std::vector<std::pair<std::int64_t, TermId>> slots;
  for (const GcObject& o : gc.objects) {
    for (const Linear& slot : o.slots) slots.emplace_back(slot.constant, o.term);
    if (o.fresh && !o.escaped && !o.interior && o.slots.empty() && !gc.alive(terms, o, {}))
      change.bare.push_back(o.term);
  }
  std::sort(slots.begin(), slots.end());
  for (const auto& [slot, term] : slots) change.stack.push_back(term);
}

}  // namespace

void Trail::note_changes(const State& before, State& after, std::uint32_t instr) {
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
  if (after.gc.on && !same_stack(before.gc, after.gc)) describe_stack(terms_, after.gc, change);
  if (change.objects.empty() && change.counts.empty() && before.exception == after.exception &&
      before.lock == after.lock && !change.protection)
    return;
  change.exception = after.exception;
  change.unlocked = given_up(after.lock);
  note(after, {.instr = instr, .kind = PathNode::Kind::State, .which = static_cast<std::uint32_t>(changes_.size())});
  changes_.push_back(std::move(change));
}

// The exception or the lock alone.
void Trail::note_mode(State& s, ExcState exception, Lock lock, std::uint32_t instr) {
  if (s.exception == exception && s.lock == lock) return;
  s.exception = exception;
  s.lock = lock;
  PathChange change;
  change.exception = exception;
  change.unlocked = given_up(lock);
  note(s, {.instr = instr, .kind = PathNode::Kind::State, .which = static_cast<std::uint32_t>(changes_.size())});
  changes_.push_back(std::move(change));
}

}  // namespace reckon::engine
