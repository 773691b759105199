// An object as events tell of it, whichever property follows it.
#pragma once

#include <cstdint>

#include "engine/core/core_state.h"
#include "specs/ids.h"

namespace reckon::engine {

// How a function came to an object.
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

struct EventObject {
  TermId term = kNoTerm;  // kNoTerm: there is no object
  ObjKind kind = ObjKind::Unknown;
  specs::DomainId domain{};
  Life life = Life::Alive;
  std::int8_t owned = 0;  // references this function holds, relative to entry
  bool immortal = false;
  bool singleton = false;          // a global that is counted like any object, or was until it became immortal
  bool preexisting = false;        // New: there anyway, whoever has a reference (a small int)
  bool stolen = false;             // its last loss was to a call that took the reference over
  TermId owner = kNoTerm;          // Borrowed, Interior, Loaded: valid as long as this one is
  InstrId origin = model::kNone;   // where the function came to it
  InstrId touched = model::kNone;  // the last instruction that concerned it
  InstrId released = model::kNone;
};

}  // namespace reckon::engine
