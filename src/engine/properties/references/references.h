// Lifecycles of counted objects: what acquiring, releasing, stealing and using do to them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/applying.h"
#include "engine/core/module.h"

namespace reckon::engine {

struct Taken {  // an object that the callee steals or keeps
  TermId t = kNoTerm;
  std::optional<TermId> holder;
  bool steals = false;
};

class References : public Module {
 public:
  using Module::Module;

  void lose(State& s, const Obj& o);
  void apply_counts(State& s, const Applying& call);
  std::vector<Taken> taken_by(State& s, const Applying& call);
  void apply_holds(State& s, const Applying& call, const std::vector<Taken>& taken);
  void make_objects(State& s, const Applying& call);
  void apply_result_counts(State& s, const Applying& call, TermId result);
  bool from_local(TermId t) const;
  Obj* obj(State& s, TermId t, std::uint32_t instr);
  void acquire(State& s, TermId t, std::uint32_t instr);
  void release(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  void steal(State& s, TermId t, std::optional<TermId> holder, std::uint32_t instr, bool consumed);
  bool use(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  bool dead(const State& s, const Obj& o, bool& by_owner) const;
  void died(State& s, TermId t, std::uint32_t instr);
  void contents_dropped(State& s, TermId container, TermId key, std::uint32_t instr);
  bool refers_to(TermId value, const Obj& o) const;
  int stored_change(const State& s, const Obj& o) const;
  void used_by_callee(State& s, std::uint32_t index, FuncId f, const std::vector<TermId>& args);
  std::uint32_t uses_ended() const;
  void emit_lost(const State& s, const State::Lost& lost, std::uint32_t exit);

  // Called for the part (part.h).
  void forget(State& s, const Pruning& pruning);
  void renewed(State& s, TermId symbol);
  void widen(State& s);

  std::map<TermId, TermId> guise_of_;  // what an unknown function made of an object -> the object

 private:
  void give_up_with_memory(State& s, const Pruning& pruning);
  void keep_mentioned(State& s, Mentioned& m);
};

}  // namespace reckon::engine
