// What events of references tell beside what all events do.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/event_facts.h"

namespace reckon::engine {

// Leak.
struct LeakFacts {
  enum class Reason : std::uint8_t {
    NotReleased,
    Overwritten,         // a variable held the last pointer to it and was given another value
    InitialisedAgain,    // a member is replaced by a function that may run a second time
    GivenBackElsewhere,  // nobody says that it is owned but another way, which gives it back
    GlobalReplaced,      // a global is given another object by a function that may run a second time
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

}  // namespace reckon::engine
