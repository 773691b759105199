// Objects that are collected unless protected: the stack of protected slots, and what a collection endangers.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/property.h"
#include "engine/properties/protection/protection.h"

namespace reckon::engine {

class Collector : public Property {
 public:
  using Property::Property;

  void manner(Manner& m) const override;
  void begin(State& s) override;
  const char* refuses() override;
  void exit(const Exit& e) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  void all_exits() override;
  void decision(model::BlockId block, TermId condition) override;
  bool equal(State& s, TermId a, TermId b) override;
  bool differ(const State& s, TermId a, TermId b) const override;
  bool keep_apart(const State& a, const State& b) const override;
  void too_many(State& s) override;
  void widen(State& s, std::span<const State> seen) override;
  bool too_many_alike(State& s, std::span<const State> seen, model::BlockId block) override;
  void block_begins(State& s) override;
  void returned(State& s, TermId value, InstrId instr) override;
  void touch(State& s, TermId root, InstrId instr) override;
  std::optional<TermId> special_read(State& s, TermId base, std::int64_t offset) override;
  bool special_write(State& s, TermId base, std::int64_t offset, TermId value, InstrId instr) override;
  bool storing(State& s, TermId address, TermId value, InstrId instr) override;
  void filling(State& s, TermId address, InstrId instr) override;
  void stored_somewhere(State& s, TermId value, InstrId instr) override;
  void never_returns(State& s, InstrId instr, const std::vector<TermId>& args) override;
  void forgetting(const State& s, TermId old) override;
  bool arguments(State& s, const Call& call) override;
  bool argument(State& s, const Call& call, std::size_t a) override;
  std::optional<TermId> leads_into(const State& s, TermId pointer) const override;
  void code_ran(State& s, const Call& call) override;
  void unknown(State& s, const Call& call, const model::Type* type) override;
  bool assume(State& s, Applying& call) override;
  void chosen(State& s, const Applying& call) override;
  void effects(State& s, const Applying& call) override;
  void make_objects(State& s, const Applying& call) override;
  void part_of(State& s, const Applying& call, TermId t, const specs::Value& v, TermId whole) override;
  std::optional<TermId> special_value(State& s) override;
  void after_stores(State& s, const Applying& call, TermId result) override;

  void start_protection(State& s);
  bool may_collect(const specs::FunctionSpec* spec, const specs::ProtectionEffects& o) const {
    return o.allocates || (spec && spec->allocates);
  }
  bool makes_constant_symbol(InstrId instr) const;
  bool gc_use(State& s, TermId t, InstrId instr, const std::string& callee);
  void gc_arguments(State& s, InstrId instr, const specs::FunctionSpec* spec, const specs::ProtectionEffects& o,
                    const std::vector<TermId>& args, bool assumed_kind = false);
  void collect(State& s, InstrId instr, const std::vector<TermId>& safe, bool assumed_kind = false);
  void gc_links(State& s, const Applying& call, TermId result);
  void gc_new(State& s, TermId t, InstrId instr, const specs::Object& x, const std::vector<TermId>& args);
  void gc_unknown(State& s, InstrId instr, const std::vector<TermId>& args);
  void gc_argument_order(State& s, InstrId instr, const std::vector<TermId>& args);
  bool gc_distinct(const State& s, TermId a, TermId b) const;
  std::vector<TermId> gc_lasting(const State& s) const;
  bool assumes_kind(State& s, InstrId instr, const specs::Outcome& o, const std::vector<TermId>& args);
  void gc_rebind(State& s, InstrId instr, const std::vector<TermId>& args);
  void gc_may_jump(State& s, InstrId instr);
  void note_drop(State& s, const specs::Hold& d, const GcObject* g, const std::vector<TermId>& args, InstrId instr);
  void gc_unlink(State& s, TermId link, InstrId instr);
  GcObject* gc_released(State& s, std::optional<TermId> t);
  void gc_write(State& s, TermId address, InstrId instr);
  void note_stored(State& s, TermId address, TermId value, InstrId instr);
  bool is_interior(const State& s, TermId t) const;
  void gc_never(State& s, InstrId instr, const std::vector<TermId>& args);
  void gc_let_go(State& s, bool only_unnamed);
  Event* emit_gc(EventKind kind, const State& s, const GcObject* o, InstrId instr, std::string callee = {});
  void expression_calls(InstrId call, std::uint32_t operand, std::vector<InstrId>& out, int fuel) const;

 private:
  std::set<InstrId> certain_;  // calls that may collect whatever the kinds of their arguments are
};

}  // namespace reckon::engine
