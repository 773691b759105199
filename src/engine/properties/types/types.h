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

  bool is_type_pointer(model::TypeId type) const;
  bool decides_by_type() const;
  void given_back(State& s, TermId t, std::uint32_t instr);
  void check_garbage(State& s, const Obj& o, std::uint32_t instr);
  void check_contract(const Exit& e);
  void note_members(const State& s);
  bool counted_type(TermId global) const;
  void check_types_handed(const State& s);

  bool depends_on_type_ = false;  // a deallocator that looks at its object's type before it decides
};

}  // namespace reckon::engine
