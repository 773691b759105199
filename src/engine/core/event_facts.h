// What only some kinds of events tell, a struct a family of kinds.
//
// The engine hands over facts: names, instructions, a reason out of a few. The check of the kind makes a sentence of
// them. An event has the struct of its kind from the beginning (facts_for), so a check may rely on it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "engine/core/core_state.h"
#include "model/model.h"

namespace reckon::engine {

// How ends of the function leave a count: PathPair, StatePair, CountKept, FailureKeeps. BufferLeft has its name only.
struct CountFacts {
  std::string count;                   // its name, "" for the reference count
  int delta = 0, other_delta = 0;      // changes on this way and on the one that ends differently
  PathId other_path = model::kNone;    // that way
  InstrId other_instr = model::kNone;  // and its end; kNone: this way is wrong by itself
};

// Leak.
struct LeakFacts {
  enum class Reason : std::uint8_t {
    NotReleased,
    Overwritten,       // a variable held the last pointer to it and was given another value
    InitialisedAgain,  // a member is replaced by a function that may run a second time
  };
  Reason reason = Reason::NotReleased;
  bool success_releases = false;  // the other end succeeds and gives it back
  CountFacts ends;                // if another end of the function does not leak it
};

// OverRelease.
struct OverReleaseFacts {
  enum class Reason : std::uint8_t {
    NotOwned,
    LentOnce,       // whoever lent it had one reference, and that was given up before
    ContentsMoved,  // what is released was copied to another place, which owns it now
  };
  Reason reason = Reason::NotOwned;
  std::uint32_t other_types = 0;  // types of the program that the same function hands over in the same way
  CountFacts ends;                // if another end of the function does not release it
};

// UseAfterRelease.
struct UseFacts {
  bool died_with_owner = false;  // not itself but its owner was released
};

// BorrowedReturned.
struct BorrowedFacts {
  std::string stored_in;        // the member or variable that gets it; "": it is returned
  bool keeps_pointing = false;  // that place is not released with an object, it goes on pointing there
};

// BorrowAcross.
struct BorrowAcrossFacts {
  bool replaced_too_late = false;   // a member is released while it still points to the object
  InstrId ran_code = model::kNone;  // else the call that may have ended the borrowed reference
};

// NullDereference, NullArgument.
struct NullFacts {
  std::string giver;           // the call that gave the NULL, if known
  bool by_contract = false;    // an argument that callers may give as NULL, or that a call may leave so
  bool of_header = false;      // NullDereference: the struct with the counter is accessed
  bool ends_list = false;      // NullArgument: it cuts a list of objects short
  std::uint32_t argument = 0;  // NullArgument: which
};

// UninitUse.
struct UninitFacts {
  enum class Use : std::uint8_t {
    Access,  // it is dereferenced or, if there is a callee, passed on
    Return,
    Dealloc,  // the object has a field that was never set, and its deallocator reads that
  };
  Use use = Use::Access;
};

// NoException.
struct NoExceptionFacts {
  bool of_member = false;  // the NULL is what a member holds, if that can be NULL at all
};

// ValueWithException.
struct ExceptionFacts {
  // Does the function ask whether the call failed that set the exception?
  enum class Asked : std::uint8_t {
    Unknown,
    Later,  // after this call
    Never,
  };
  Asked asked = Asked::Unknown;
};

// NoLock.
struct LockFacts {
  std::string user;  // the function inside the callee that needs the lock, "" if the callee itself does
};

// FreeThreading.
struct ThreadFacts {
  enum class Hazard : std::uint8_t {
    BorrowedItem,    // of a container that others may change
    SharedVariable,  // is written without a lock
    CountOfOne,      // is taken as a proof that nobody else has the object
  };
  Hazard hazard = Hazard::BorrowedItem;
  std::string safer;  // BorrowedItem: the function to use instead
};

// DepthAtExit.
struct DepthFacts {
  int left = 0;  // objects more than at the start, fewer if negative; 0: not known how many
};

// AnnotationBroken.
struct AnnotationFacts {
  // What the body does and the annotation does not say.
  enum class Does : std::uint8_t {
    Agrees,
    ReturnsBorrowed,
    ReturnsNew,
    NotTakenOver,  // the reference to `parameter` is not taken over
    TakenOver,     // it is
    SetsNoException,
  };
  Does does = Does::Agrees;
  std::string parameter;
};

using EventFacts = std::variant<std::monostate, CountFacts, LeakFacts, OverReleaseFacts, UseFacts, BorrowedFacts,
                                BorrowAcrossFacts, NullFacts, UninitFacts, NoExceptionFacts, ExceptionFacts, LockFacts,
                                ThreadFacts, DepthFacts, AnnotationFacts>;

}  // namespace reckon::engine
