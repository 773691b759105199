// Conditions that pushes and pops depend on: states that differ in one are kept apart.
#pragma once

#include <utility>
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
  bool same_values(const State& a, const State& b) const;

  std::vector<char> decides_;  // Joining::Conditions: blocks whose last condition is tracked
  std::vector<TermId> tracked_;

 private:
  void find_compared(model::BlockId block);
  // By the conditions of these blocks, and changed by no loop; kNone: a constant.
  std::vector<std::pair<model::ValueId, model::ValueId>> compared_;
};

}  // namespace reckon::engine
