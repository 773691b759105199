// The interpreter's lock: who gives it up, who needs it, and what is not safe without one.
#pragma once

#include <string>
#include <vector>

#include "engine/core/module.h"

namespace reckon::engine {

class Locks : public Module {
 public:
  using Module::Module;

  bool holds_lock(const State& s) const;
  void borrow_without_lock(State& s, std::uint32_t instr, std::string callee, const std::string& safer);
  void judge_without_lock(State& s, std::uint32_t instr);
  void lock_at_call(State& s, const specs::FunctionSpec& spec, std::uint32_t instr);
  void lock_by_callee(State& s, const specs::Outcome& o, const std::string& callee, std::uint32_t instr);
  std::string lock_user(std::uint32_t instr) const;
  void lock_behind_pointer(States& out, std::size_t before, const std::vector<FuncId>& targets) const;
};

}  // namespace reckon::engine
