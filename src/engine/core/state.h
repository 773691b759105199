// A state of the simulation: a property part (objects, counts, exception) and an execution part (values,
// memory, facts). States with equal property parts are joined where control flow meets; the bindings of
// values to tracked objects belong to the property part, so a join never loses the last pointer to an object.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/core/symbolic.h"
#include "engine/properties/lock/lock.h"
#include "engine/properties/protection/protection.h"
#include "model/model.h"
#include "specs/outcome.h"
#include "support/limits.h"

namespace reckon::engine {

enum class ObjKind : std::uint8_t {
  New,       // made, or handed over with a reference, by a call in this function
  Borrowed,  // lent by an API
  Param,     // an argument of this function
  Loaded,    // read from memory that existed before
  Global,    // the address of a global object
  Interior,  // not an object: a pointer into one (`owner`)
  Unknown,   // came from code we know nothing about
};

enum class Life : std::uint8_t { Alive, Released };

struct Obj {
  TermId term = kNoTerm;
  ObjKind kind = ObjKind::Unknown;
  std::uint8_t domain = 0;  // index into SpecSet::domains()
  Life life = Life::Alive;
  std::int8_t owned = 0;  // references this function holds, relative to entry
  bool escaped = false;   // somebody out of sight may hold or release it: say nothing more about it
  bool immortal = false;
  bool singleton = false;              // a global that is counted like any object, or was until it became immortal
  bool unstable = false;               // lent by something that any code may change
  bool garbage = false;                // New: fields that were not written hold garbage
  bool used_up = false;                // Param: looked at after the caller's reference was given up
  bool ready = false;                  // New: there anyway, whoever has a reference (a small int)
  bool oom = false;                    // exists, or is lost, only because memory ran out
  TermId owner = kNoTerm;              // Borrowed, Interior, Loaded: valid as long as this one is
  std::vector<TermId> holders;         // containers that took a reference over, sorted
  TermId key = kNoTerm;                // Borrowed: the key or index it was found by; New: the type it was made of
  std::uint32_t stale = model::kNone;  // unstable: the call since when it may be gone
  // For messages only, not part of the property:
  bool indirect = false;                 // its count was changed by a function we only know by its outcomes
  bool consumed = false;                 // its last loss was to a call that must be given an owned one
  bool handed = false;                   // it was passed to a function of which nothing is known
  bool stolen = false;                   // its last loss was to a call that took the reference over
  std::uint32_t origin = model::kNone;   // instruction
  std::uint32_t touched = model::kNone;  // last instruction that concerned it
  std::uint32_t released = model::kNone;

  bool same_property(const Obj& o) const {
    return term == o.term && kind == o.kind && life == o.life && owned == o.owned && escaped == o.escaped &&
           immortal == o.immortal && owner == o.owner && holders == o.holders;
  }
};

// Saturation of Obj::owned: more is "many", and nothing is said about many.
inline constexpr int kManyOwned = support::kLimits.objects.owned;

struct Count {  // change of a named count since entry
  TermId object = kNoTerm;
  std::uint16_t kind = 0;
  std::int16_t delta = 0;
  std::uint32_t touched = model::kNone;
  bool same_property(const Count& o) const { return object == o.object && kind == o.kind && delta == o.delta; }
};

inline std::uint32_t kind_bit(std::uint16_t kind) { return std::uint32_t{1} << (kind < 31 ? kind : 31); }

// Memory that code of ours will be called with later: a reference may have gone along, or come back.
struct Carry {
  TermId root = kNoTerm;  // the structure concerned
  bool kept = false;      // queued: a reference may be the queue's now
  bool dropped = false;   // taken back: the queue's reference may be ours now
  bool operator==(const Carry&) const = default;
};

enum class ExcState : std::uint8_t {
  Entry,  // as the caller left it
  Unset,  // not set, and this function did nothing about it
  Clear,  // cleared by this function
  Set,
  Maybe,
};

std::string_view name_of(ObjKind kind);
std::string_view name_of(ExcState state);

struct Cell {
  TermId base = kNoTerm;
  std::int64_t offset = 0;
  TermId value = kNoTerm;
  bool operator==(const Cell&) const = default;
};

struct State {
  std::vector<std::pair<model::ValueId, TermId>> values;  // sorted
  std::vector<Cell> memory;                               // sorted by base, offset
  std::vector<std::pair<TermId, std::uint32_t>> epochs;   // memory of these bases was overwritten by an unknown hand
  Facts facts;
  std::vector<Obj> objects;   // sorted by term
  std::vector<Count> counts;  // sorted by object, kind
  // Owned objects whose last pointer is gone: leaks, if the path gets to an end of the function. Not part of the
  // property: a join keeps those of both sides, each with the path on which it was lost.
  struct Lost {
    Obj object;
    std::uint32_t path = model::kNone;
    bool oom = false;
    bool failed = false;
    auto rank() const { return std::tuple(object.ready, oom, failed); }  // the lowest tells most
  };
  std::vector<Lost> lost;
  std::vector<TermId> clobbered;  // parameters whose memory code out of sight may have written, sorted
  std::vector<Carry> carries;     // sorted by root
  Protection gc;
  ExcState exception = ExcState::Entry;
  Lock lock = 0;                            // of the interpreter
  std::uint32_t needs_lock = model::kNone;  // first call that needs it, made with the lock as it was found
  bool self_freed = false;                  // a deallocator has given its object's memory back
  bool type_released = false;               // and the reference to its type
  TermId kept_type = kNoTerm;               // an object was freed as it was: the type it held, until that is released
  bool thrown = false;                      // C++: this function threw on the path
  specs::Pending pending = specs::Pending::Any;  // what this path took for granted of the exception at entry
  std::uint32_t coarsened = 0;  // bits of the kinds of counts that were let go, with what came and went in a loop
  bool helped = false;          // an exception that is set may have been cleared out of sight, or has been told
  bool failed = false;          // some call on the path failed (ranking only)
  bool oom = false;             // the path needs memory to run out
  std::uint16_t failures = 0;   // how many calls on the path failed: of two ways to the same state the plainer is told
  std::uint32_t path = model::kNone;

  // ---- values
  TermId value(model::ValueId v) const;  // kNoTerm if not bound
  void bind(model::ValueId v, TermId t);

  // ---- memory
  const Cell* cell(TermId base, std::int64_t offset) const;
  void write(TermId base, std::int64_t offset, TermId value);
  std::uint32_t epoch(TermId base) const;
  // All that was known of memory at `base` is gone.
  void invalidate(TermId base, std::uint32_t new_epoch);

  // ---- objects
  Obj* object(TermId t);
  const Obj* object(TermId t) const;
  Obj& add_object(Obj o);  // replaces one of the same term
  void remove_object(TermId t);
  int count(TermId object, std::uint16_t kind) const;
  Carry carry(TermId root) const;
  void set_carry(Carry c);
  void change_count(TermId object, std::uint16_t kind, int delta, std::uint32_t instr);

  // Everything about `s` now speaks of `old`; what spoke of `old` is forgotten. Used when the instruction or
  // block that made `s` makes it again.
  void age(TermArena& terms, TermId s, TermId old);

  std::uint64_t property_hash(const TermArena& terms) const;
  // `strict`: also for counts that are vacuous in one of the two.
  bool same_property(const TermArena& terms, const State& other, bool strict = false) const;
  // Given equal property parts: is all else equal, too, but for the way there and what was lost on it?
  bool same_execution(const State& other) const;
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
};

// Joins `from` into `into` (equal property parts) at `block`; true if `into` changed. With `widen`, intervals
// that still grow go to their limits; with `forget`, memory that `into` knows nothing of becomes unknown.
bool join_states(TermArena& terms, State& into, State from, model::BlockId block, bool widen, bool forget = false);

}  // namespace reckon::engine
