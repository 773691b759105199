// The state along a path: the steps' changes added up, for writers that show the whole of it at each step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/finding.h"

namespace reckon::report {

// One line of the state a step leaves behind.
enum class FactKind : std::uint8_t {
  Owned,       // subject: an object; value: references the function owns, "1"
  Holder,      // subject: an object; value: who else holds a reference
  Count,       // subject: "usage count of `dev`"; value: its change, "+1"
  Exception,   // value: "set", "not set", ...
  Lock,        // the interpreter's lock; value: "held" or "given up"
  Protection,  // value: depth of the protection stack; with a subject: "on the stack" or "not protected"
  Other,       // anything else a domain wants to show
};

struct Fact {
  FactKind kind = FactKind::Other;
  std::string subject;  // by the programmer's name, without quotes; "" where the kind says it all
  std::string value;
  bool changed = false;  // by the step it stands at
  auto operator<=>(const Fact&) const = default;
};

// Adds what `from` changed to `into`, as if both were one step.
void merge(StateChange& into, const StateChange& from);

// Replays a path from its first step on.
class PathState {
 public:
  void apply(const StateChange& change);
  std::vector<Fact> facts() const;  // all that is known, in a fixed order

 private:
  StateChange last_;
  std::map<std::uint32_t, ObjectState> objects_;
  std::string exception_, lock_;
  std::string depth_;
  std::vector<std::string> stack_, bare_;
};

}  // namespace reckon::report
