// Calls that read a format string: what they take, give and leave.
#pragma once

#include <string>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

struct Converted {
  bool known = false, owned = false, maybe_null = false, taken_back = false;
};

class Formats : public Property {
 public:
  using Property::Property;

  bool must_fail(State& s, const Call& call) override;
  void before_outcomes(State& s, const Call& call) override;
  void after_outcomes(States& out, std::size_t from, const Call& call) override;
  void before_targets(State& s, const Call& call, const Targets& targets) override;
  void further_arguments(State& s, const Applying& call) override;
  void moved(State& s, TermId to, TermId from, InstrId instr) override;
  bool in_use(const State& s, TermId local) const override;
  bool count_changes(State& s, const CountStep& step) override;

  void acquire_buffer(State& s, TermId address, InstrId instr);
  void variadic(State& s, InstrId instr, const specs::Outcome& o, const specs::FunctionSpec& spec,
                const std::vector<TermId>& args);
  std::vector<std::size_t> null_before(State& s, InstrId instr, const specs::FunctionSpec& spec,
                                       const std::vector<TermId>& args);
  void leave_null(States& out, std::size_t from, InstrId instr, const std::vector<std::size_t>& optional,
                  const std::vector<TermId>& args);
  void hand_to_format(State& s, InstrId instr, FuncId callee, const std::vector<TermId>& args);
  Converted converter(TermId function) const;
  void release_buffer(State& s, TermId address, InstrId instr, const std::string& callee);
  bool builds_from_null(const State& s, const specs::FunctionSpec& spec, const std::vector<TermId>& args) const;

  std::vector<std::size_t> optional_;  // arguments of the call at hand that need not be given
};

}  // namespace reckon::engine
