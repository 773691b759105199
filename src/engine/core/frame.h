// What all modules of one look at a function share: the function, how it is looked at, and what was found so far.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/context.h"
#include "engine/core/events.h"
#include "engine/core/flow.h"
#include "engine/core/silence.h"
#include "engine/core/state.h"
#include "support/limits.h"

namespace reckon::symbolic {
class AtBranches;
}

namespace reckon::engine {

using States = std::vector<State>;

struct Exit {
  State state;
  InstrId instr = model::kNone;  // the Ret or Resume
  TermId result = kNoTerm;       // kNoTerm: void, or left by an exception
  bool by_exception = false;
};

// One way to an outcome of the summary, for callers' reports: its last path node, and where it ends.
struct OutcomeExit {
  PathId path = model::kNone;
  InstrId instr = model::kNone;
};

// A field of some struct in which the program keeps a reference of its own.
struct OwnedMember {
  std::string record, path;
  bool any_type = false;  // objects of every kind get there
  auto operator<=>(const OwnedMember&) const = default;
};

struct FunctionResult {
  Summary summary;
  std::vector<OwnedMember> owned_members;
  std::vector<Event> events;
  bool cut_short = false;
  bool unsure = false;  // joins left something open that a look path by path may decide
  std::string reason;
  std::uint32_t steps = 0;
  std::uint32_t max_states = 0;
  std::uint64_t work = 0;  // entries of states that were copied and compared
  std::uint64_t kept = 0;  // entries of states that are kept until the look ends
};

// When states are joined. Property: where their property parts are equal. Paths: only where they are equal altogether,
// or where a loop has gone round often enough; joins make nothing up, but long functions have too many paths.
// Conditions: by property, where they also agree on the conditions that pushes and pops depend on.
enum class Joining : std::uint8_t { Property, Paths, Conditions };

// One look at a function.
struct Look {
  Joining joining = Joining::Property;
  std::uint32_t steps = 0;
  std::uint32_t rounds = support::kLimits.looks.path_rounds;  // Paths: states at a loop's head before they are joined
  AtBranches* branches = nullptr;                             // may be asked about the conditions of branches
};

// One silence, for --why-not.
struct Silenced {
  Silence why = Silence::None;
  TermId object = kNoTerm;
  InstrId instr = model::kNone, other = model::kNone;
  bool operator==(const Silenced&) const = default;
};

// What a look leaves to the one who asks about a line of the function: what was known there, and every silence.
struct Answer {
  std::uint32_t line = 0;                       // 0: nobody asks
  std::vector<std::pair<InstrId, State>> seen;  // states in front of the instructions of that line
  std::vector<Silenced> silences;
  std::vector<InstrId> unknown_calls;

  bool asked() const { return line != 0; }
};

// How the core walks a function. Properties that are active say what they need, and nobody asks which they are.
struct Manner {
  bool counts_objects = true;      // objects live as long as somebody counts a reference to them
  bool follows_structs = true;     // structs that are returned by value are taken apart
  bool lost_stores_escape = true;  // C++: what is stored where too little is known of the place is out of sight
  bool one_known_case = true;      // where the `known` condition of an alternative holds, no later one is tried
  bool joins_at_loops = false;     // states are joined at the head of a loop even in a look path by path
  bool recursion_last = false;     // the first round leaves out paths that need a recursive call
  bool names_members = false;      // a message says `local.member`, not only `local`
  bool arrays_unknown = false;     // an element of a local array may have been set out of sight
};

struct Frame {
  Frame(const Context& context, FuncId function, const Look& how);

  const Context& ctx;
  const FuncId id;
  const model::Function& fn;
  const model::Unit& unit;
  const model::Body& body;
  const program::UnitId unit_id;
  const Contract contract;
  const Look look;
  const Flow flow;
  TermArena terms;
  std::vector<PathNode> path;
  std::vector<PathChange> changes;
  std::vector<Exit> exits;
  FunctionResult result;
  Answer answer;
  bool looks_only = false;  // writes to nothing but its own locals, and calls nobody
  Manner manner;
  const std::vector<InstrId> defs;                        // ValueId -> instruction
  const std::vector<std::uint32_t> uses;                  // ValueId -> number of uses
  std::vector<const specs::DomainSpec::Layout*> layouts;  // of properties, as far as the unit sees the struct
};

}  // namespace reckon::engine
