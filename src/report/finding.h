// A finding: the one type every check makes and every writer shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reckon::report {

struct SourceLoc {
  std::string file;  // absolute; writers make it relative
  std::uint32_t line = 0;
  std::uint32_t col = 0;
  std::string macro;  // name of the macro it was expanded from, or ""
  auto operator<=>(const SourceLoc&) const = default;
};

// One line of the state a step leaves behind.
enum class FactKind : std::uint8_t {
  Owned,       // subject: an object; value: references the function owns, "1"
  Holder,      // subject: an object; value: who else holds a reference
  Count,       // subject: "use count of `dev`"; value: its change, "+1"
  Exception,   // value: "set" or "not set"
  Lock,        // the interpreter's lock; value: "held" or "given up"
  Protection,  // value: depth of the protection stack, or what is on it
  Other,       // anything else a domain wants to show
};

struct Fact {
  FactKind kind = FactKind::Other;
  std::string subject;   // by the programmer's name, without quotes; "" where the kind says it all
  std::string value;
  bool changed = false;  // by the step it stands at
  auto operator<=>(const Fact&) const = default;
};

// One step of the path that leads to the finding.
struct Step {
  SourceLoc loc;
  std::string text;        // "when PyList_Append() fails"
  std::string state;       // what changed: "owned references of `item`: 1"; may be empty
  int depth = 0;           // > 0: inside a callee
  bool essential = true;   // shown without --full-path
  std::vector<Fact> facts = {};  // all that is known after the step, for writers that show the whole state
  auto operator<=>(const Step&) const = default;
};

// Replaces the text from (line, col) up to, not including, (end_line, end_col); equal places: an insertion.
struct Edit {
  std::string file;  // absolute
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

const char* name_of(Severity severity);      // "note", "low", "medium", "high"
const char* name_of(Confidence confidence);  // "low", "medium", "high"

struct Finding {
  std::string check;     // id, e.g. "python-leak"
  std::string message;   // in the reader's terms, one sentence, no full stop
  Severity severity = Severity::Medium;
  Confidence confidence = Confidence::Medium;
  std::string function;  // display name
  std::string object;    // by the name the programmer gave it, or ""
  SourceLoc loc;         // where it goes wrong
  SourceLoc origin;      // where the reference was obtained; file empty: none
  std::string origin_api;  // call it came from, or ""
  std::uint32_t origin_index = 0;  // which of the objects that call gave
  std::vector<Step> path;
  std::vector<Step> other_path;  // the second path of an inconsistent pair
  std::vector<SourceLoc> further_places;  // same root cause
  std::vector<Fix> fixes;                 // the best one first
  std::string fingerprint;                // docs/reports.md says what goes into it
  std::optional<Suppression> suppression;
  bool in_baseline = false;  // known before: neither shown as new nor a reason to fail
};

}  // namespace reckon::report
