// Contracts of functions that are called through tables and registrations: what such a function may leave behind is
// settled by who calls it, so one end alone can be wrong, without another to compare it with.
//
// A failing end of an Acquire function (probe, open, request) is never undone, and gives back only what it took; an end
// of a Balanced one (interrupt handlers, attributes) that keeps a count because a call failed, where other ends do not,
// is RID's figure 10; a Release function (remove, close) or a Balanced one ends with no more than it began with.
// References that a failing end leaves in memory are lost, too, unless the function's callers are in sight: then they
// are judged by what they do about it.

#include <algorithm>

#include "engine/core/failing.h"
#include "engine/core/loops.h"
#include "engine/core/subject.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/counts/deferrals.h"

namespace reckon::engine {

using specs::Outcome;
using ExitPair = std::pair<Outcome, const Exit*>;

bool left_to_undo(const Contract& contract, const CountKey& key) {
  return contract.acquires && contract.runs_again && !key.kind.empty() && !(key.visible && key.place.path.empty());
}

void Counts::check_contract(const CountKey& key, const std::vector<ExitPair>& exits) {
  const model::TypeKind type = unit_.type(fn_.result).kind;
  auto carried = [&](const ExitPair& x) { return deferral_of(terms_, x.second->state, key.term, change(x, key)).kept; };
  auto dropped = [&](const ExitPair& x) {
    return deferral_of(terms_, x.second->state, key.term, change(x, key)).dropped;
  };
  // Taken in a callee that does so by state, or is only one of several behind a pointer: what undoes it may do so, too.
  auto by_callee = [&](const ExitPair& x) {
    if (key.kind.empty()) return false;
    const History h = history(x.second->state, key);
    return std::any_of(h.raised.begin(), h.raised.end(), [&](InstrId call) {
      for (const auto* calls : {&disputed_calls_, &disputed_by_pointer_})
        if (const auto it = calls->find(call);
            it != calls->end() && std::find(it->second.begin(), it->second.end(), key.kind) != it->second.end())
          return true;
      return false;
    });
  };
  // Gives back more than it took itself, or what the bus lent it: its callers do that.
  auto gives_too_much = [&](const ExitPair& x) {
    const History h = history(x.second->state, key);
    if (std::any_of(h.raised.begin(), h.raised.end(), [&](InstrId i) { return in_loop(body_, flow_, i); }))
      return false;
    if (let_go(x, key, h)) return false;
    const bool lent = contract_.acquires_lent() && key.visible;  // of what the function made itself nothing was lent
    return (!h.raised.empty() || lent) && !decided_elsewhere(h, {}, key);
  };
  // The caller holds one count, which may be given back in between and is to be there again in the end.
  if (contract_.lent && key.visible && !key.kind.empty()) {
    for (const ExitPair& x : exits) {
      const int d = change(x, key);
      if (contract_.acquires ? d >= -1 : d <= 1) continue;
      const History h = history(x.second->state, key);
      if (d < 0 ? dropped(x) : carried(x)) continue;
      if (let_go(x, key, h) || under_another_name(*x.second, key, d) || decided_elsewhere(h, {}, key)) continue;
      report_count(EventKind::CountKept, key, x, nullptr, d, 1);
      return;
    }
  }
  if (subject_.may_fail_for_good()) {
    for (const ExitPair& a : exits) {
      const Failing f = failing(terms_, a.second->state, a.second->result, type);
      if (!f.maybe && !f.sure) continue;
      const int d = change(a, key);
      if (d == 0 || under_another_name(*a.second, key, d)) continue;
      if (d < 0 && (key.kind.empty() || !f.sure || dropped(a) || !gives_too_much(a))) continue;
      // Nor where a callee that gives it back on some of its ways was called.
      if (d > 0 && (carried(a) || by_callee(a) || decided_elsewhere(history(a.second->state, key), {}, key))) continue;
      const std::size_t before = result_.events.size();
      report_count(d > 0 ? EventKind::FailureKeeps : EventKind::CountKept, key, a, nullptr, d, 0);
      if (result_.events.size() > before) result_.events.back().doubtful = d > 0 && left_to_undo(contract_, key);
      return;
    }
  }
  if (contract_.transmits) return check_packet(key, exits);
  if (contract_.balanced && !key.kind.empty()) {
    const bool given_back =
        std::any_of(exits.begin(), exits.end(), [&](const ExitPair& x) { return change(x, key) <= 0; });
    for (const ExitPair& a : exits) {
      if (!given_back || change(a, key) <= 0 || !a.second->state.failed || carried(a)) continue;
      report_count(EventKind::FailureKeeps, key, a, nullptr, change(a, key), 0);
      return;
    }
  }
  // An interrupt may take a count for what it starts; functions of tables may not.
  const bool owes = contract_.releases_alone() || (contract_.balanced && !ctx_.program.roles(id_).empty());
  if (owes && !key.kind.empty() && !exits.empty()) {
    auto keeps = [&](const ExitPair& x) {
      return change(x, key) > 0 && !carried(x) && !under_another_name(*x.second, key, change(x, key));
    };
    if (std::all_of(exits.begin(), exits.end(), keeps))
      report_count(EventKind::CountKept, key, exits.front(), nullptr, change(exits.front(), key), 0);
  }
}

// A packet is taken over by an end that returns less than "busy", errors included, and by no other. An end that took it
// has freed it, kept it in memory or passed it to somebody.
void Counts::check_packet(const CountKey& key, const std::vector<ExitPair>& exits) {
  auto gone = [&](const ExitPair& x) {
    const State& s = x.second->state;
    auto inside = [&](TermId t) { return terms_.root(t) == key.term; };
    const bool stored = std::any_of(s.memory.begin(), s.memory.end(),
                                    [&](const Cell& c) { return inside(c.value) && !inside(c.base); });
    const Obj* o = s.object(key.term);
    return stored || s.deferral(key.term).kept || (o && o->escaped) || s.coarsened != 0 ||
           s.facts.known_zero(terms_, key.term) ||
           std::find(x.first.escapes.begin(), x.first.escapes.end(), key.place) != x.first.escapes.end();
  };
  const auto frees = std::find_if(exits.begin(), exits.end(), [&](const ExitPair& x) { return change(x, key) < 0; });
  for (const ExitPair& a : exits) {
    if (a.second->result == kNoTerm) continue;
    const Range answer = a.second->state.facts.range(terms_, a.second->result);
    const int delta = change(a, key);
    if (delta < 0 && answer.lo >= specs::kBusy) return report_count(EventKind::OverRelease, key, a, nullptr, delta, 0);
    if (delta == 0 && key.term != kNoTerm && frees != exits.end() && answer.hi < specs::kBusy && !gone(a))
      return report_count(EventKind::Leak, key, a, &*frees, 1, change(*frees, key));
  }
}

}  // namespace reckon::engine
