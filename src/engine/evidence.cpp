// Which of the pairs that callers cannot tell apart are evidence of a mistake.
//
// Drivers keep state where no caller looks: in registers, bits and lists, or in what an unknown function answers. Code that
// takes or drops a count by such state alone, and succeeds either way, shows a pair by RID's definition and is mostly
// right. So a pair of named counts is a mistake if
//  - both ways made the same call that takes the count on one of them: what one gives back the other forgets, or one
//    goes on as if the call had not failed;
//  - what is given back on both was taken on one only; or
//  - one of the two ends is a failure: nobody keeps state by failing.
// All others are told as pairs by state, which is a check of its own and runs on request.
// A difference that was made inside a callee whose own ends disagree is the callee's; where both ways had the same outcome
// of it, the difference is made here.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "engine/call_symbols.h"
#include "engine/conditions.h"
#include "engine/executor.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

Executor::History Executor::history(const State& s, const CountKey& key) const {
  History h;
  auto concerned = [&](const Count& c) {
    if (ctx_.count_kinds[c.kind] != key.kind) return false;
    Place p;
    return key.visible ? visible_place(c.object, p) && p == key.place : c.object == key.term;
  };
  std::vector<std::uint32_t> way;
  for (std::uint32_t n = s.path; n != model::kNone; n = path_[n].parent) way.push_back(n);
  int before = 0;
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    const PathNode& node = path_[*it];
    if (node.kind == PathNode::Kind::Call) h.calls.emplace_back(node.instr, node.which);
    if (node.kind != PathNode::Kind::State) continue;
    const auto& counts = changes_[node.which].counts;
    const auto c = std::find_if(counts.begin(), counts.end(), concerned);
    if (c == counts.end()) continue;
    if (c->delta > before) h.raised.push_back(node.instr);
    before = c->delta;
  }
  std::sort(h.raised.begin(), h.raised.end());
  std::sort(h.calls.begin(), h.calls.end());
  h.calls.erase(std::unique(h.calls.begin(), h.calls.end()), h.calls.end());
  return h;
}

// Was one of `calls` made on this way, whatever came of it?
bool Executor::passed(const History& h, const std::vector<std::uint32_t>& calls) const {
  return std::any_of(calls.begin(), calls.end(), [&](std::uint32_t c) {
    auto it = std::lower_bound(h.calls.begin(), h.calls.end(), std::pair(c, std::uint32_t{0}));
    return it != h.calls.end() && it->first == c;
  });
}

namespace {

std::vector<std::uint32_t> outcomes_at(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& calls, std::uint32_t call) {
  std::vector<std::uint32_t> out;
  for (const auto& [instr, which] : calls)
    if (instr == call) out.push_back(which);
  return out;
}

// Made of what was there when the function began, or of answers that stay the same.
bool from_entry(const TermArena& terms, TermId t) {
  const Term& x = terms[t];
  switch (x.kind) {
    case TermKind::Const:
    case TermKind::Param:
    case TermKind::Global: return true;
    case TermKind::Fresh: return x.a == kAnswer;
    case TermKind::Initial: return x.b == 0 && from_entry(terms, x.a);
    case TermKind::Offset: return from_entry(terms, x.a);
    case TermKind::Index:
    case TermKind::Arith:
    case TermKind::Cmp: return from_entry(terms, x.a) && from_entry(terms, x.b);
    default: return false;
  }
}

}  // namespace

// Do the two ways need the function to begin in different states? Outcomes say so only of what their places can name.
bool Executor::begin_differently(const State& a, const State& b) const {
  auto ib = b.facts.ranges().begin();
  for (const auto& [t, r] : a.facts.ranges()) {
    while (ib != b.facts.ranges().end() && ib->first < t) ++ib;
    if (ib == b.facts.ranges().end()) break;
    if (ib->first != t || !from_entry(terms_, t)) continue;
    Range both = r;
    both.meet(ib->second);
    if (both.empty()) return true;
  }
  return false;
}

// What the callee's own ends disagree about; and of several functions behind a pointer, counts that only some of them
// change, since nobody knows which of them it is.
void Executor::note_disputes(std::uint32_t call, const std::vector<FuncId>& targets) {
  for (FuncId f : targets)
    if (const auto& d = ctx_.summaries[f].disputed; !d.empty()) disputed_calls_[call] = d;
  if (targets.size() < 2 || unsure_calls_.contains(call)) return;
  std::map<std::string, std::set<int>> first;
  std::vector<std::string>& unsure = unsure_calls_[call];
  for (std::size_t n = 0; n < targets.size(); ++n) {
    std::map<std::string, std::set<int>> changes;
    for (const Outcome& o : ctx_.summaries[targets[n]].outcomes)
      for (const specs::CountChange& c : o.counts)
        if (!c.kind.empty()) changes[c.kind].insert(c.delta);
    if (n == 0) first = changes;
    for (const auto* one : {&first, &changes})
      for (const auto& [kind, deltas] : *one)
        if (first[kind] != changes[kind] && std::find(unsure.begin(), unsure.end(), kind) == unsure.end()) unsure.push_back(kind);
  }
}

// Did a callee whose own ends disagree about this count end differently on the two ways? Or is it unsure which it was?
bool Executor::decided_elsewhere(const History& a, const History& b, const CountKey& key) const {
  for (const auto& [call, kinds] : disputed_calls_) {
    if (std::find(kinds.begin(), kinds.end(), key.kind) == kinds.end()) continue;
    if (outcomes_at(a.calls, call) != outcomes_at(b.calls, call)) return true;
  }
  for (const auto& [call, kinds] : unsure_calls_)
    if (std::find(kinds.begin(), kinds.end(), key.kind) != kinds.end() &&
        (!outcomes_at(a.calls, call).empty() || !outcomes_at(b.calls, call).empty()))
      return true;
  return false;
}

Executor::Evidence Executor::evidence(const std::pair<Outcome, const Exit*>& a, const std::pair<Outcome, const Exit*>& b,
                                      const CountKey& key) const {
  const History ha = history(a.second->state, key), hb = history(b.second->state, key);
  if (decided_elsewhere(ha, hb, key)) return Evidence::None;
  // Where the call that finds the object ended otherwise, there is none (an optional clock that is not there).
  if (const Term& made = terms_[terms_.owner_root(key.visible ? terms_.zero() : key.term)];
      made.kind == TermKind::Fresh && outcomes_at(ha.calls, made.a) != outcomes_at(hb.calls, made.a))
    return Evidence::None;
  // What a loop does again and again: of elements that nobody here can name, or as often as there are some.
  auto in_loop = [&](std::uint32_t instr) {
    for (model::BlockId at = 0; at < body_.blocks.size(); ++at)
      if (instr - body_.blocks[at].first < body_.blocks[at].count) return flow_.in_cycle(at);
    return false;
  };
  const int da = change(a, key), db = change(b, key);
  if (std::max(std::abs(da), std::abs(db)) > 1) return Evidence::State;
  if (!key.visible && (std::any_of(ha.raised.begin(), ha.raised.end(), in_loop) || std::any_of(hb.raised.begin(), hb.raised.end(), in_loop)))
    return Evidence::None;
  // What starts something and returns nothing: the count is given back when that ends, if it could be taken.
  const bool not_taken = fn_.result == 0 && da > 0 && db == 0 && hb.raised.empty();
  if (!not_taken && (passed(ha, hb.raised) || passed(hb, ha.raised))) return Evidence::Mistake;
  // Given back on both ways, and taken on one only.
  if (da == 0 && db < 0 && !ha.raised.empty() && hb.raised.empty()) return Evidence::Mistake;
  auto fails = [&](const Exit& e) {
    if (e.result == kNoTerm) return false;
    const Range r = e.state.facts.range(terms_, e.result);
    if (unit_.type(fn_.result).kind == model::TypeKind::Pointer) return r.lo >= kFirstError && r.hi <= 0;
    return unit_.type(fn_.result).kind == model::TypeKind::Int && r.lo < 0 && !r.allows(0);
  };
  return fails(*a.second) || fails(*b.second) ? Evidence::Mistake : Evidence::State;
}

}  // namespace reckon::engine
