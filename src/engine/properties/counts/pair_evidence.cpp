// Which of the pairs that callers cannot tell apart are evidence of a mistake.
//
// Drivers keep state where no caller looks: in registers, bits and lists, or in what an unknown function answers. Code
// that takes or drops a count by such state alone, and succeeds either way, shows a pair by RID's definition and is
// mostly right. So a pair of named counts is a mistake if
//  - both ways made the same call that takes the count on one of them: what one gives back the other forgets, or one
//    goes on as if the call had not failed;
//  - what is given back on both was taken on one only; or
//  - one of the two ends is a failure: nobody keeps state by failing.
// Of a function whose answer nobody acts on, no end is a failure that callers know of.
// A function that may acquire may keep the count on some of its succeeding ends and not on others.
// All others are told as pairs by state, which is a check of its own and runs on request.
// A difference that was made inside a callee whose own ends disagree is the callee's; where both ways had the same
// outcome of it, the difference is made here.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "engine/core/conditions.h"
#include "engine/core/from_entry.h"
#include "engine/core/loops.h"
#include "engine/core/subject.h"
#include "engine/properties/counts/counts.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

History Counts::history(const State& s, const CountKey& key) const {
  History h;
  auto concerned = [&](const Count& c) {
    if (ctx_.count_names[c.kind] != key.kind) return false;
    Place p;
    return key.visible ? subject_.visible_place(c.object, p) && p == key.place : c.object == key.term;
  };
  std::vector<PathId> way;
  for (PathId n = s.path; n != model::kNone; n = path_[n].parent) way.push_back(n);
  int before = 0;
  std::map<InstrId, bool> failed;  // calls of this way, and whether they said that they failed
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    const PathNode& node = path_[*it];
    if (node.kind == PathNode::Kind::Call) {
      h.calls.emplace_back(node.instr, node.which);
      failed[node.instr] = node.failure;
    }
    if (node.kind != PathNode::Kind::State) continue;
    const PathChange& change = changes_[node.which];
    int now = before;
    if (key.kind.empty()) {
      const auto o =
          std::find_if(change.objects.begin(), change.objects.end(), [&](const Obj& x) { return x.term == key.term; });
      if (o != change.objects.end()) now = o->owned;
    } else if (const auto c = std::find_if(change.counts.begin(), change.counts.end(), concerned);
               c != change.counts.end()) {
      now = c->delta;
    }
    if (now == before) continue;
    if (now > before) {
      h.raised.push_back(node.instr);
      if (failed[node.instr]) h.refused.push_back(node.instr);
    } else {
      h.lowered.push_back(node.instr);
    }
    (now > before ? h.takes : h.gives) += std::abs(now - before);
    h.in_steps &= std::abs(now - before) <= 1;
    before = now;
  }
  std::sort(h.raised.begin(), h.raised.end());
  std::sort(h.lowered.begin(), h.lowered.end());
  std::sort(h.calls.begin(), h.calls.end());
  h.calls.erase(std::unique(h.calls.begin(), h.calls.end()), h.calls.end());
  return h;
}

bool passed(const History& h, const std::vector<InstrId>& calls) {
  return std::any_of(calls.begin(), calls.end(), [&](InstrId c) {
    auto it = std::lower_bound(h.calls.begin(), h.calls.end(), std::pair(c, std::uint32_t{0}));
    return it != h.calls.end() && it->first == c;
  });
}

namespace {

std::vector<std::uint32_t> outcomes_at(const std::vector<std::pair<InstrId, std::uint32_t>>& calls, InstrId call) {
  std::vector<std::uint32_t> out;
  for (const auto& [instr, which] : calls)
    if (instr == call) out.push_back(which);
  return out;
}

}  // namespace

namespace {

// Do the two leave different numbers in an argument: an error here, zero there?
bool told_by_argument(const Outcome& a, const Outcome& b) {
  auto range = [](const specs::Value& v) {
    Range r;
    if (v.kind == specs::Value::Kind::Int) r.clip(v.imm, v.imm);
    if (v.kind == specs::Value::Kind::Range) r.clip(v.imm, v.hi);
    return r;
  };
  return std::any_of(a.stores.begin(), a.stores.end(), [&](const specs::StoreEffect& x) {
    return std::any_of(b.stores.begin(), b.stores.end(), [&](const specs::StoreEffect& y) {
      Range both = range(x.value);
      both.meet(range(y.value));
      return x.where == y.where && both.empty();
    });
  });
}

// Counts that the outcomes of a callee change differently although neither the result nor an argument itself decides:
// state in memory does, which nobody follows from one call to the next.
std::vector<std::string> by_state(const std::vector<Outcome>& outcomes) {
  using Changes = std::map<std::pair<std::string, Place>, int>;
  auto changes = [](const specs::ReferenceEffects& o) {
    Changes out;
    for (const specs::CountChange& c : o.counts)
      if (!c.kind.empty()) out[{c.kind, c.object}] += c.delta;
    return out;
  };
  auto decided = [](const Outcome& a, const Outcome& b) {
    Range r = result_range(a);
    r.meet(result_range(b));
    if (r.empty() || told_by_argument(a, b)) return true;
    const PlaceRanges ra = ranges_of(a.when), rb = ranges_of(b.when);
    return std::any_of(ra.begin(), ra.end(), [&](const PlaceRange& x) {
      if (x.place->root != Place::Root::Arg || !x.place->path.empty()) return false;
      const Range* other = find_range(rb, x);
      if (!other) return false;
      Range both = x.range;
      both.meet(*other);
      return both.empty();
    });
  };
  std::set<std::string> out;
  if (std::none_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
        return std::any_of(o.counts.begin(), o.counts.end(),
                           [](const specs::CountChange& c) { return !c.kind.empty(); });
      }))
    return {};
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    for (std::size_t j = i + 1; j < outcomes.size(); ++j) {
      Changes a = changes(outcomes[i]), b = changes(outcomes[j]);
      if (a == b || decided(outcomes[i], outcomes[j])) continue;
      for (const auto& [key, delta] : a)
        if (b[key] != delta) out.insert(key.first);
      for (const auto& [key, delta] : b)
        if (a[key] != delta) out.insert(key.first);
    }
  return {out.begin(), out.end()};
}

}  // namespace

bool owes_counts(const Context& ctx, FuncId f) {
  if (!ctx.contracts[f].balanced) return false;
  const std::vector<Outcome>& outcomes = ctx.summaries[f].outcomes;
  return std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    return std::any_of(o.counts.begin(), o.counts.end(), [](const specs::CountChange& c) { return !c.kind.empty(); });
  });
}

// What the callee's own ends disagree about, or state decides in it; and of several functions behind a pointer, counts
// that only some of them change, since nobody knows which of them it is.
void Counts::note_disputes(InstrId call, const std::vector<FuncId>& targets, bool by_pointer) {
  if (disputed_by_pointer_.contains(call)) return;
  std::vector<std::string>& unsure = disputed_by_pointer_[call];
  std::vector<std::string> disputed;
  for (FuncId f : targets) {
    if (by_pointer && owes_counts(ctx_, f)) continue;
    const auto add = [&](const std::string& kind) {
      if (std::find(disputed.begin(), disputed.end(), kind) == disputed.end()) disputed.push_back(kind);
    };
    for (const std::string& kind : ctx_.summaries[f].disputed) add(kind);
    for (const std::string& kind : by_state(ctx_.summaries[f].outcomes)) add(kind);
  }
  if (!disputed.empty()) disputed_calls_[call] = std::move(disputed);
  if (targets.size() < 2) return;
  std::map<std::string, std::set<int>> first;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    std::map<std::string, std::set<int>> changes;
    if (!owes_counts(ctx_, targets[n]))
      for (const Outcome& o : ctx_.summaries[targets[n]].outcomes)
        for (const specs::CountChange& c : o.counts)
          if (!c.kind.empty()) changes[c.kind].insert(c.delta);
    if (n == 0) first = changes;
    for (const auto* one : {&first, &changes})
      for (const auto& [kind, deltas] : *one)
        if (first[kind] != changes[kind] && std::find(unsure.begin(), unsure.end(), kind) == unsure.end())
          unsure.push_back(kind);
  }
  // To callers of this function the same holds.
  for (const std::string& kind : unsure)
    for (auto* list : {&disputed_, &disputed_on_success_})
      if (std::find(list->begin(), list->end(), kind) == list->end()) list->push_back(kind);
}

// Did a callee whose own ends disagree about this count end differently on the two ways? Or is it unsure which it was?
bool Counts::decided_elsewhere(const History& a, const History& b, const CountKey& key) const {
  for (const auto& [call, kinds] : disputed_calls_) {
    if (std::find(kinds.begin(), kinds.end(), key.kind) == kinds.end()) continue;
    if (outcomes_at(a.calls, call) != outcomes_at(b.calls, call)) return true;
  }
  for (const auto& [call, kinds] : disputed_by_pointer_)
    if (std::find(kinds.begin(), kinds.end(), key.kind) != kinds.end() &&
        (!outcomes_at(a.calls, call).empty() || !outcomes_at(b.calls, call).empty()))
      return true;
  return false;
}

PairEvidence Counts::pair_evidence(const std::pair<Outcome, const Exit*>& a, const std::pair<Outcome, const Exit*>& b,
                                   const CountKey& key) const {
  const History ha = history(a.second->state, key), hb = history(b.second->state, key);
  if (decided_elsewhere(ha, hb, key)) return PairEvidence::None;
  // A contract without a promise: whoever calls it goes on as if it had done its work, and calls what undoes it.
  if (contract_.given && static_cast<const specs::ContractFlags&>(contract_) == specs::ContractFlags{})
    return PairEvidence::State;
  // Where the call that finds the object ended otherwise, there is none (an optional clock that is not there).
  if (const Term& made = terms_[terms_.owner_root(key.visible ? terms_.zero() : key.term)];
      made.kind == TermKind::Fresh && outcomes_at(ha.calls, made.instr()) != outcomes_at(hb.calls, made.instr()))
    return PairEvidence::None;
  // What a loop does again and again: of elements that nobody here can name, or as often as there are some.
  auto loops = [&](InstrId instr) { return in_loop(body_, flow_, instr); };
  const int da = change(a, key), db = change(b, key);
  if (std::max(std::abs(da), std::abs(db)) > 1) return PairEvidence::State;
  // A get that failed is kept, and given back where it did not: that is nobody's way to count rounds.
  if (da == 1 && db == 0 && !ha.refused.empty() && std::any_of(ha.refused.begin(), ha.refused.end(), [&](InstrId c) {
        return std::binary_search(hb.raised.begin(), hb.raised.end(), c) &&
               std::find(hb.refused.begin(), hb.refused.end(), c) == hb.refused.end();
      }))
    return PairEvidence::Mistake;
  if (std::any_of(ha.raised.begin(), ha.raised.end(), loops) || std::any_of(hb.raised.begin(), hb.raised.end(), loops))
    return key.visible ? PairEvidence::State : PairEvidence::None;
  // Given back in a loop and taken nowhere: each element that is found gives up its own.
  if (ha.raised.empty() && hb.raised.empty() &&
      (std::any_of(ha.lowered.begin(), ha.lowered.end(), loops) ||
       std::any_of(hb.lowered.begin(), hb.lowered.end(), loops)))
    return PairEvidence::State;
  auto fails = [&](const Exit& e) {
    if (e.result == kNoTerm || unit_.type(fn_.result).kind != model::TypeKind::Int)
      return subject_.fails_for_callers(e);
    const Range r = e.state.facts.range(terms_, e.result);
    return r.lo < 0 && !r.allows(0);
  };
  const bool failing = fails(*a.second) || fails(*b.second);
  // What may keep a count when it succeeds may do so by state, if it could have said that it failed.
  if (subject_.may_fail_for_good() && fn_.result != 0 && !failing && da > 0 && db >= 0) return PairEvidence::State;
  // What starts something and returns nothing: the count is given back when that ends, if it could be taken.
  const bool not_taken = fn_.result == 0 && da > 0 && db == 0 && hb.raised.empty();
  if (!not_taken && (passed(ha, hb.raised) || passed(hb, ha.raised))) return PairEvidence::Mistake;
  // Given back on both ways, and taken on one only.
  if (da == 0 && db < 0 && !ha.raised.empty() && hb.raised.empty()) return PairEvidence::Mistake;
  return failing ? PairEvidence::Mistake : PairEvidence::State;
}

}  // namespace reckon::engine
