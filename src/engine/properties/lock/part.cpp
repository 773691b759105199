#include "engine/properties/lock/part.h"

namespace reckon::engine {

bool LockPart::same(const TermArena&, Seen<LockPart> a, Seen<LockPart> b, bool) { return a.part.lock == b.part.lock; }

void LockPart::hash(const TermArena&, Seen<LockPart> s, Hasher& h) { h.mix(s.part.lock); }

// Callers are asked for the lock only where all ways need it.
void LockPart::join(const Meeting<LockPart>& m, JoinNotes&) {
  if (!m.from.part.needs()) m.into.part.needs_lock = model::kNone;
}

bool LockPart::changed(const LockPart& before, const JoinNotes&) const { return needs() != before.needs(); }

bool LockPart::describe_change(const TermArena&, const LockPart& before, Change& change) const {
  describe(change);
  return lock != before.lock;
}

}  // namespace reckon::engine
