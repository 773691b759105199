// Blocks of memory that an allocator gives and that have to be freed once.
#pragma once

#include <utility>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class Blocks : public Property {
 public:
  using Property::Property;

  void exit(const Exit& e) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  bool equal(State& s, TermId a, TermId b) override;
  bool differ(const State& s, TermId a, TermId b) const override;
  void too_many(State& s) override;
  void widen(State& s, std::span<const State> seen) override;
  void forget(State& s, const Pruning& pruning) override;

  void touch(State& s, TermId root, InstrId instr) override;
  bool storing(State& s, TermId address, TermId value, InstrId instr) override;
  void stored_somewhere(State& s, TermId value, InstrId instr) override;
  void out_of_sight(State& s, TermId value) override;
  void moved(State& s, TermId to, TermId from, InstrId instr) override;
  void renewed(State& s, TermId symbol) override;

  void never_returns(State& s, InstrId instr, const std::vector<TermId>& args) override;
  bool argument(State& s, const Call& call, std::size_t a) override;
  void before_call(State& s, const Call& call) override;
  void before_targets(State& s, const Call& call, const Targets& targets) override;
  void after_targets(States& out, std::size_t from, const Call& call, const Targets& targets) override;
  void handed(State& s, const Call& call, std::size_t a, const model::Type* type) override;

  void chosen(State& s, const Applying& call) override;
  void effects(State& s, const Applying& call) override;
  void stored_by_callee(State& s, const Applying& call, TermId address, TermId value, TermId result) override;
  void finish(State& s, const Applying& call, TermId result) override;

  // Bits of the parameters of which somebody out of sight may have, on some path, what they point to or lead to.
  std::uint32_t kept_ = 0;

 private:
  TermId root(TermId t) const;
  void let_go(State& s, TermId t, Silence why, InstrId instr);
  void let_go_reachable(State& s, TermId t, Silence why, InstrId instr);
  void forget_freed(State& s, TermId owner);
  void keep(TermId t);
  bool of_no_domain(const specs::FunctionSpec& spec) const;
  void free(State& s, TermId t, InstrId instr, const std::string& callee, bool plain);
  void use(State& s, TermId t, InstrId instr, const std::string& callee);
  void judge(const State& s, TermId result, InstrId instr);
  void emit_lost(const State& s, const State::LostBlock& lost, InstrId instr);
  std::vector<TermId> left_behind(const State& s, TermId result) const;
  bool points_to_pointer(TermId t) const;
  EventObject object_of(const HeapBlock& b) const;

  // What the outcome that is applied frees, and what somebody else has after it.
  std::vector<TermId> freed_;
  std::vector<std::pair<TermId, Silence>> gone_;
};

}  // namespace reckon::engine
