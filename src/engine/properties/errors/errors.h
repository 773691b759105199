// Error objects that a function stores for its caller, at an address that the caller gives: GLib's GError.
#pragma once

#include "engine/core/property.h"

namespace reckon::engine {

class Errors : public Property {
 public:
  using Property::Property;

  void begin(State& s) override;
  bool dereference(State& s, TermId address, InstrId instr) override;
  bool storing(State& s, TermId address, TermId value, InstrId instr) override;
  void written(State& s, TermId value, InstrId instr) override;
  void effects(State& s, const Applying& call) override;
  void unknown(State& s, const Call& call, const model::Type* type) override;
  void all_exits() override;

 private:
  bool is_error(model::TypeId record) const;
  bool stores_errors(model::TypeId parameter) const;
  bool drops_error(State& s, const Applying& call) const;
  void overwriting_error(State& s, const Applying& call, std::uint32_t argument, TermId before);

  TermId asked_ = kNoTerm;  // the parameter at which the caller wants the error
};

}  // namespace reckon::engine
