// References that go with queued structures, with actions that run later, or with memory that is freed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class Deferred : public Property {
 public:
  using Property::Property;

  void program_call(State& s, const Call& call) override;
  void unknown(State& s, const Call& call, const model::Type* type) override;
  void effects(State& s, const Applying& call) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;

  void kept(State& s, TermId t, InstrId instr);
  void taken_back(State& s, TermId t, TermId key, InstrId instr);
  bool only_in(const State& s, const Obj& o, TermId t) const;
  void freed(State& s, TermId t, InstrId instr);
  void part_released(State& s, TermId part, bool ends_itself);
  void run_deferred(State& s, TermId function, TermId data, InstrId instr, bool at_once);
  void hand_to_callback(State& s, const std::vector<TermId>& args);
  static bool may_end(std::span<const specs::Outcome> outcomes, std::uint32_t argument);
};

}  // namespace reckon::engine
