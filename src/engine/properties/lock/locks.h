// The interpreter's lock: who gives it up, who needs it, and what is not safe without one.
#pragma once

#include <string>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class Locks : public Property {
 public:
  using Property::Property;

  void exit(const Exit& e) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  bool storing(State& s, TermId address, TermId value, InstrId instr) override;
  void compared(State& s, InstrId instr) override;
  void before_call(State& s, const Call& call) override;
  void after_targets(States& out, std::size_t from, const Call& call, const Targets& targets) override;
  void borrowed(State& s, InstrId instr, const std::string& callee, const std::string& safer) override;
  void finish(State& s, const Applying& call, TermId result) override;

  bool holds_lock(const State& s) const;
  void borrow_without_lock(State& s, InstrId instr, std::string callee, const std::string& safer);
  void judge_without_lock(State& s, InstrId instr);
  void do_step(State& s, LockStep step, InstrId instr);
  void lock_at_call(State& s, const specs::FunctionSpec& spec, InstrId instr);
  void lock_by_callee(State& s, const specs::LockEffects& o, const std::string& callee, InstrId instr);
  std::string lock_user(InstrId instr) const;
  void lock_behind_pointer(States& out, std::size_t before, const std::vector<FuncId>& targets) const;
};

}  // namespace reckon::engine
