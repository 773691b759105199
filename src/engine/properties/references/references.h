// Lifecycles of counted objects: what acquiring, releasing, stealing and using do to them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/applying.h"
#include "engine/core/property.h"

namespace reckon::engine {

struct Taken {  // an object that the callee steals or keeps
  TermId t = kNoTerm;
  std::optional<TermId> holder;
  bool steals = false;
};

class References : public Property {
 public:
  using Property::Property;

  void begin(State& s) override;
  bool equal(State& s, TermId a, TermId b) override;
  bool is_object(const State& s, TermId t) const override;
  void touch(State& s, TermId root, InstrId instr) override;
  void loaded(State& s, TermId address, TermId value, InstrId instr) override;
  bool storing(State& s, TermId address, TermId value, InstrId instr) override;
  void written(State& s, TermId value, InstrId instr) override;
  void stored_somewhere(State& s, TermId value, InstrId instr) override;
  void out_of_sight(State& s, TermId value) override;
  void covered(State& s, TermId value, InstrId instr) override;
  std::optional<TermId> leads_into(const State& s, TermId pointer) const override;
  void renewed(State& s, TermId symbol) override;
  void widen(State& s, std::span<const State> seen) override;
  void forget(State& s, const Pruning& pruning) override;
  bool argument(State& s, const Call& call, std::size_t a) override;
  std::optional<TermId> asked_before(State& s, const Call& call) override;
  void before_targets(State& s, const Call& call, const Targets& targets) override;
  void after_targets(States& out, std::size_t from, const Call& call, const Targets& targets) override;
  void preexists(State& s, TermId result) override;
  void handing(State& s, const Call& call, std::size_t a, bool ours) override;
  void handed(State& s, const Call& call, std::size_t a, const model::Type* type) override;
  void unknown_result(State& s, const Call& call, TermId result) override;
  void effects(State& s, const Applying& call) override;
  void make_objects(State& s, const Applying& call) override;
  void part_of(State& s, const Applying& call, TermId t, const specs::Value& v, TermId whole) override;
  void found(State& s, TermId t) override;
  void stored_by_callee(State& s, const Applying& call, TermId address, TermId value, TermId result) override;
  void result(State& s, const Applying& call, TermId result) override;
  void finish(State& s, const Applying& call, TermId result) override;
  bool changes_count(const specs::Outcome& o) const override;
  bool gives_up(const specs::Outcome& o) const override;
  bool gives_up_argument(std::span<const specs::Outcome> outcomes) const override;

  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;

  void lose(State& s, const Obj& o);
  void apply_counts(State& s, const Applying& call);
  bool freed_object(const State& s, TermId t) const;
  std::vector<Taken> stolen_by(State& s, const Applying& call);
  void apply_holds(State& s, const Applying& call, const std::vector<Taken>& taken);
  void apply_result_counts(State& s, const Applying& call, TermId result);
  bool from_local(TermId t) const;
  bool is_own_memory(const State& s, TermId t) const;
  Obj* obj(State& s, TermId t, InstrId instr);
  void acquire(State& s, TermId t, InstrId instr);
  void release(State& s, TermId t, InstrId instr, const std::string& callee);
  void steal(State& s, TermId t, std::optional<TermId> holder, InstrId instr, bool consumed);
  bool use(State& s, TermId t, InstrId instr, const std::string& callee);
  bool dead(const State& s, const Obj& o, bool& by_owner) const;
  void died(State& s, TermId t, InstrId instr);
  void contents_dropped(State& s, TermId container, TermId key, InstrId instr);
  bool refers_to(TermId value, const Obj& o) const;
  int stored_change(const State& s, const Obj& o) const;
  bool may_free_bare(const Targets& targets, std::uint32_t argument) const;
  void looked_at_late(State& s, TermId t);
  void used_by_callee(State& s, InstrId index, FuncId f, const std::vector<TermId>& args);
  std::vector<LateUse> late_uses() const;
  Obj* lives_by(State& s, TermId t) const;
  void emit_lost(const State& s, const State::Lost& lost, InstrId exit);

  std::map<TermId, TermId> alias_of_;  // what an unknown function made of an object -> the object

 private:
  void give_up_with_memory(State& s, const Pruning& pruning);
  void keep_mentioned(State& s, Mentioned& m);
};

}  // namespace reckon::engine
