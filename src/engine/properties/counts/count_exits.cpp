// The ends of a function for whoever adds up the named counts of two halves (checks/halves.cpp). Outcomes are merged
// for callers, who do not need to know which argument decided about a count; a half has to be told by exactly that.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/counts/deferrals.h"
#include "support/limits.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

void Counts::sum_up(const Exit& e, const NewObjects&, Outcome& o) const {
  for (const Count& c : e.state.counts)
    if (Place p; subject_.visible_place(c.object, p)) o.counts.push_back({p, ctx_.count_names[c.kind], c.delta});
}

void Counts::note_count_exits(const std::vector<std::pair<Outcome, const Exit*>>& exits, Summary& sum) {
  constexpr std::size_t kMostEnds = support::kLimits.outcomes.count_exits;
  auto add = [](std::vector<std::string>& list, const std::string& kind) {
    if (std::find(list.begin(), list.end(), kind) == list.end()) list.push_back(kind);
  };
  // What loops let go of, queues may have taken along, and one of several functions behind a pointer did, is in no sum.
  sum.open_sums = disputed_on_success_;
  for (const auto& [o, e] : exits) {
    for (std::uint16_t n = 0; e->state.coarsened != 0 && n < ctx_.count_names.size(); ++n)
      if (const CountId kind(n); (e->state.coarsened & kind_bit(kind)) != 0) add(sum.open_sums, ctx_.count_names[kind]);
    for (const Count& c : e->state.counts)
      if (const Deferral d = deferral_of(terms_, e->state, c.object, c.delta); d.kept || d.dropped)
        add(sum.open_sums, ctx_.count_names[c.kind]);
  }
  // What is left of counts that outcomes cannot name is not known to whoever compares them by their names.
  for (const auto& [o, e] : exits)
    for (const Count& c : e->state.counts)
      if (Place p; c.delta != 0 && !subject_.visible_place(c.object, p)) {
        add(disputed_, ctx_.count_names[c.kind]);
        if (!subject_.fails_for_callers(*e)) add(disputed_on_success_, ctx_.count_names[c.kind]);
      }
  sum.disputed = disputed_;
  sum.disputed_on_success = disputed_on_success_;
  auto named = [](const specs::CountChange& c) { return !c.kind.empty(); };
  if (!sum.known || std::none_of(exits.begin(), exits.end(), [&](const auto& x) {
        return !x.second->state.counts.empty() || std::any_of(x.first.counts.begin(), x.first.counts.end(), named);
      }))
    return;
  for (const auto& [o, e] : exits) {
    CountExit end;
    end.what.when = o.when;
    end.what.result = o.result;
    end.what.never_returns = o.never_returns;
    end.what.failure = o.failure;
    std::copy_if(o.counts.begin(), o.counts.end(), std::back_inserter(end.what.counts), named);
    for (const specs::StoreEffect& s : o.stores)
      end.what.stores.push_back({s.where, s.value.kind == specs::Value::Kind::Int ? s.value : specs::Value{}});
    for (const Count& c : e->state.counts) {
      if (Place p; subject_.visible_place(c.object, p)) continue;
      const std::string& kind = ctx_.count_names[c.kind];
      auto same = std::find_if(end.unnamed.begin(), end.unnamed.end(), [&](const auto& u) { return u.kind == kind; });
      if (same == end.unnamed.end()) same = end.unnamed.insert(same, {kind, trail_.describe(c.object), 0});
      same->delta += c.delta;
    }
    end.after_failure = e->state.failed;
    if (std::find(sum.count_exits.begin(), sum.count_exits.end(), end) == sum.count_exits.end())
      sum.count_exits.push_back(std::move(end));
    if (sum.count_exits.size() > kMostEnds) {
      sum.count_exits.clear();
      for (const auto& x : exits)
        for (const Count& c : x.second->state.counts) add(sum.open_sums, ctx_.count_names[c.kind]);
      return;
    }
  }
}

// Every end leaves the count as every other does, so that no pair of them can show a mistake.
bool Counts::Changes::alike() const {
  int low = ends.front().low, high = ends.front().high;
  for (const Change& x : ends) {
    if (x.delta != ends.front().delta) return false;
    low = std::max(low, x.low);
    high = std::min(high, x.high);
  }
  return low <= high;
}

void Counts::before_targets(State&, const Call& call, const Targets& targets) {
  note_disputes(call.index, targets.functions, targets.by_pointer);
}

// What a function that must leave counts as they were does to them is its own mistake and told there; callers by way of
// a table know none of its kind. A function that calls its own kind behind a pointer goes on to the next of a chain,
// which is mostly another driver's, and in any case not the object that is counted here.
std::optional<std::vector<specs::Outcome>> Counts::outcomes_for(FuncId f, bool by_pointer) {
  if (!by_pointer) return std::nullopt;
  const auto callees = ctx_.program.callees(f);
  const bool own_kind =
      !ctx_.program.roles(f).empty() && (f == id_ || std::find(callees.begin(), callees.end(), id_) != callees.end());
  if (!own_kind && !owes_counts(ctx_, f)) return std::nullopt;
  std::vector<specs::Outcome> outcomes = ctx_.summaries[f].outcomes;
  for (specs::Outcome& o : outcomes)
    std::erase_if(o.counts, [](const specs::CountChange& c) { return !c.kind.empty(); });
  return outcomes;
}

void Counts::exit(const Exit& e) {
  if (!manner_.counts_objects) return;
  const State& s = e.state;
  for (const Count& c : s.counts) {
    if (c.delta <= 0 || terms_[terms_.root(c.object)].kind != TermKind::Slot ||
        terms_.split(c.object).second == kMovedMark)
      continue;
    EventObject o;
    o.term = c.object;
    o.domain = ctx_.count_domains[c.kind];
    o.origin = c.touched;
    if (Event* ev = trail_.emit(EventKind::BufferLeft, s, &o, e.instr))
      ev->get<CountFacts>().count = ctx_.count_names[c.kind];
  }
}

}  // namespace reckon::engine
