// The simulation of one function: its modules, put together. One object is one look at one function.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"

namespace reckon::engine {

class Summing;

class Executor {
 public:
  Executor(const Context& context, FuncId function, const Look& look);
  ~Executor();

  FunctionResult run();

  // For those who explain what was found: valid after run().
  bool looped_beyond(std::uint32_t rounds) const { return loop_.looped_beyond(rounds); }
  const TermArena& terms() const { return frame_.terms; }
  const std::vector<PathNode>& path_nodes() const { return frame_.path; }
  const std::vector<PathChange>& path_changes() const { return frame_.changes; }
  const std::vector<Exit>& exits() const { return frame_.exits; }
  const std::vector<OutcomeExit>& outcome_exits() const;
  const model::Function& function() const { return frame_.fn; }
  const model::Unit& unit() const { return frame_.unit; }
  const Context& context() const { return frame_.ctx; }
  FuncId id() const { return frame_.id; }
  const Answer& answer() const { return frame_.answer; }
  const Contract& contract() const { return frame_.contract; }
  std::string callee_name(const model::Instr& call) const { return trail_.callee_name(call); }
  std::string describe(TermId t) const { return trail_.describe(t); }

 private:
  friend class Module;

  Frame frame_;
  Hooks hooks_;
  Subject subject_;
  Trail trail_;
  Memory memory_;
  Calls calls_;
  Loop loop_;
  std::unique_ptr<Properties> properties_;
  std::unique_ptr<Summing> summing_;
};

}  // namespace reckon::engine
