// Events: what the engine tells the checks. The engine knows lifecycles and contracts, not rules: it says
// "this object, released at X, is used here", and a check decides whether and how to report that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/event_facts.h"
#include "engine/core/object.h"
#include "engine/state.h"

#define EVENT_HEADERS
#include "engine/properties/properties.def"
#undef EVENT_HEADERS

namespace reckon::engine {

// What can be wrong; a property's property.def says what its kinds mean.
enum class EventKind : std::uint8_t {
  AnnotationBroken,  // the function does something else than an attribute in the source says of it
#define EVENT(name, Facts) name,
#include "engine/properties/properties.def"
};

using NoFacts = std::monostate;
#define FACTS(Type) , Type
using EventFacts = std::variant<NoFacts, CountFacts, AnnotationFacts
#include "engine/properties/properties.def"
                                >;

// One step of the way to a state. Nodes form a tree; a state points at its last one.
struct PathNode {
  enum class Kind : std::uint8_t { Branch, Call, Owned, Block, State };
  PathId parent = model::kNone;
  InstrId instr = model::kNone;
  Kind kind = Kind::Branch;
  std::uint32_t which = 0;  // Branch: successor taken; Call: index of the outcome; State: index of the change
  bool failure = false;     // Call: the outcome means failure
  bool raises = false;      // Call: of a function that does nothing but raise an exception
  specs::FailureCause cause = specs::FailureCause::Unsaid;  // Call: of the failure, or of what was raised
  TermId object = kNoTerm;  // Owned: whose references were counted up or down; Block: memory that was given or freed
  std::int8_t owned = 0;    // Owned: so many are ours now; Block: 1 given, 0 freed
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
  EventObject object;            // as it was then
  PathId path = model::kNone;
  bool doubtful = false;      // rests on something that is rarely so
  bool oom = false;           // needs memory to run out
  bool failed = false;        // on a path on which some call failed
  bool assumed_kind = false;  // rests on a kind of argument that nobody has shown, or on ways that joined (protection)
  std::string callee;         // the call concerned, if any
  EventFacts facts;           // what only this kind of event tells
};

}  // namespace reckon::engine
