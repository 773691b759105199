// Letting go of what a state need not know any more, and of states that no longer differ.

#include <algorithm>

#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/subject.h"
#include "engine/core/symbol_sets.h"
#include "support/limits.h"

namespace reckon::engine {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;

bool Loop::live_after(BlockId block, InstrId after, model::ValueId v) const {
  if (after != kNone) return flow_.live_out(block, v) || (last_uses_[v] != kNone && last_uses_[v] > after);
  if (flow_.live_in(block, v)) return true;
  for (const Instr& i : body_.block(block)) {
    if (i.op != Op::Phi) break;
    if (i.result == v) return true;
  }
  return false;
}

void Loop::merge(States& states, BlockId block, InstrId after) {
  States out;
  std::vector<std::uint64_t> keys;
  for (State& s : states) {
    prune(s, block, after);
    const std::uint64_t key = s.property_hash(terms_);
    bool joined = false;
    for (std::size_t i = 0; i < out.size() && !joined; ++i)
      if (keys[i] == key && (joining_ != Joining::Paths || out[i].same_execution(s)) &&
          !hooks_.any<&Property::keep_apart>(out[i], s) && out[i].same_property(terms_, s)) {
        // Keyed by the instruction, so that symbols joined here do not collide with those of block entries.
        join_states(terms_, out[i], std::move(s), BlockId(0x40000000u + after), false);
        joined = true;
      }
    if (joined) continue;
    out.push_back(std::move(s));
    keys.push_back(key);
  }
  const std::size_t limit =
      joining_ == Joining::Paths ? support::kLimits.looks.path_states : support::kLimits.looks.states_per_block;
  if (out.size() > limit) {
    cut("too many states in one block");
    out.resize(limit);
  }
  states.swap(out);
}

void Loop::prune(State& s, BlockId block, InstrId after) {
  std::erase_if(s.values, [&](const auto& e) { return !live_after(block, after, e.first); });

  Mentioned m(terms_);
  for (const auto& [v, t] : s.values) m.add(t);
  State::for_each_part([&]<class P>(std::type_identity<P>) { s.P::mention(m); });
  // Memory that callers can see whatever happens to our variables. What a loop came by is theirs, too, but they cannot
  // name it: it matters if it keeps something that a part has a record of.
  auto nameable = [&](TermId base) {
    const TermKind k = terms_[terms_.owner_root(base)].kind;
    return k == TermKind::Param || k == TermKind::Global;
  };
  auto recorded = [&](TermId value) {
    return State::any_part([&]<class P>(std::type_identity<P>) { return s.P::records(value); });
  };
  auto visible = [&](const Cell& c) {
    return nameable(c.base) ||
           (terms_[terms_.owner_root(c.base)].kind == TermKind::Join && recorded(subject_.untagged(c.value)));
  };
  // An answer can be asked for again as long as what it was asked of is there.
  auto needed = [&](TermId root) { return m.has(root) || (terms_[root].kind == TermKind::Answer && m.covers(root)); };
  std::vector<char> kept(s.memory.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < s.memory.size(); ++i) {
      if (kept[i]) continue;
      const TermId root = terms_.owner_root(s.memory[i].base);
      if (!visible(s.memory[i]) && !needed(root)) continue;
      kept[i] = 1;
      m.add(s.memory[i].value);
      changed = true;
    }
  }
  hooks_.each<&Property::forget>(s, Pruning{m, kept});
  State::for_each_part([&]<class P>(std::type_identity<P>) { s.P::forget(terms_, m); });
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.memory.size(); ++i)
    if (kept[i]) s.memory[n++] = s.memory[i];
  s.memory.resize(n);
  s.facts.retain([&](TermId t) { return m.covers(t); });
  std::erase_if(s.epochs, [&](const auto& e) { return !nameable(e.first) && !needed(terms_.owner_root(e.first)); });
}

}  // namespace reckon::engine
