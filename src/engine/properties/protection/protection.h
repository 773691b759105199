// Protection: objects that a garbage collector takes unless it is told that they are in use (R).
//
// Beside the counted objects a state carries a stack of protected slots, known by its depth relative to the entry of
// the function, and records of the objects that matter: those made here that nothing outside keeps, arguments, and what
// is only as safe as another object is. An object is safe while a slot of the stack holds it, or another safe object
// does. A call that may collect exposes all others; using one after that is the bug.
//
// The depth is a linear expression over symbols: `depth == n + 1` for a counter variable n needs no number.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/silence.h"
#include "engine/core/symbolic.h"
#include "model/model.h"
#include "support/limits.h"

namespace reckon::engine {

// constant + sum of coefficient * symbol
struct Linear {
  std::int64_t constant = 0;
  std::vector<std::pair<TermId, std::int64_t>> parts;  // sorted by symbol, no coefficient 0
  bool operator==(const Linear&) const = default;
  bool is_const() const { return parts.empty(); }
  void add(const Linear& other, std::int64_t factor);
};
Linear linear_of(const TermArena& terms, TermId t);
TermId term_of(TermArena& terms, const Linear& l);

// Values and memory that say how much is popped somewhere in the function, or are compared with such a value.
struct Counters {
  std::vector<char> values;  // by ValueId
  bool memory = false;       // some are in memory
  bool only_pushes = false;  // the function pushes and never pops: what it leaves on the stack is somebody's
};

struct GcObject {
  TermId term = kNoTerm;
  bool fresh = false;                // made here (or cut loose): nothing keeps it but what is said below
  bool distinct = false;             // fresh, and no object that was there before
  bool interior = false;             // not an object: a pointer into `owner`
  Escape escaped;                    // kept by somebody out of sight, or reported: say nothing more about it
  bool guarded = false;              // interior: a pointer that is not to be written through
  bool assumed_kind = false;         // fresh only if an argument is of a kind that nobody has shown it to be
  TermId owner = kNoTerm;            // not fresh: part of this one, or a pointer into it
  std::vector<TermId> holders;       // objects that keep it, sorted
  std::vector<Linear> slots;         // of the stack that hold it
  InstrId exposed = model::kNone;    // the call that may have collected it
  std::uint64_t depends = 0;         // arguments whose protection by the caller it needed at some collection
  InstrId preserved = model::kNone;  // the call that put it into a global list here,
  InstrId jumped = model::kNone;     // and one after it that may leave this function by an error
  // For messages only:
  InstrId origin = model::kNone;
  InstrId popped = model::kNone;  // where its last slot was given up

  bool same_property(const GcObject& o) const {
    return term == o.term && fresh == o.fresh && owner == o.owner &&
           (exposed == model::kNone) == (o.exposed == model::kNone);
  }
};

struct Protection {
  bool on = false;                         // does this function deal with such objects at all?
  std::optional<Linear> depth = Linear{};  // none: not known
  std::vector<GcObject> objects;           // sorted by term
  std::uint64_t exposed_params = 0;        // arguments not protected here while something was collected
  std::uint64_t endangered_params = 0;     // and used afterwards
  bool collected = false;                  // a collection may have happened
  bool ran_code = false;                   // code of the interpreter's users may have run
  InstrId below = model::kNone;            // the pop that went below the entry depth
  std::vector<InstrId> calls;              // calls of the block at hand that may have collected
  const Counters* counters = nullptr;

  GcObject* object(TermId t);
  const GcObject* object(TermId t) const;
  GcObject& add(GcObject o);
  // Safe at this moment? Objects in `safe` count as protected.
  bool is_protected(const TermArena& terms, TermId t, const std::vector<TermId>& safe,
                    int fuel = support::kLimits.protection.alive_steps) const;
  bool is_protected(const TermArena& terms, const GcObject& o, const std::vector<TermId>& safe,
                    int fuel = support::kLimits.protection.alive_steps) const;
  // Which arguments' protection does its safety rest on? 0: on none's.
  std::uint64_t rests_on(const TermArena& terms, TermId t, const std::vector<TermId>& safe,
                         int fuel = support::kLimits.protection.alive_steps) const;
  bool is_exposed(const TermArena& terms, const GcObject& o) const;
  // The record of what `t` is or is read from.
  GcObject* whole(const TermArena& terms, TermId t) {
    GcObject* o = object(t);
    return o ? o : object(terms.owner_root(t));
  }
  void age(TermArena& terms, TermId s, TermId old);
  bool same(const Protection& o) const;
};

}  // namespace reckon::engine
