// The walk over a function's blocks: property simulation.
//
// States flow through the blocks in reverse postorder. Where states meet with equal property parts they are
// joined; others stay apart. A block is run again while states that reach it still change, with widening after
// a few rounds, so loops end in a fixpoint. Calls fork the state once per outcome of the callee.
#pragma once

#include <map>
#include <vector>

#include "engine/core/module.h"

namespace reckon::engine {

struct BlockStates {
  std::vector<State> seen;
  std::vector<std::uint64_t> keys;
  std::vector<char> waiting;
  std::vector<std::uint32_t> rounds;
};

class Loop : public Module {
 public:
  using Module::Module;

  bool run();
  TermId argument_at_start(model::ValueId p);
  bool looped_beyond(std::uint32_t rounds) const;  // after run()
  void enter(model::BlockId block, State state);
  bool may_join(const BlockStates& at, model::BlockId block, std::size_t i, const State& state) const;
  bool overspent() const;
  void cut(const char* reason);
  model::BlockId next_block();
  void process(model::BlockId block);
  void remember(const States& states, InstrId instr);
  void terminate(model::BlockId block, InstrId instr, State state);
  bool assume(State& s, TermId condition, bool truth);
  void follow(model::BlockId from, model::BlockId to, State state, InstrId instr, std::uint32_t which);
  void leave(State state, InstrId instr, TermId result, bool by_exception);
  void prune(State& s, model::BlockId block, InstrId after);  // after: instruction, kNone: at entry of block
  void merge(States& states, model::BlockId block, InstrId after);
  bool live_after(model::BlockId block, InstrId after, model::ValueId v) const;
  void leave_by_throw(State state, InstrId instr);

  bool runs_code_ = false;      // some call may run arbitrary code
  bool may_throw_ = false;      // C++: some call may leave this function by an exception
  bool walks_members_ = false;  // a loop changed more members of an argument than outcomes can name
  std::vector<BlockStates> blocks_;
  std::map<std::uint32_t, model::BlockId> work_;  // by position in reverse postorder
  LastUses last_uses_;                            // of the block being processed
  model::BlockId current_{};
};

}  // namespace reckon::engine
