// The stack of protected slots: what pushes and pops do to it, how deep it is, and whether loops make it grow.
#pragma once

#include <string>
#include <vector>

#include "engine/core/module.h"
#include "engine/properties/protection/protection.h"

namespace reckon::engine {

class ProtectionStack : public Module {
 public:
  using Module::Module;

  void find_counters();
  void gc_stack(State& s, InstrId instr, const specs::ProtectionEffects& o, const std::vector<TermId>& args,
                TermId result);
  void pop_to(State& s, const Linear& depth, InstrId instr);
  int compare_zero(State& s, const Linear& l);  // 1: above, 0: equal, -1: below, 2: not known
  TermId stack_top(State& s);
  void set_stack_top(State& s, TermId t, InstrId instr);
  bool is_stack_top(TermId base, std::int64_t offset) const;
  bool depth_reported() const;
  void depth_grows(State& s, model::BlockId block);
  bool changes_depth(const model::Instr& i) const;  // a call that pushes or pops
  bool changes_in_loop(model::BlockId head) const;
  void check_growth();

  Counters counters_;
  TermId stack_symbol_ = kNoTerm;  // the depth at entry, as a number
  std::string stack_top_name_;
  bool pops_ = false, pushes_ = false;  // does some call of the body?
};

}  // namespace reckon::engine
