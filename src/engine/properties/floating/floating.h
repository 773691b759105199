// Floating references: who has the first reference to an object is decided after it was made.
#pragma once

#include "engine/core/property.h"

namespace reckon::engine {

class Floating : public Property {
 public:
  using Property::Property;

  void effects(State& s, const Applying& call) override;
  void finish(State& s, const Applying& call, TermId result) override;
  void unknown(State& s, const Call& call, const model::Type* type) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  bool gives_up(const specs::Outcome& o) const override { return !o.sinks.empty(); }

 private:
  void sink(State& s, TermId t, bool taken_by_caller, InstrId instr);
  void let_go(State& s, TermId t, InstrId instr);
};

}  // namespace reckon::engine
