// The references' part of a state: records of counted objects, how many references this function holds of each, and
// the objects whose last pointer is gone.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/core/object.h"
#include "engine/core/part.h"
#include "engine/core/silence.h"

namespace reckon::engine {

// The record of a counted object.
struct Obj : EventObject {
  Escape escaped;               // somebody out of sight may hold or release it: say nothing more about it
  bool unstable = false;        // lent by something that any code may change
  bool garbage = false;         // New: fields that were not written hold garbage
  std::uint32_t late_uses = 0;  // Param: bits of parameters looked at after the caller's reference was given up
  bool oom = false;             // exists, or is lost, only because memory ran out
  // For messages only, not part of the property, and so are `origin`, `touched`, `released` and `stolen`:
  bool indirect = false;         // its count was changed by a function we only know by its outcomes
  bool consumed = false;         // its last loss was to a call that must be given an owned one
  bool handed = false;           // it was passed to a function of which nothing is known
  std::vector<TermId> holders;   // containers that took a reference over, sorted
  TermId key = kNoTerm;          // Borrowed: the key or index it was found by; New: the type it was made of
  InstrId stale = model::kNone;  // unstable: the call since when it may be gone

  bool same_property(const Obj& o) const {
    return term == o.term && kind == o.kind && life == o.life && owned == o.owned && escaped == o.escaped &&
           immortal == o.immortal && owner == o.owner && holders == o.holders;
  }
};

std::string_view name_of(ObjKind kind);

// Memory that code of ours will be called with later: a reference may have gone along, or come back.
struct Deferral {
  TermId root = kNoTerm;  // the structure concerned
  bool kept = false;      // queued: a reference may be the queue's now
  bool dropped = false;   // taken back: the queue's reference may be ours now
  bool operator==(const Deferral&) const = default;
};

struct ReferencesPart : Part<ReferencesPart> {
  std::vector<Obj> objects;  // sorted by term
  // Owned objects whose last pointer is gone: leaks, if the path gets to an end of the function. Not part of the
  // property: a join keeps those of both sides, each with the path on which it was lost.
  struct Lost {
    Obj object;
    PathId path = model::kNone;
    bool oom = false;
    bool failed = false;
    auto rank() const { return std::tuple(object.preexisting, oom, failed); }  // the lowest tells most
  };
  std::vector<Lost> lost;
  std::vector<Deferral> deferrals;  // sorted by root

  Obj* object(TermId t);
  const Obj* object(TermId t) const;
  Obj& add_object(Obj o);  // replaces one of the same term
  void remove_object(TermId t);
  Deferral deferral(TermId root) const;
  void set_deferral(Deferral c);

  // Objects that are merely lent and untouched belong to the execution part: a join may forget them.
  static bool in_property(const Obj& o) {
    if (o.escaped || o.kind == ObjKind::Unknown || o.kind == ObjKind::Interior) return false;
    return o.owned != 0 || o.life == Life::Released || o.kind == ObjKind::New;
  }
  // A change of the count of something read from memory or passed in does nothing where that is NULL, so a state
  // that has made it can be joined with one in which the pointer is known to be NULL.
  static bool vacuous_if_null(const Obj& o) { return o.kind == ObjKind::Loaded || o.kind == ObjKind::Param; }
  // Is this object one whose bindings belong to the property part?
  static bool interesting(const Obj& o) { return in_property(o) && (o.owned != 0 || o.life == Life::Released); }

  // ---- what the core asks of a part (core/part.h)
  struct Change {
    std::vector<Obj> objects;  // those that changed, as they are afterwards
  };
  struct JoinNotes {
    bool preexisting = false;  // an object that was there anyway may now be one made for us
  };
  std::size_t size() const { return 4 * (objects.size() + lost.size()) + deferrals.size(); }
  static bool same(const TermArena& terms, Seen<ReferencesPart> a, Seen<ReferencesPart> b, bool strict);
  bool same_execution(const ReferencesPart& other) const;
  static void hash(const TermArena& terms, Seen<ReferencesPart> s, Hasher& h);
  void forget_old(const TermArena& terms, TermId symbol, TermId old);
  void substitute(TermArena& terms, TermId symbol, TermId old);
  void scan(MadeSymbols& found) const;
  void out_of_sight(TermId value);
  bool watches(const TermArena& terms, TermId value) const;
  bool records(TermId value) const { return object(value) != nullptr; }
  static void join(const Meeting<ReferencesPart>& m, JoinNotes& notes);
  bool changed(const ReferencesPart& before, const JoinNotes& notes) const;
  bool describe_change(const TermArena& terms, const ReferencesPart& before, Change& change) const;
};

}  // namespace reckon::engine
