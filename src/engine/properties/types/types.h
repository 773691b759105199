// Objects of the program's own types: deallocators, initialisers that run twice, fields that were never set.
#pragma once

#include <string>

#include "engine/core/property.h"

namespace reckon::engine {

class Types : public Property {
 public:
  using Property::Property;

  void begin(State& s) override;
  void exit(const Exit& e) override;
  void effects(State& s, const Applying& call) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  void releasing(State& s, TermId t) override;
  bool may_release(const State& s, TermId t) const override;
  void died(State& s, TermId t, InstrId instr) override;

  bool decides_by_type() const;
  void given_back(State& s, TermId t, InstrId instr);
  void check_contract(const Exit& e);
  void note_members(const State& s);
  bool counted_type(TermId global) const;
  void check_types_handed(const State& s);

  bool depends_on_type_ = false;  // a deallocator that looks at its object's type before it decides
};

}  // namespace reckon::engine
