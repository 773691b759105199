// The lock's part of a state: what the function did about the interpreter's lock, and whether it needed it.
#pragma once

#include <cstdint>

#include "engine/core/part.h"
#include "engine/properties/lock/lock.h"

namespace reckon::engine {

struct LockPart : Part<LockPart> {
  Lock lock = 0;                      // of the interpreter
  InstrId needs_lock = model::kNone;  // first call that needs it, made with the lock as it was found

  // ---- what the core asks of a part (core/part.h)
  struct Change {
    bool unlocked = false;  // the interpreter's lock was given up
  };
  static bool same(const TermArena& terms, Seen<LockPart> a, Seen<LockPart> b, bool strict);
  bool same_execution(const LockPart& other) const { return needs() == other.needs(); }
  static void hash(const TermArena& terms, Seen<LockPart> s, Hasher& h);
  static void join(const Meeting<LockPart>& m, JoinNotes& notes);
  bool changed(const LockPart& before, const JoinNotes& notes) const;
  void describe(Change& change) const { change.unlocked = given_up(lock); }
  bool describe_change(const TermArena& terms, const LockPart& before, Change& change) const;

 private:
  bool needs() const { return needs_lock != model::kNone; }
};

}  // namespace reckon::engine
