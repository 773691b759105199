// What queues, timers and registrations may have taken along of a count, or given back.
#pragma once

#include "engine/core/state.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

// The work is often not part of the object that is counted: both hang on one structure (`p->work`, `p->dev`). A count
// that was taken (`change`) may be the work's then.
inline Deferral deferral_of(const TermArena& terms, const State& s, TermId counted, int change) {
  if (counted == kNoTerm) return {};
  Deferral out = s.deferral(terms.root(counted));
  if (change > 0)
    for (const Deferral& c : s.deferrals)
      out.kept = out.kept || (c.kept && terms.owner_root(c.root) == terms.owner_root(counted));
  return out;
}

// Of a reference: one that was taken to an argument may be for whatever was queued on the way, of which the argument
// need not be a part.
inline Deferral reference_deferral(const TermArena& terms, const State& s, TermId counted, int change) {
  Deferral out = s.deferral(terms.root(counted));
  if (change > 0)
    for (const Deferral& c : s.deferrals) out.kept = out.kept || c.kept;
  return out;
}

}  // namespace reckon::engine
