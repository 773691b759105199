// Ends that are wrong by what they took themselves, however well callers can tell them from other ends.
//
//  - A failing end keeps what other ends of the same get give back: nobody undoes what a call did that says it failed
//    (RID's figure 10). Callbacks that owe their callers the count they found must not do so on any end.
//  - A failing end keeps what a get took that failed itself, while success keeps it on purpose: the get is not undone
//    where it is known not to have worked.
//  - A failing end, or a callback that owes the count it found, gives back more than it took, and other ends do not.
//  - Failures give it back together, but one of them has not taken it.
//  - The only failing end gives back what the get that failed has not taken.
//  - (pairs.cpp) Wherever a function succeeds it gives back twice what it took once.
//  - On every way the count is taken twice and given back once: a function whose job is to take gives nothing back.
// Only named counts. What callees disagree about is theirs (pair_evidence.cpp).

#include <algorithm>

#include "engine/core/error_values.h"
#include "engine/core/from_entry.h"
#include "engine/core/hold_flags.h"
#include "engine/core/loops.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/counts/deferrals.h"

namespace reckon::engine {

using ExitPair = std::pair<specs::Outcome, const Exit*>;

// Is the opposite change made to another object of this kind? Then that is most likely the same one by another way
// of reaching it.
bool Counts::under_another_name(const Exit& e, const CountKey& key, int delta) const {
  if (delta == 0 || key.kind.empty()) return false;
  const CountId kind = ctx_.count_id(key.kind);
  return std::any_of(e.state.counts.begin(), e.state.counts.end(),
                     [&](const Count& c) { return c.kind == kind && c.delta == -delta; });
}

// May a loop have let go of counts of this kind, and so of this one?
bool Counts::let_go(const ExitPair& x, const CountKey& key, const History& h) const {
  return (x.second->state.coarsened & kind_bit(ctx_.count_id(key.kind))) != 0 && (h.raised.empty() || !h.in_steps);
}

// `b` took it by a get that failed and gave it back once more than that; `a` took it there, too, and gave it back.
bool Counts::undone_twice(const ExitPair& a, const ExitPair& b, const CountKey& key) const {
  const History ha = history(a.second->state, key), hb = history(b.second->state, key);
  return !hb.refused.empty() && ha.refused.empty() && hb.gives > hb.takes && passed(ha, hb.refused) &&
         !ha.raised.empty();
}

Counts::CountedExits Counts::counted_exits(const CountKey& key, const std::vector<ExitPair>& exits) const {
  const bool called_through_tables = !ctx_.program.roles(id_).empty();
  CountedExits out{key, {}};
  out.named_only = !called_through_tables && !contract_.given;
  out.balanced = contract_.balanced && called_through_tables;
  out.owed = out.balanced || contract_.releases_alone();
  out.interrupt = contract_.balanced && !called_through_tables;
  for (const ExitPair& x : exits) {
    if (key.term != kNoTerm && is_error_value(terms_, x.second->state.facts, terms_.root(key.term))) continue;
    const int d = change(x, key);
    const Deferral c = deferral_of(terms_, x.second->state, key.term, d);
    History h = history(x.second->state, key);
    const bool known =
        !let_go(x, key, h) && !under_another_name(*x.second, key, d) &&
        std::none_of(h.raised.begin(), h.raised.end(), [&](InstrId i) { return in_loop(body_, flow_, i); });
    const bool told = told_as_held(ctx_, trail_, terms_, x.second->state, ctx_.count_id(key.kind));
    out.all.push_back({&x, d, known && d == 1 && !c.kept && !told,
                       known && d < 0 && !c.dropped && !falls_with_flag(terms_, x.second->state),
                       subject_.fails_for_callers(*x.second), std::move(h)});
  }
  return out;
}

bool Counts::CountedExit::took_as(const CountedExit& other) const {
  return std::any_of(h.raised.begin(), h.raised.end(),
                     [&](InstrId c) { return std::binary_search(other.h.raised.begin(), other.h.raised.end(), c); });
}

// Must this end give back what it took? An interrupt may take a count for a thread that it wakes; if it says that it is
// done with the matter, it owes it.
bool Counts::CountedExits::owes(const TermArena& terms, const CountedExit& w) const {
  const TermId result = w.end->second->result;
  return owed ||
         (interrupt && result != kNoTerm && w.end->second->state.facts.range(terms, result).within(Range{0, 1}));
}

// Is what differs between the two ends, or was done on the one, a callee's to decide?
bool Counts::callee_decides(const CountedExits& exits, const CountedExit& a, const CountedExit* b,
                            const History& other) const {
  return decided_elsewhere(a.h, other, exits.key) &&
         trail_.silent(Silence::DecidedByCallee, exits.key.term, a.end->second->instr,
                       b ? b->end->second->instr : InstrId(model::kNone));
}

// A failing end, or one that owes it, keeps what other ends give back.
bool Counts::kept_here_only(const CountedExits& exits, const CountedExit& a, const CountedExit& b) {
  if (!a.kept || !(a.fails || exits.owes(terms_, a)) || b.delta != 0 || a.h.raised.empty()) return false;
  // Success has not kept it, or another end has taken it by the same call and given it back.
  const bool given_back = a.took_as(b) || (a.fails && !b.fails && passed(b.h, a.h.raised) &&
                                           unchecked_get(*a.end, *b.end, exits.key) == model::kNone);
  if (!given_back) return false;
  // What only the other way called has not decided about this one.
  History as_far = b.h;
  std::erase_if(as_far.calls, [&](const auto& c) { return !passed(a.h, {c.first}); });
  if (callee_decides(exits, a, &b, as_far)) return false;
  report_count(a.fails ? EventKind::FailureKeeps : EventKind::CountKept, exits.key, *a.end, b.end, a.delta, b.delta);
  return true;
}

// A failing end keeps what a get took that failed itself, while success keeps it on purpose.
bool Counts::refused_get_kept(const CountedExits& exits, const CountedExit& a, const CountedExit& b) {
  // A function that returns nothing, and is called by name only, leaves early: its callers cannot know.
  const bool silent = a.end->second->result == kNoTerm && exits.named_only;
  if (!a.kept || !(a.fails || silent) || a.h.refused.empty() || b.fails || b.delta != 1 || !a.took_as(b)) return false;
  if (silent && !b.h.refused.empty()) return false;
  const bool parts =
      (silent ? a.end->second->instr != b.end->second->instr : a.end->second->result != b.end->second->result) ||
      std::any_of(b.h.calls.begin(), b.h.calls.end(), [&](const auto& c) { return !passed(a.h, {c.first}); });
  if (!parts) {  // a wrapper that passes on what the get said
    trail_.silent(Silence::PassesResultOn, exits.key.term, a.end->second->instr, b.end->second->instr);
    return false;
  }
  if (callee_decides(exits, a, &b, b.h)) return false;  // the helper's own mistake
  report_count(EventKind::FailureKeeps, exits.key, *a.end, nullptr, a.delta, 0);
  return true;
}

// A failing end, or one that owes the count it found, gives back more than it took, and other ends do not.
bool Counts::given_too_often(const CountedExits& exits, const CountedExit& a, const CountedExit& b) {
  if (!a.dropped || a.h.raised.empty() || !(a.fails || exits.balanced) || b.delta < 0 || !a.took_as(b)) return false;
  if (callee_decides(exits, a, &b, b.h)) return false;
  report_count(EventKind::CountKept, exits.key, *a.end, b.end, a.delta, b.delta);
  return true;
}

// Failures give it back by the same call; one of them has never taken it: the get failed, and nobody looked, or what
// was asked about the device kept it from the get, but not from giving back. State of other kinds is known to both.
bool Counts::never_taken(const CountedExits& exits, const CountedExit& a, const CountedExit& b) {
  if (!a.dropped || a.delta != -1 || !a.h.raised.empty() || !a.fails || !b.fails || b.delta != 0 || b.h.raised.empty())
    return false;
  if (a.end->second->instr != b.end->second->instr || a.end->second->result != b.end->second->result) return false;
  if (!passed(a.h, b.h.raised) && !part_by_property(terms_, a.end->second->state, b.end->second->state)) return false;
  if (unchecked_get(*b.end, *a.end, exits.key) != model::kNone) return false;  // a check of its own
  // Another question decides to give back.
  if (!asks_no_more(terms_, a.end->second->state, b.end->second->state)) {
    trail_.silent(Silence::CallersKnow, exits.key.term, a.end->second->instr, b.end->second->instr);
    return false;
  }
  if (callee_decides(exits, a, &b, b.h)) return false;
  report_count(EventKind::CountKept, exits.key, *a.end, b.end, a.delta, b.delta);
  return true;
}

// A failing end gives back what the get that failed has not taken, and no other end gives it back that could be
// compared.
bool Counts::given_for_a_failed_get(const CountedExits& exits, const CountedExit& a, const CountedExit& b) {
  if (!a.dropped || a.delta >= 0 || !a.h.raised.empty() || !a.fails || b.delta < 0 || b.h.raised.empty()) return false;
  const auto outcome = [](const History& h, InstrId call) {
    const auto it = std::find_if(h.calls.begin(), h.calls.end(), [&](const auto& c) { return c.first == call; });
    return it == h.calls.end() ? model::kNone : it->second;
  };
  // One get, and what it said is all that made the two ways differ before the release, which comes later.
  if (b.h.raised.size() != 1 || !passed(a.h, b.h.raised)) return false;
  if (std::any_of(a.h.lowered.begin(), a.h.lowered.end(), [&](InstrId i) { return i < b.h.raised.front(); }))
    return false;
  if (outcome(a.h, b.h.raised.front()) == outcome(b.h, b.h.raised.front())) return false;
  // never_taken() is asked about failures that have taken it and give it back, and perhaps nobody has looked at the
  // get.
  if (std::any_of(exits.all.begin(), exits.all.end(),
                  [&](const CountedExit& c) { return c.fails && c.delta == 0 && c.took_as(b); }))
    return false;
  if (callee_decides(exits, a, &b, b.h)) return false;
  report_count(EventKind::CountKept, exits.key, *a.end, nullptr, a.delta, 0);
  return true;
}

// Never given back by a callback that owes it, whatever made ends differ that did not take it.
bool Counts::never_given_back(const CountedExits& exits) {
  const auto first = std::find_if(exits.all.begin(), exits.all.end(), [](const CountedExit& w) { return w.takes(); });
  if (!(exits.owed || exits.interrupt) || first == exits.all.end()) return false;
  const bool all = std::all_of(exits.all.begin(), exits.all.end(), [&](const CountedExit& w) {
    if (!w.takes()) return exits.owed || w.delta >= 0;
    // A flag that it sets says who gives it back.
    return w.kept && exits.owes(terms_, w) && (exits.owed || w.end->first.stores.empty()) &&
           !callee_decides(exits, w, nullptr, {});
  });
  if (all) report_count(EventKind::CountKept, exits.key, *first->end, nullptr, 1, 0);
  return all;
}

// Taken twice and given back once, on all paths that take it at all.
bool Counts::taken_twice(const CountedExits& exits) {
  const CountedExit* twice = nullptr;
  for (const CountedExit& w : exits.all) {
    if (!w.takes()) continue;
    if (!w.kept) return false;
    if (!twice && w.h.takes >= 2 && w.h.gives >= 1) twice = &w;
  }
  if (!twice || callee_decides(exits, *twice, nullptr, {})) return false;
  report_count(EventKind::CountKept, exits.key, *twice->end, nullptr, twice->delta, 1);
  return true;
}

bool Counts::check_one_sided(const CountKey& key, const std::vector<ExitPair>& exits) {
  const CountedExits all = counted_exits(key, exits);
  for (const auto rule : {&Counts::kept_here_only, &Counts::refused_get_kept, &Counts::given_too_often,
                          &Counts::never_taken, &Counts::given_for_a_failed_get})
    for (const CountedExit& a : all.all)
      for (const CountedExit& b : all.all)
        if ((this->*rule)(all, a, b)) return true;
  return never_given_back(all) || taken_twice(all);
}

}  // namespace reckon::engine
