// Whether an exception is set, as outcomes leave it and ask for it.
#pragma once

#include "engine/core/applying.h"
#include "engine/core/property.h"

namespace reckon::engine {

// How the exception state is when a function with this contract begins.
ExcState entry_exception(const Contract& contract);

class Exceptions : public Property {
 public:
  using Property::Property;

  void begin(State& s) override;
  void exit(const Exit& e) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  bool assume(State& s, Applying& call) override;
  void finish(State& s, const Applying& call, TermId result) override;
  bool answer(State& s, const Call& call, States& out) override;
  void program_call(State& s, const Call& call) override;
  void unknown(State& s, const Call& call, const model::Type* type) override;
  bool raises(const specs::Outcome& o) const override;
  void null_by_contract(const Contract& contract, specs::Outcome& o) const override;

  void set(State& s, ExcState now, InstrId instr);
  bool assume_pending(State& s, specs::Pending pending) const;
  void apply_exception(State& s, const Applying& call) const;
};

}  // namespace reckon::engine
