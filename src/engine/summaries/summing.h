// The ends of a function as outcomes for its callers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/module.h"

namespace reckon::engine {

class Summing : public Module {
 public:
  using Module::Module;

  int hidden_stores(const State& s, TermId t, const specs::Outcome& o) const;
  specs::Outcome outcome_of(const Exit& e, bool& complete) const;
  void check_annotation(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  std::string contradiction(const specs::Outcome& body, const specs::Outcome& said, const State& s) const;
  Summary summarise();

  std::vector<OutcomeEnd> outcome_ends_;
};

}  // namespace reckon::engine
