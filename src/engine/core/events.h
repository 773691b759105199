// Events: what the engine tells the checks. The engine knows lifecycles and contracts, not rules: it says
// "this object, released at X, is used here", and a check decides whether and how to report that. What only some kinds
// of events tell stands in event_facts.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/event_facts.h"
#include "engine/state.h"

namespace reckon::engine {

enum class EventKind : std::uint8_t {
  Leak,                 // owned at the end, and nobody else can release it
  OverRelease,          // a release of a reference this function does not have
  UseAfterRelease,      // released (or its owner was), then used
  BorrowedReturned,     // a new reference is promised, a borrowed one is returned
  NullDereference,      // memory at NULL is accessed
  NullArgument,         // NULL goes to a parameter that is dereferenced
  UninitUse,            // an uninitialised local is released, dereferenced or passed as an object
  NoException,          // failure is returned without an exception
  ValueWithException,   // a value is returned while an exception is set
  NoLock,               // the interpreter's lock is needed and not held
  CountLeft,            // an entry function leaves an argument's count changed
  BufferLeft,           // a named count on a local is not balanced at the end
  MixedResult,          // the result is sometimes owned by the caller and sometimes not
  PathPair,             // two ends callers cannot tell apart leave a count differently
  StatePair,            // the same, where nothing but state that nobody here sees makes the difference
  AnnotationBroken,     // the function does something else than an attribute in the source says of it
  CountKept,            // a function that should only give back ends with a count it took
  Unprotected,          // used after a collection that nothing protected it from
  UnprotectedArgument,  // given, unprotected, to a call that may collect it and goes on using it
  ArgumentOrder,        // another argument of the same call may be evaluated after it, and collect it
  DepthAtExit,          // the protection stack is not as deep at the end as at the start
  DepthNegative,        // more is popped than was pushed
  DepthInLoop,          // each round of a loop leaves the stack deeper, or less deep
  DepthByData,          // so many pushes as some object has elements
  PreserveLeak,         // kept in a global list while code runs that may not come back
  BarrierBypassed,      // elements of an object written without the function that tells the collector
  BorrowAcross,   // a borrowed reference is used after code that may have ended it; or a release lets code see a dead
                  // member
  TypeKept,       // an object is freed, and the reference it held to its type is not given up
  FreeThreading,  // not safe without the interpreter's lock
  FailureKeeps,   // failing, the function keeps a count that it gives back when it succeeds
};

// One step of the way to a state. Nodes form a tree; a state points at its last one.
struct PathNode {
  enum class Kind : std::uint8_t { Branch, Call, Count, State };
  PathId parent = model::kNone;
  InstrId instr = model::kNone;
  Kind kind = Kind::Branch;
  std::uint32_t which = 0;  // Branch: successor taken; Call: index of the outcome; State: index of the change
  bool failure = false;     // Call: the outcome means failure
  TermId object = kNoTerm;  // Count: whose count changed
  std::int8_t owned = 0;    // Count: to what
};

// What an instruction did to the parts of a state, for reports: a record a part, with that part's names.
struct PathChange : State::Change {};

// The struct that events of a kind have, as it is when nothing was said yet.
EventFacts facts_for(EventKind kind);

struct Event {
  explicit Event(EventKind what) : kind(what), facts(facts_for(what)) {}

  // The facts of this kind. It throws if other kinds have those: that is a mistake in a check.
  template <class T>
  const T& get() const {
    return std::get<T>(facts);
  }
  template <class T>
  T& get() {
    return std::get<T>(facts);
  }
  // The same for code that sees events of all kinds; nullptr: not of this one.
  template <class T>
  const T* find() const {
    return std::get_if<T>(&facts);
  }
  // The count that is left wrong, of whatever kind the event is.
  const CountFacts* count_facts() const;

  EventKind kind;
  InstrId instr = model::kNone;  // where it goes wrong
  Obj object;                    // as it was then; term kNoTerm: no object
  PathId path = model::kNone;
  bool doubtful = false;      // rests on something that is rarely so
  bool oom = false;           // needs memory to run out
  bool failed = false;        // on a path on which some call failed
  bool assumed_kind = false;  // rests on a kind of argument that nobody has shown, or on ways that joined (protection)
  std::string callee;         // the call concerned, if any
  EventFacts facts;           // what only this kind of event tells
};

}  // namespace reckon::engine
