// A finding: the one type every check makes and every writer shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reckon::report {

// How findings of a check can be repaired by rule (repair.h).
enum class Repair : std::uint8_t {
  None,
  Release,          // give a reference up before leaving
  Acquire,          // take one before returning what is borrowed
  Balance,          // pop what was pushed
  PopLess,          // pop no more than was pushed
  Protect,          // push what is used later
  ProtectArgument,  // push what is passed on
};

struct SourceLoc {
  std::string file;  // absolute; writers make it relative
  std::uint32_t line = 0;
  std::uint32_t col = 0;
  std::string macro;  // name of the macro it was expanded from, or ""
  auto operator<=>(const SourceLoc&) const = default;
};

// An object, or one named count of it, as it is after a step.
struct ObjectState {
  std::uint32_t id = 0;                   // the same object has the same number in all steps of a path
  std::string name;                       // as the programmer calls it, or what made it: "PyList_New()"
  std::string kind;                       // "new", "borrowed", "argument", "loaded", "global", "unknown"
  std::string count;                      // name of the count; "" for the references owned
  int owned = 0;                          // references this function owns, or change of the named count since entry
  bool released = false;                  // its last reference is gone
  bool escaped = false;                   // somebody out of sight may hold it
  std::string lender;                     // borrowed: who keeps it alive, or ""
  std::vector<std::string> holders = {};  // containers that took a reference
  std::uint32_t line = 0;                 // where it was obtained; 0: unknown
  bool focus = false;                     // the finding is about this one
  auto operator<=>(const ObjectState&) const = default;
};

// What a step changed; what it does not mention stays as it was. The first step says how the path begins.
struct StateChange {
  std::vector<ObjectState> objects;
  std::string exception;  // "set", "not set", "cleared", "may be set", "as on entry"; "" unchanged
  std::string lock;       // the interpreter's lock: "held", "given up"; "" unchanged
  std::string depth;      // of the protection stack since entry: "2", "nprotect + 1"; "" the stack is unchanged
  std::vector<std::string> stack;  // with `depth`: the objects on it, the lowest first
  std::vector<std::string> bare;   // with `depth`: objects made here that nothing protects
  bool empty() const { return objects.empty() && exception.empty() && lock.empty() && depth.empty(); }
  auto operator<=>(const StateChange&) const = default;
};

// One step of the path that leads to the finding.
struct Step {
  SourceLoc loc;
  std::string text;           // "when PyList_Append() fails"
  std::string state;          // what changed: "owned references of `item`: 1"; may be empty
  int depth = 0;              // > 0: inside a callee
  bool essential = true;      // shown without --full-path
  StateChange change = {};    // the same as data, and of all objects; report/state.h adds changes up
  std::string callee = {};    // a call of this function (the linker's name) that ended by its outcome number `outcome`:
  std::uint32_t outcome = 0;  // what analysis/callee_steps.h needs to look into it; "" otherwise
  bool failed = false;  // a call that failed; not kept, for choosing among ways to one mistake (analysis/grouping.h)
  auto operator<=>(const Step&) const = default;
};

// Replaces the text from (line, col) up to, not including, (end_line, end_col); equal places: an insertion.
struct Edit {
  std::string file;                 // absolute
  std::uint32_t line = 0, col = 0;  // from 1, bytes
  std::uint32_t end_line = 0, end_col = 0;
  std::string text;
  auto operator<=>(const Edit&) const = default;
};

// A repair that was tried: with its edits the finding is gone and no other appears.
struct Fix {
  std::string description;  // "release `item` before returning"
  std::vector<Edit> edits;  // in order of place, not overlapping
  auto operator<=>(const Fix&) const = default;
};

// A comment in the source that says why the finding is to be left alone.
struct Suppression {
  std::string reason;
  SourceLoc loc;  // of the comment
  auto operator<=>(const Suppression&) const = default;
};

enum class Severity : std::uint8_t { Note, Low, Medium, High };
enum class Confidence : std::uint8_t { Low, Medium, High };

// What must happen for a bug to show, the likeliest first.
enum class Trigger : std::uint8_t {
  Normal,   // nothing has to fail
  Input,    // what a caller or a user passes
  Outside,  // a device, a file or a server fails
  Race,     // two threads meet at the wrong moment
  Memory,   // an allocation fails
};
// When the function runs, the most frequent first. Uncalled: never, as far as can be seen.
enum class Place : std::uint8_t { Run, Teardown, Init, Uncalled };

const char* name_of(Severity severity);      // "note", "low", "medium", "high"
const char* name_of(Confidence confidence);  // "low", "medium", "high"

struct Finding {
  std::string check;    // id, e.g. "python-leak"
  std::string message;  // in the reader's terms, one sentence, no full stop
  Severity severity = Severity::Medium;
  Confidence confidence = Confidence::Medium;
  Trigger trigger = Trigger::Normal;
  Place place = Place::Run;
  std::string function;            // display name
  std::string object;              // by the name the programmer gave it, or ""
  SourceLoc loc;                   // where it goes wrong
  SourceLoc origin;                // where the reference was obtained; file empty: none
  std::string origin_api;          // call it came from, or ""
  std::uint32_t origin_index = 0;  // which of the objects that call gave
  std::vector<Step> path;
  std::vector<Step> other_path;           // the second path of an inconsistent pair
  std::vector<SourceLoc> further_places;  // same root cause
  int depth_left = 0;       // what the protection stack has too much at `loc`, or too little; 0: not a matter of that
  std::vector<Fix> fixes;   // the best one first
  std::string fingerprint;  // docs/reports.md says what goes into it
  std::optional<Suppression> suppression;
  bool in_baseline = false;  // known before: neither shown as new nor a reason to fail
};

}  // namespace reckon::report
