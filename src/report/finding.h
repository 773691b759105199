// A finding: the one type every check makes and every writer shows.
#pragma once

#include <cstdint>
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

// One step of the path that leads to the finding.
struct Step {
  SourceLoc loc;
  std::string text;   // "when PyList_Append() fails"
  std::string state;  // what changed: "owned references of `item`: 1"; may be empty
  int depth = 0;      // > 0: inside a callee
  bool essential = true;  // shown without --full-path
  auto operator<=>(const Step&) const = default;
};

enum class Severity : std::uint8_t { Note, Low, Medium, High };
enum class Confidence : std::uint8_t { Low, Medium, High };

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
  std::string fingerprint;
};

}  // namespace reckon::report
