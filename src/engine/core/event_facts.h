// What events of several properties tell beside what all events do. What those of one property tell stands in its
// folder, in facts.h.
//
// The engine hands over facts: names, instructions, a reason out of a few. The check of the kind makes a sentence of
// them. An event has the struct of its kind from the beginning (facts_for), so a check may rely on it.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/core_state.h"

namespace reckon::engine {

// How ends of the function leave a count.
struct CountFacts {
  std::string count;                   // its name, "" for the reference count
  int delta = 0, other_delta = 0;      // changes on this way and on the one that ends differently
  PathId other_path = model::kNone;    // that way
  InstrId other_instr = model::kNone;  // and its end; kNone: this way is wrong by itself
  InstrId unchecked = model::kNone;    // UncheckedGet: the call that takes it, or fails
};

// AnnotationBroken.
struct AnnotationFacts {
  // What the body does and the annotation, or the spec, does not say.
  enum class Does : std::uint8_t {
    Agrees,
    ReturnsBorrowed,
    ReturnsNew,
    NotTakenOver,  // the reference to `parameter` is not taken over
    TakenOver,     // it is
    Kept,          // a reference to it is taken and not given back
    SetsNoException,
    Collects,   // may collect garbage
    Endangers,  // does so while nobody protects `parameter`, and uses that afterwards
    LeavesDepth,
  };
  Does does = Does::Agrees;
  std::string parameter;
  int depth = 0;         // LeavesDepth: how much deeper the protection stack is
  bool by_spec = false;  // a spec says otherwise, no attribute
};

}  // namespace reckon::engine
