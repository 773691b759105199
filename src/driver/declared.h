// Lines of specs against the functions that sources use.
//
// The problem: a line that names other parameters than its function has speaks of the wrong arguments, and one with a
// misspelt name of nobody. The method: the declaration of every function that a unit calls, names or defines is
// compared with the line of its name. Limits: what no unit uses may still be a part of the library.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "specs/spec_set.h"

namespace reckon::driver {

class DeclaredFunctions {
 public:
  // `wanted`: the lines to compare; all, if it is empty.
  explicit DeclaredFunctions(const specs::SpecSet& set, std::function<bool(const specs::FunctionSpec&)> wanted = {})
      : set_(set), wanted_(std::move(wanted)) {}

  struct Misfit {
    specs::SpecError error;   // at the line of the spec
    std::string declared_at;  // FILE:LINE
  };
  // What does not fit and was not told before.
  std::vector<Misfit> compare(const model::Unit& unit);

  std::size_t compared() const { return compared_; }  // declarations

  // At each line whose name no unit uses: which, and what may have been meant. Patterns are left out.
  std::vector<specs::SpecError> unused() const;

 private:
  const specs::SpecSet& set_;
  std::function<bool(const specs::FunctionSpec&)> wanted_;
  std::set<std::string> told_;
  std::set<std::string> declared_;  // names of functions
  std::size_t compared_ = 0;
};

}  // namespace reckon::driver
