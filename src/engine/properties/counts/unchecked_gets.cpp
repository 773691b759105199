// Gets whose result nobody looks at: the call takes a count or fails, and the function goes on alike and gives back
// what it may not have taken. Of counts that stop at zero (`stops-at-zero` of a spec) that costs a warning at most, so
// it is a check of its own, and no evidence of the mistakes that pairs of ends are about.
//
// Two ends differ by such a get alone if one took the count by it and the other did not, both gave back as often, and
// no branch that the result decides made them part: there is none, it was asked something that the two answers have in
// common, or all it decides is whether a message is printed.
//
// Limits: a result that is stored, returned, joined with another value or told through the address of a local counts as
// looked at.

#include <algorithm>

#include "engine/core/subject.h"
#include "engine/properties/counts/counts.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::Op;
using model::OperandKind;

namespace {

// The function, with what specs say of the functions that it calls.
struct Code {
  const model::Body& body;
  const std::vector<const specs::FunctionSpec*>& specs;

  bool known_call(const Instr& i) const {
    const model::Operand& callee = body.ops(i)[0];
    return i.op == Op::Call && callee.kind == OperandKind::Symbol && specs[callee.id];
  }
};

// Does the branch only decide whether a few instructions without stores and unknown calls run?
bool only_decides_on_message(const Code& code, const Instr& branch) {
  const auto sides = code.body.succs(branch);
  auto only_next = [&](model::BlockId b) -> std::optional<model::BlockId> {
    const auto block = code.body.block(b);
    const auto next = code.body.succs(block.back());
    const bool plain = std::none_of(block.begin(), block.end(), [&](const Instr& i) {
      return i.op == Op::Store || (i.op == Op::Call && !code.known_call(i));
    });
    return plain && next.size() == 1 ? std::optional(next[0]) : std::nullopt;
  };
  const auto first = only_next(sides[0]), second = only_next(sides[1]);
  return (first && *first == sides[1]) || (second && *second == sides[0]) || (first && second && *first == *second);
}

// Which side of a branch a path took, if it came there.
std::optional<std::uint32_t> side_taken(const std::vector<PathNode>& nodes, PathId path, InstrId branch) {
  for (; path != kNone; path = nodes[path].parent)
    if (nodes[path].kind == PathNode::Kind::Branch && nodes[path].instr == branch) return nodes[path].which;
  return std::nullopt;
}

// Does the call get the address of a local? A helper may leave there how it went.
bool may_answer_in_local(const model::Body& body, InstrId call) {
  const auto ops = body.ops(body.instrs[call]);
  return std::any_of(body.instrs.begin(), body.instrs.end(), [&](const Instr& i) {
    return i.op == Op::Alloca && std::any_of(ops.begin() + 1, ops.end(), [&](const model::Operand& o) {
             return o.kind == OperandKind::Value && o.value_id() == i.result;
           });
  });
}

// Does anything come of the call's result that makes the two paths part?
bool looked_at(const Code& code, const std::vector<PathNode>& nodes, InstrId call, PathId a, PathId b) {
  const model::Body& body = code.body;
  // It says nothing, or elsewhere: its callee is to be looked at.
  if (body.instrs[call].result == kNone || may_answer_in_local(body, call)) return true;
  std::vector<model::ValueId> told{body.instrs[call].result};
  auto tells = [&](const model::Operand& o) {
    return o.kind == OperandKind::Value && std::find(told.begin(), told.end(), o.value_id()) != told.end();
  };
  for (std::uint32_t n = 0; n < body.instrs.size(); ++n) {  // values are defined before they are used, but for phis
    const Instr& i = body.instrs[n];
    const auto ops = body.ops(i);
    if (std::none_of(ops.begin(), ops.end(), tells)) continue;
    if (i.op == Op::Cast || i.op == Op::Cmp) {
      told.push_back(i.result);
    } else if (i.op == Op::CondBr) {
      const auto one = side_taken(nodes, a, InstrId(n)), other = side_taken(nodes, b, InstrId(n));
      if (one && other && *one != *other && !only_decides_on_message(code, i)) return true;
    } else if (!code.known_call(i)) {
      return true;
    }
  }
  return false;
}

}  // namespace

// The get that alone makes the two ends differ, and that nobody looks at, or the first of several; kNone: there is
// another reason.
InstrId Counts::unchecked_get(const ExitPair& a, const ExitPair& b, const CountKey& key) const {
  if (key.kind.empty()) return kNone;
  const auto& safe = ctx_.specs.domains()[ctx_.count_domains[ctx_.count_id(key.kind)]].stops_at_zero;
  if (std::find(safe.begin(), safe.end(), key.kind) == safe.end()) return kNone;
  const History more = history(a.second->state, key), less = history(b.second->state, key);
  std::vector<InstrId> gets;
  std::set_difference(more.raised.begin(), more.raised.end(), less.raised.begin(), less.raised.end(),
                      std::back_inserter(gets));
  if (gets.empty() || more.gives != less.gives || more.takes != less.takes + static_cast<int>(gets.size()))
    return kNone;
  const Code code{body_, ctx_.spec_of[unit_id_]};
  const bool all_unseen = std::all_of(gets.begin(), gets.end(), [&](InstrId get) {
    return passed(less, {get}) && !looked_at(code, path_, get, a.second->state.path, b.second->state.path);
  });
  return all_unseen ? gets[0] : InstrId(kNone);
}

// Nothing but a get that nobody looks at makes ends differ. That is told, and does not keep other checks from looking.
bool Counts::get_not_checked(Changes& all) {
  const auto [a, b] = all.by_unchecked_get;
  if (!a) return false;
  // The end that is told is the one that gives back what it has not; where none gives anything back, the one that has.
  const bool given_back = all.delta_of(*b) < 0;
  const ExitPair &told = given_back ? *b : *a, &other = given_back ? *a : *b;
  report_count(EventKind::UncheckedGet, all.key, told, &other, all.delta_of(told), all.delta_of(other));
  if (!result_.events.empty() && result_.events.back().kind == EventKind::UncheckedGet)
    result_.events.back().get<CountFacts>().unchecked = unchecked_get(*a, *b, all.key);
  return false;
}

}  // namespace reckon::engine
