// The interpreter's lock, as a function leaves it: what was done about it and not undone yet, the innermost last.
//
// Whether the lock is held when a function begins is its caller's affair. So a state keeps a short stack of steps since
// then, four bits each: giving up and taking, and undoing what somebody else did (a destructor that takes the lock back
// which the constructor gave up). The same stack tells callers what the function did.
#pragma once

#include <cstdint>

namespace reckon::engine {

using Lock = std::uint16_t;  // 0: as it was found

enum class LockStep : std::uint8_t {
  Gave = 1,      // PyEval_SaveThread and the like
  Took = 2,      // PyGILState_Ensure
  GaveBack = 3,  // given what was taken elsewhere: it may have been held before that as well, so nothing is known
  TookBack = 4,  // given what was kept when it was given up elsewhere
};

inline LockStep last_step(Lock lock) { return static_cast<LockStep>(lock & 15); }
inline bool given_up(Lock lock) { return lock != 0 && last_step(lock) == LockStep::Gave; }

inline Lock after_step(Lock lock, LockStep step) {
  const LockStep last = last_step(lock);
  const bool gives = step == LockStep::Gave || step == LockStep::GaveBack;
  const bool gave = last == LockStep::Gave || last == LockStep::GaveBack;
  if (lock != 0 && gives == gave && step != LockStep::Took) return lock;  // twice the same is a mistake told elsewhere
  const bool opens = step == LockStep::Gave || step == LockStep::Took,
             opened = last == LockStep::Gave || last == LockStep::Took;
  if (lock != 0 && gives != gave && !(opens && opened)) return lock >> 4;
  if (lock >> 12 != 0) return lock;
  return static_cast<Lock>(lock << 4 | static_cast<Lock>(step));
}

// What `done` says, on top of `lock`.
inline Lock after_steps(Lock lock, Lock done) {
  for (int shift = 12; shift >= 0; shift -= 4)
    if (const auto step = done >> shift & 15; step != 0) lock = after_step(lock, static_cast<LockStep>(step));
  return lock;
}

}  // namespace reckon::engine
