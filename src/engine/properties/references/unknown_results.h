// Results of functions out of sight, of which nobody says whether a reference comes with them.
#pragma once

#include <map>

#include "engine/core/property.h"

namespace reckon::engine {

class UnknownResults : public Property {
 public:
  using Property::Property;

  void releasing(State& s, TermId t) override;
  void forget(State& s, const Pruning& pruning) override;
  void all_exits() override;

 private:
  bool nobody_says(const State& s, const Obj& o) const;
  std::vector<Obj> dropped_at(const Exit& e) const;
  bool fails(const Exit& e) const;

  std::map<InstrId, PathId> given_back_;  // by the call that gave it: a way on which the function releases it
};

}  // namespace reckon::engine
