// Members that say whether a named count is held.
//
// The problem: a driver takes a count, notes that in its own structure, and whoever comes next goes by the note. Ends
// of one function alone look as if they lost the count. The method: a member is such a note if some function asks it,
// gives a count back on the side where it is set only, and clears it; and if some function sets it that takes that
// count. What the members are is asked where ends are judged (engine/core/hold_flags.cpp).
//
// Limits: whole numbers, truth values and bits of them, of which the other bits are not told apart. The function that
// clears the member is the one that asks it, or one that calls it; counts are followed into callees as far as a limit
// says.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/learn/learn.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

using Kinds = std::set<CountId>;

// What functions, and those they call, do to counts.
class CountUsers {
 public:
  CountUsers(const Context& ctx, bool plain) : ctx_(ctx), plain_(plain) {}

  // Adds the counts that a call takes (`taking`) or gives back; plain references too, where no pairs are compared.
  void add(program::UnitId u, std::span<const Operand> ops, bool taking, Kinds& out, int depth = 0) {
    if (ops.empty() || ops[0].kind != OperandKind::Symbol) return;
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][ops[0].id]) {
      for (const specs::Outcome& o : spec->outcomes)
        for (const specs::CountChange& c : o.counts)
          if ((!c.kind.empty() || plain_) && (c.delta > 0) == taking) out.insert(ctx_.count_id(c.kind));
      return;
    }
    const FuncId f = ctx_.program.definition(u, ops[0].symbol_id());
    if (f == kNone || depth >= support::kLimits.program.released_calls) return;
    const auto [known, added] = known_.try_emplace({f, taking, depth});
    if (added) {
      Kinds found;
      const model::Body& body = ctx_.program.function(f).body;
      for (const Instr& i : body.instrs)
        if (i.op == Op::Call) add(ctx_.program.unit_id(f), body.ops(i), taking, found, depth + 1);
      known_[{f, taking, depth}] = std::move(found);
    }
    const Kinds& kinds = known_[{f, taking, depth}];
    out.insert(kinds.begin(), kinds.end());
  }

 private:
  const Context& ctx_;
  const bool plain_;
  std::map<std::tuple<FuncId, bool, int>, Kinds> known_;
};

// What one function does with the members it asks, sets and clears.
class Notes {
 public:
  Notes(const Context& ctx, CountUsers& users, FuncId f)
      : users_(users),
        unit_(ctx.program.unit(f)),
        u_(ctx.program.unit_id(f)),
        body_(ctx.program.function(f).body),
        defs_(body_) {}

  void read(std::map<std::string, Kinds>& told, std::map<std::string, Kinds>& set) const {
    std::set<std::string> cleared, raised;
    for (const Instr& i : body_.instrs)
      if (i.op == Op::Store) note_store(i, cleared, raised);
    if (!raised.empty()) {
      Kinds taken;
      for (const Instr& i : body_.instrs)
        if (i.op == Op::Call) users_.add(u_, body_.ops(i), true, taken);
      for (const std::string& member : raised) set[member].insert(taken.begin(), taken.end());
    }
    if (cleared.empty()) return;
    for (BlockId b{}; b < body_.blocks.size(); ++b) {
      const Instr& end = body_.terminator(b);
      if (end.op != Op::CondBr) continue;
      bool when_set = true;
      const std::string member = asked(body_.ops(end)[0], when_set);
      if (member.empty() || !cleared.contains(member)) continue;
      const auto to = body_.succs(end);
      given_back(to[when_set ? 0 : 1], to[when_set ? 1 : 0], told[member]);
    }
  }

 private:
  const Instr* def(const Operand& o) const { return o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr; }

  std::string member_at(const Operand& address) const {
    const Instr* i = def(address);
    if (!i || i->op != Op::Field || i->aux == kNone) return {};
    const model::FieldName& field = body_.fields[i->aux];
    const std::string_view record = unit_.str(unit_.type(field.record).name);
    if (record.empty() || unit_.type(field.type).kind != model::TypeKind::Int) return {};
    return std::string(record) + "." + std::string(unit_.str(field.path));
  }

  // The member whose value, or a bit of it, this is.
  std::string member_in(const Operand& value) const {
    const Instr* i = def(value);
    for (int step = 0; i && step < support::kLimits.program.released_steps; ++step) {
      if (i->op == Op::Load) return member_at(body_.ops(*i)[0]);
      const bool masked = i->op == Op::Arith && body_.ops(*i)[1].kind == OperandKind::Int;
      if (i->op != Op::Cast && !masked) return {};
      i = def(body_.ops(*i)[0]);
    }
    return {};
  }

  // The member that a condition asks; `when_set` becomes false if the condition holds where the member is zero.
  std::string asked(const Operand& condition, bool& when_set) const {
    const Instr* i = def(condition);
    for (int step = 0; i && step < support::kLimits.program.released_steps; ++step) {
      const auto ops = body_.ops(*i);
      if (i->op == Op::Cmp && ops[1].kind == OperandKind::Int && ops[1].imm == 0 &&
          static_cast<model::CmpPred>(i->sub) <= model::CmpPred::Ne) {
        if (static_cast<model::CmpPred>(i->sub) == model::CmpPred::Eq) when_set = !when_set;
      } else if (i->op == Op::Arith && static_cast<model::ArithOp>(i->sub) == model::ArithOp::Xor &&
                 ops[1].kind == OperandKind::Int) {
        when_set = !when_set;
      } else if (i->op != Op::Cast) {
        return member_in(condition_value(i));
      }
      if (const std::string member = member_in(ops[0]); !member.empty()) return member;
      i = def(ops[0]);
    }
    return {};
  }
  Operand condition_value(const Instr* i) const {
    return i->result != kNone ? Operand::value(i->result) : Operand::undef();
  }

  void note_store(const Instr& i, std::set<std::string>& cleared, std::set<std::string>& raised) const {
    const auto ops = body_.ops(i);
    const std::string member = member_at(ops[0]);
    if (member.empty()) return;
    if (ops[1].kind == OperandKind::Int) (ops[1].imm == 0 ? cleared : raised).insert(member);
    const Instr* from = def(ops[1]);
    if (!from || from->op != Op::Arith || member_in(body_.ops(*from)[0]) != member) return;
    if (static_cast<model::ArithOp>(from->sub) == model::ArithOp::And) cleared.insert(member);
    if (static_cast<model::ArithOp>(from->sub) == model::ArithOp::Or) raised.insert(member);
  }

  std::vector<char> reachable(BlockId from) const {
    std::vector<char> seen(body_.blocks.size(), 0);
    std::vector<BlockId> left{from};
    while (!left.empty()) {
      const BlockId b = left.back();
      left.pop_back();
      if (seen[b]) continue;
      seen[b] = 1;
      for (const BlockId next : body_.succs(body_.terminator(b))) left.push_back(next);
    }
    return seen;
  }

  // The counts that are given back where the member is set and not where it is clear.
  void given_back(BlockId set, BlockId clear, Kinds& out) const {
    const std::vector<char> here = reachable(set), there = reachable(clear);
    for (BlockId b{}; b < body_.blocks.size(); ++b)
      if (here[b] && !there[b])
        for (const Instr& i : body_.block(b))
          if (i.op == Op::Call) users_.add(u_, body_.ops(i), false, out);
  }

  CountUsers& users_;
  const model::Unit& unit_;
  program::UnitId u_;
  const model::Body& body_;
  const program::ValueDefs defs_;
};

}  // namespace

void learn_hold_flags(Context& ctx) {
  CountUsers named(ctx, false), plain(ctx, true);
  std::map<std::string, Kinds> told, set;
  const auto& domains = ctx.specs.domains();
  for (const FuncId f : ctx.program.wholes()) {
    const DomainId domain = ctx.unit_domain[ctx.program.unit_id(f)];
    if (domain < domains.size() && (domains[domain].reports_pairs || domains[domain].reports_leaks))
      Notes(ctx, domains[domain].reports_pairs ? named : plain, f).read(told, set);
    ctx.program.rest();
  }
  for (const auto& [member, kinds] : told) {
    std::vector<CountId> both;
    std::set_intersection(kinds.begin(), kinds.end(), set[member].begin(), set[member].end(), std::back_inserter(both));
    if (!both.empty()) ctx.hold_flags.emplace(member, std::move(both));
  }
}

}  // namespace reckon::analysis
