// What every module of the simulation sees: the function at hand by short names, and the other modules of the core.
//
// A module is a class that holds one concern of one look at a function. The modules of the core know each other; a
// property is a module behind the hooks of core/property.h.
#pragma once

#include "engine/core/frame.h"

namespace reckon::engine {

class Calls;
class Executor;
class Hooks;
class Loop;
class Memory;
class Subject;
class Trail;
struct Properties;

class Module {
 public:
  explicit Module(Executor& executor);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

 protected:
  Properties& props() const;

  Executor& exec_;
  Subject& subject_;
  Trail& trail_;
  Memory& memory_;
  Calls& calls_;
  Loop& loop_;
  Hooks& hooks_;

  const Context& ctx_;
  const FuncId id_;
  const model::Function& fn_;
  const model::Unit& unit_;
  const model::Body& body_;
  const program::UnitId unit_id_;
  const Contract contract_;
  const Joining joining_;
  const Flow& flow_;
  TermArena& terms_;
  std::vector<PathNode>& path_;
  std::vector<PathChange>& changes_;
  std::vector<Exit>& exits_;
  FunctionResult& result_;
  Answer& answer_;
  const std::uint32_t max_steps_, max_rounds_;
  AtBranches* const branches_;
  bool& looks_only_;
  const Manner& manner_;
  const std::vector<InstrId>& defs_;
  const std::vector<std::uint32_t>& uses_;
  std::vector<const specs::DomainSpec::Layout*>& layouts_;
};

}  // namespace reckon::engine
