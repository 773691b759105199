// Conditions that pushes and pops depend on: states that differ in one are kept apart.
#pragma once

#include <vector>

#include "engine/core/module.h"
#include "engine/properties/protection/protection.h"

namespace reckon::engine {

class Decisions : public Module {
 public:
  using Module::Module;

  void find_decisions();
  void track(TermId condition);
  bool agree(const State& a, const State& b) const;

  std::vector<char> decides_;  // Joining::Conditions: blocks whose last condition is tracked
  std::vector<TermId> tracked_;
};

}  // namespace reckon::engine
