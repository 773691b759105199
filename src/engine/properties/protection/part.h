// The protection's part of a state: the stack of protected slots and the objects that a collector may take.
//
// Where states meet, their depths must be one depth again: equal, or equal but for a counter that says how much is to
// be popped (DepthMatch).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/core/part.h"
#include "engine/properties/protection/protection.h"

namespace reckon::engine {

// How two depths are one after a join: rest + the joined values of these variables.
struct DepthMatch {
  Linear rest;
  std::vector<model::ValueId> values;
  std::vector<std::pair<TermId, std::int64_t>> cells;
};

struct ProtectionPart : Part<ProtectionPart> {
  Protection gc;

  // The same objects in danger, in the same places, whatever the depth?
  static bool same_dangers(const TermArena& terms, Seen<ProtectionPart> a, Seen<ProtectionPart> b);

  // ---- what the core asks of a part (core/part.h)
  struct Change {
    bool protection = false;      // the stack changed:
    std::optional<Linear> depth;  // none: not known
    std::vector<TermId> stack;    // what lies on it, the lowest first
    std::vector<TermId> bare;     // made here, and nothing protects it
  };
  struct JoinNotes {
    std::optional<DepthMatch> depths;
  };
  std::size_t size() const { return 4 * gc.objects.size(); }
  static bool same(const TermArena& terms, Seen<ProtectionPart> a, Seen<ProtectionPart> b, bool strict);
  static void hash(const TermArena& terms, Seen<ProtectionPart> s, Hasher& h);
  bool watches(const TermArena& terms, TermId object) const;
  void substitute(TermArena& terms, TermId symbol, TermId old);
  void scan_later(MadeSymbols& found) const;
  static void before_join(const TermArena& terms, Seen<ProtectionPart> a, Seen<ProtectionPart> b, JoinNotes& notes);
  static void join(const Meeting<ProtectionPart>& m, JoinNotes& notes);
  bool changed(const ProtectionPart& before, const JoinNotes& notes) const;
  void mention(Mentioned& mentioned) const;
  void forget(const TermArena& terms, Mentioned& mentioned);
  bool describe_change(const TermArena& terms, const ProtectionPart& before, Change& change) const;
};

}  // namespace reckon::engine
