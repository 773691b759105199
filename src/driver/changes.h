// --changed-since REV: which functions can a change affect?
//
// The problem: on a branch, people want to see what their change did, not the whole program's findings. The method:
// git says which lines differ from REV. A function with such a line is changed; a finding in it, or in a function that
// calls it, directly or not, can be the change's doing. A changed line outside of functions (a macro, a struct, a
// table) can matter to every function of the units that read that file. Lines that differ in nothing but comments and
// white space are not changed.
//
// Limits: what a change makes disappear is not told, and neither is what it changes by way of a pointer that the call
// graph does not follow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/git.h"
#include "program/program.h"
#include "report/finding.h"

namespace reckon::driver {

// Changed lines by file (absolute).
using Changes = std::map<std::string, std::vector<LineRange>>;

// nullopt: git or the revision does not work, and `error` says why.
std::optional<Changes> changes_since(const std::string& revision, std::string& error);

class AffectedFunctions {
 public:
  AffectedFunctions(const program::Program& program, const Changes& changes);
  bool contains(const report::Finding& finding) const;
  std::size_t size() const { return functions_.size(); }

 private:
  std::set<std::pair<std::string, std::string>> functions_;  // file and display name
  std::set<std::string> files_;                              // changed outside of functions
};

}  // namespace reckon::driver
