// NULL and uninitialised pointers: a path that dereferences one ends there.
#pragma once

#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class Pointers : public Property {
 public:
  using Property::Property;

  void begin(State& s) override;
  bool dereference(State& s, TermId address, InstrId instr) override;
  void dereferenced(State& s, TermId address, InstrId instr) override;
  bool arguments(State& s, const Call& call) override;
  bool argument(State& s, const Call& call, std::size_t a) override;
  bool target(State& s, const Call& call, FuncId f) override;

  bool may_be_absent(const State& s, const Call& call, std::size_t a);
  void note_dereference(const State& s, TermId root);
  bool set_to_null(InstrId index, std::size_t a, TermId value) const;
  bool crash_on_null(State& s, InstrId index, FuncId f, const std::vector<TermId>& args);

  TermId nullable_ = kNoTerm;       // a parameter that callers may give as NULL
  std::uint32_t dereferences_ = 0;  // bits of the parameters that were dereferenced without a test
};

}  // namespace reckon::engine
