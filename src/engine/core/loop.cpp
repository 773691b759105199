#include "engine/core/loop.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"

#include <algorithm>
#include <tuple>

#include "engine/core/call_symbols.h"
#include "support/limits.h"
#include "symbolic/smt.h"

namespace reckon::engine {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;

namespace {
constexpr support::LookLimits kMost = support::kLimits.looks;
// Under the sanitizers an entry costs twenty times as much; what happens at the limit is the same at a lower one.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kEntryCost = 20;
#else
constexpr std::uint64_t kEntryCost = 1;
#endif
constexpr std::uint32_t kWidenAfter = support::kLimits.looks.widen_after;
constexpr std::uint32_t kForgetAfter = support::kLimits.looks.forget_after;
constexpr std::uint32_t kMaxRounds = support::kLimits.looks.block_rounds;
constexpr std::size_t kCoarsenAbove = support::kLimits.looks.coarsen_above;
constexpr std::size_t kMergeInBlockAbove = support::kLimits.looks.merge_in_block;
constexpr std::int64_t kNullPage = 4096;  // no object lies below
// The C type of a symbol, as far as it is an integer.
SymbolType symbol_type(const TermArena& terms, TermId t, const model::Function& fn, const model::Unit& unit) {
  const Term& x = terms[t];
  model::TypeId type{};
  if (x.kind == TermKind::Param && x.a < fn.params.size()) type = fn.params[x.a].type;
  if (x.kind == TermKind::Fresh && x.a < fn.body.instrs.size() && (x.imm == 0 || x.imm == kResult))
    type = fn.body.instrs[x.a].type;
  const model::Type& known = unit.type(type);
  if (known.kind != model::TypeKind::Int) return {};
  return {static_cast<std::uint8_t>(known.size), known.is_signed};
}

}  // namespace

// A parameter that is the same in every call in sight begins as that.
TermId Loop::argument_at_start(model::ValueId p) {
  const GivenArgument& given = subject_.given_argument(p);
  switch (given.kind) {
    case GivenArgument::Kind::Number:
      if (given.number != 0) return terms_.constant(given.number);  // NULL and 0 are facts about the parameter
      break;
    case GivenArgument::Kind::Global: return terms_.initial(terms_.global(given.global), 0, 0);
    case GivenArgument::Kind::Argument:
      return argument_at_start(model::ValueId(static_cast<std::uint32_t>(given.number)));
    case GivenArgument::Kind::Open: break;
  }
  return terms_.param(p);
}

// False: the look would tell nothing, and was not done.
bool Loop::run() {
  if (const char* reason = flow_.too_large()) {
    cut(reason);
    return false;
  }
  blocks_.resize(body_.blocks.size());
  looks_only_ = std::none_of(body_.instrs.begin(), body_.instrs.end(),
                             [](const Instr& i) { return i.op == Op::Call || i.op == Op::Store; });
  State start;
  for (model::ValueId p{}; p < fn_.params.size(); ++p) start.bind(p, argument_at_start(p));
  hooks_.each<&Property::begin>(start);
  if (const char* reason = hooks_.first<&Property::refuses>()) {
    cut(reason);
    return false;
  }
  enter(BlockId{}, std::move(start));
  while (!work_.empty()) {
    process(next_block());
    if (result_.steps > max_steps_) {
      cut("step budget used up");
      break;
    }
    if (overspent()) {
      cut("states too large");
      break;
    }
    if (joining_ != Joining::Property && result_.cut_short) break;  // only a complete second look counts
  }
  return true;
}

// Steps are counted whatever a state holds; a function with thousands of objects is bounded by what its states hold.
bool Loop::overspent() const {
  return result_.work * kEntryCost > kMost.work || result_.kept * kEntryCost > kMost.kept;
}

void Loop::cut(const char* reason) {
  result_.cut_short = true;
  result_.reason = reason;
}

// The first in reverse postorder; but a loop does not go round again before all of its round has been seen.
BlockId Loop::next_block() {
  auto at = work_.begin();
  for (auto inside = at; inside != work_.end() && flow_.heads_loop(at->second);) {
    inside =
        std::find_if(std::next(at), work_.end(), [&](const auto& w) { return flow_.in_loop(at->second, w.second); });
    if (inside != work_.end()) at = inside;
  }
  const BlockId b = at->second;
  work_.erase(at);
  return b;
}

bool Loop::looped_beyond(std::uint32_t rounds) const {
  for (BlockId b{}; b < blocks_.size(); ++b)
    if (flow_.is_loop_head(b) && blocks_[b].seen.size() > rounds) return true;
  return false;
}

// Is `state`, which has arrived at a block, to be joined with the i-th one seen there?
bool Loop::may_join(const BlockStates& at, BlockId block, std::size_t i, const State& state) const {
  // What a loop counts up settles only where states are joined.
  const bool apart = joining_ == Joining::Paths &&
                     !(flow_.is_loop_head(block) && (manner_.joins_at_loops || at.seen.size() >= max_rounds_));
  // The execution parts are quicker to tell apart.
  return (!apart || at.seen[i].same_execution(state)) && !hooks_.any<&Property::keep_apart>(at.seen[i], state) &&
         at.seen[i].same_property(terms_, state, joining_ == Joining::Paths);
}

void Loop::enter(BlockId block, State state) {
  prune(state, block, kNone);
  BlockStates& at = blocks_[block];
  result_.work += state.size() * (1 + at.seen.size() / 8);
  if (flow_.is_loop_head(block) && at.seen.size() >= (joining_ == Joining::Paths ? max_rounds_ : kCoarsenAbove)) {
    hooks_.each<&Property::widen>(state, at.seen);
  }
  if (at.seen.size() >= support::kLimits.looks.states_per_block / 2) hooks_.each<&Property::too_many>(state);
  const std::uint64_t key = state.property_hash(terms_);
  for (std::size_t i = 0; i < at.seen.size(); ++i) {
    if (at.keys[i] != key || !may_join(at, block, i, state)) continue;
    const bool widen = flow_.is_loop_head(block) && at.rounds[i] >= kWidenAfter;
    const bool forget = flow_.is_loop_head(block) && at.rounds[i] >= kForgetAfter;
    if (join_states(terms_, at.seen[i], std::move(state), block, widen, forget) && at.rounds[i] < kMaxRounds) {
      at.waiting[i] = 1;
      work_.emplace(flow_.order(block), block);
    }
    return;
  }
  if (flow_.is_loop_head(block) && hooks_.any<&Property::too_many_alike>(state, at.seen, block)) {
    enter(block, std::move(state));
    return;
  }
  const std::size_t most =
      joining_ == Joining::Paths ? support::kLimits.looks.path_states : support::kLimits.looks.states_per_block;
  if (at.seen.size() >= most) {
    cut("too many states at one block");
    return;
  }
  result_.kept += state.size();
  at.seen.push_back(std::move(state));
  at.keys.push_back(key);
  at.waiting.push_back(1);
  at.rounds.push_back(0);
  result_.max_states = std::max<std::uint32_t>(result_.max_states, static_cast<std::uint32_t>(at.seen.size()));
  work_.emplace(flow_.order(block), block);
}

void Loop::process(BlockId block) {
  current_ = block;
  last_uses_.of_block(body_, block);
  States current;
  BlockStates& at = blocks_[block];
  for (std::size_t i = 0; i < at.seen.size(); ++i) {
    if (!at.waiting[i]) continue;
    at.waiting[i] = 0;
    ++at.rounds[i];
    current.push_back(at.seen[i]);
    hooks_.each<&Property::block_begins>(current.back());
  }
  const model::Block& b = body_.blocks[block];
  States next;
  for (std::uint32_t k = 0; k < b.count && !current.empty(); ++k) {
    const InstrId index(b.first + k);
    const Instr& i = body_.instrs[index];
    result_.steps += static_cast<std::uint32_t>(current.size());
    if (answer_.asked() && i.loc.line == answer_.line) remember(current, index);
    if (k + 1 == b.count && i.op != Op::Call) {
      for (State& s : current) terminate(block, index, std::move(s));
      return;
    }
    if (i.op == Op::Phi) continue;  // bound on the way in
    if (i.op == Op::Call || i.op == Op::Select) {
      next.clear();
      for (State& s : current) {
        if (i.op == Op::Call) {
          calls_.call(std::move(s), index, next);
          continue;
        }
        const auto ops = body_.ops(i);
        const TermId c = memory_.eval(s, ops[0], index);
        State other = s;
        if (assume(s, c, true)) {
          memory_.bind(s, index, memory_.eval(s, ops[1], index));
          next.push_back(std::move(s));
        }
        if (assume(other, c, false)) {
          memory_.bind(other, index, memory_.eval(other, ops[2], index));
          next.push_back(std::move(other));
        }
      }
      current.swap(next);
      for (const State& s : current) result_.work += s.size();
      if (overspent()) return;
      if (current.size() > kMergeInBlockAbove) merge(current, block, index);
      if (k + 1 == b.count)  // an invoke
        for (State& s : current) terminate(block, index, std::move(s));
    } else {
      std::size_t kept = 0;
      for (std::size_t n = 0; n < current.size(); ++n) {
        if (!memory_.simple(current[n], index)) continue;
        if (kept != n) current[kept] = std::move(current[n]);
        ++kept;
      }
      current.resize(kept);
    }
  }
}

// For the one who asks about this line.
void Loop::remember(const States& states, InstrId instr) {
  for (const State& s : states)
    if (answer_.seen.size() < support::kLimits.looks.asked_states) answer_.seen.emplace_back(instr, s);
}

void Loop::terminate(BlockId block, InstrId index, State s) {
  const Instr& i = body_.instrs[index];
  const auto ops = body_.ops(i);
  const auto succs = body_.succs(i);
  switch (i.op) {
    case Op::Br: follow(block, succs[0], std::move(s), index, kNone); return;
    case Op::CondBr: {
      const TermId c = memory_.eval(s, ops[0], index);
      hooks_.each<&Property::decision>(block, c);
      State other = s;
      if (assume(s, c, true)) follow(block, succs[0], std::move(s), index, succs[0] == succs[1] ? kNone : 0u);
      if (succs[0] != succs[1] && assume(other, c, false)) follow(block, succs[1], std::move(other), index, 1);
      return;
    }
    case Op::Switch: {
      const TermId v = memory_.eval(s, ops[0], index);
      auto type_of = [&](TermId t) { return symbol_type(terms_, t, fn_, unit_); };
      hooks_.each<&Property::decision>(block, v);
      State rest = s;
      bool rest_possible = true;
      for (std::size_t k = 1; k < ops.size(); ++k) {
        State taken = s;
        if (taken.facts.assume_cmp(terms_, model::CmpPred::Eq, v, terms_.constant(ops[k].imm)) &&
            (!branches_ || branches_->possible(terms_, taken.facts, v, type_of)))
          follow(block, succs[k], std::move(taken), index, static_cast<std::uint32_t>(k));
        rest_possible =
            rest_possible && rest.facts.assume_cmp(terms_, model::CmpPred::Ne, v, terms_.constant(ops[k].imm));
      }
      if (rest_possible) follow(block, succs[0], std::move(rest), index, 0);
      return;
    }
    case Op::Ret: {
      if (const TermId whole = memory_.returned_whole(s, index); whole != kNoTerm)
        return leave(std::move(s), index, whole, false);
      const TermId v = ops.empty() ? kNoTerm : memory_.eval(s, ops[0], index);
      if (v != kNoTerm) hooks_.each<&Property::returned>(s, v, index);
      // A truth value that callers could compute themselves stays tied to what it says: two ends, not one.
      if (v != kNoTerm && terms_[v].kind == TermKind::Cmp) {
        State yes = s;
        const bool can_be_true = assume(yes, v, true), can_be_false = assume(s, v, false);
        if (can_be_true) leave(std::move(yes), index, terms_.constant(1), false);
        if (can_be_false) leave(std::move(s), index, terms_.zero(), false);
        return;
      }
      leave(std::move(s), index, v, false);
      return;
    }
    case Op::Resume: leave(std::move(s), index, kNoTerm, true); return;
    case Op::Call: follow(block, succs[0], std::move(s), index, kNone); return;  // the normal edge of an invoke
    default: return;                                                             // Unreachable: the path ends
  }
}

// Adds a branch condition; an object found equal to another is no longer ours to judge.
bool Loop::assume(State& s, TermId condition, bool truth) {
  // No object lies where small numbers point; those stand for something else.
  if (const Term x = terms_[condition]; x.kind == TermKind::Cmp && terms_.is_const(x.right()) &&
                                        terms_[x.right()].imm > 0 && terms_[x.right()].imm < kNullPage)
    if (hooks_.any<&Property::is_object>(s, x.left()) && s.facts.known_nonzero(terms_, x.left()))
      return holds(static_cast<model::CmpPred>(x.sub), kNullPage, terms_[x.right()].imm) == truth;
  if (!s.facts.assume(terms_, condition, truth)) return false;
  auto type_of = [&](TermId t) { return symbol_type(terms_, t, fn_, unit_); };
  if (branches_ && !branches_->possible(terms_, s.facts, condition, type_of)) return false;
  const Term x = terms_[condition];
  if (x.kind == TermKind::Cmp && !terms_.is_const(x.right()) && x.left() != x.right()) {
    const auto pred = static_cast<model::CmpPred>(x.sub);
    if (pred == (truth ? model::CmpPred::Eq : model::CmpPred::Ne) &&
        !hooks_.all<&Property::equal>(s, x.left(), x.right()))
      return false;
  }
  // A size that no memory has room for, asked before it is asked for: as good as having run out.
  constexpr std::int64_t kNoSuchSize = std::int64_t{1} << 55;
  if (x.kind == TermKind::Cmp && terms_.is_const(x.right()) && terms_[x.right()].imm >= kNoSuchSize) {
    const auto pred = static_cast<model::CmpPred>(x.sub);
    if (truth ? pred == model::CmpPred::Ugt || pred == model::CmpPred::Uge
              : pred == model::CmpPred::Ult || pred == model::CmpPred::Ule)
      s.oom = true;
  }
  return true;
}

void Loop::follow(BlockId from, BlockId to, State s, InstrId instr, std::uint32_t which) {
  if (which != kNone) trail_.note(s, {.instr = instr, .kind = PathNode::Kind::Branch, .which = which});
  std::vector<std::tuple<model::ValueId, TermId, bool>> incoming;  // and whether the variable is a number
  for (const Instr& i : body_.block(to)) {
    if (i.op != Op::Phi) break;
    const auto ops = body_.ops(i);
    const auto blocks = body_.succs(i);
    for (std::size_t k = 0; k < ops.size(); ++k)
      if (blocks[k] == from) {
        incoming.emplace_back(i.result, memory_.eval(s, ops[k], instr),
                              unit_.type(i.type).kind == model::TypeKind::Int);
        break;
      }
  }
  // A number that was made of a pointer (an error code of an error pointer) does not lend it its name.
  const auto is_pointer = [&](TermId t) {
    return t < trail_.term_types_.size() && unit_.type(trail_.term_types_[t]).kind == model::TypeKind::Pointer;
  };
  for (const auto& [v, t, number] : incoming) {
    s.bind(v, t);
    if (!number || !is_pointer(t)) memory_.remember_name(t, v);
  }
  enter(to, std::move(s));
}

void Loop::leave(State state, InstrId instr, TermId result, bool by_exception) {
  // Exits at one instruction with one property are one exit: their facts are joined.
  for (Exit& e : exits_) {
    if (e.instr != instr || e.result != result) continue;
    if (joining_ == Joining::Paths && !e.state.same_execution(state)) continue;
    if (hooks_.any<&Property::keep_apart>(e.state, state)) continue;
    if (!e.state.same_property(terms_, state)) continue;
    join_states(terms_, e.state, std::move(state), current_, false);
    return;
  }
  if (exits_.size() > support::kLimits.looks.exits) {
    cut("too many exits");
    return;
  }
  exits_.push_back({std::move(state), instr, result, by_exception});
}

// The C++ runtime's throw does not return, but it does leave the function.
void Loop::leave_by_throw(State s, InstrId index) {
  s.thrown = true;
  const Instr& i = body_.instrs[index];
  if (i.num_targets == 2)
    follow(current_, body_.succs(i)[1], std::move(s), index, kNone);
  else
    leave(std::move(s), index, kNoTerm, true);
}

}  // namespace reckon::engine
