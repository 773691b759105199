// What is owed at an end of the function: leaks, counts left changed, borrowed results, references stored without one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class ReferenceExits : public Property {
 public:
  using Property::Property;

  void exit(const Exit& e) override;

  void check_stored(const Exit& e);
  bool owning_cell(const State& s, const Cell& c, std::string& name);
  bool lasting_member(const Exit& e, const Cell& c, std::string& name) const;
  bool left_by_caller(const State& s, TermId t) const;
  bool hands_nothing_over(TermId t) const;
  bool moved_out(const State& s, const Obj& o) const;
  bool writes_to_owner(const State& s, const Obj& o) const;
  bool compares_with(TermId global) const;
  bool held_elsewhere(const State& s, const Obj& o) const;
  void check_mixed_result(std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  specs::Ready ready_result() const;
  void check_kept_by_failure(const Exit& e);
};

}  // namespace reckon::engine
