// The part of floating references: objects whose first reference belongs to nobody yet.
#pragma once

#include <vector>

#include "engine/core/part.h"

namespace reckon::engine {

struct FloatingPart : Part<FloatingPart> {
  std::vector<TermId> floating;  // sorted

  bool floats(TermId object) const;
  void set_floating(TermId object);
  void unset_floating(TermId object);

  // ---- what the core asks of a part (core/part.h)
  std::size_t size() const { return floating.size(); }
  static bool same(const TermArena&, Seen<FloatingPart> a, Seen<FloatingPart> b, bool) {
    return a.part.floating == b.part.floating;
  }
  static void hash(const TermArena& terms, Seen<FloatingPart> s, Hasher& h);
  void forget_old(const TermArena& terms, TermId symbol, TermId old);
  void substitute(TermArena& terms, TermId symbol, TermId old);
  void forget(const TermArena& terms, Mentioned& mentioned);
};

}  // namespace reckon::engine
