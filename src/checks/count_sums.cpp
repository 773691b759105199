#include "checks/count_sums.h"

#include <algorithm>

namespace reckon::checks {

using engine::FuncId;
using model::kNone;
using specs::Outcome;

namespace {

bool contains(const std::vector<std::string>& kinds, const std::string& kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

CountSums::CountSums(const engine::Context& ctx) : ctx_(ctx) {
  for (FuncId f{}; f < ctx.program.num_functions(); ++f)
    for (const program::TableEntry& e : ctx.program.roles(f)) entries_[place_of(e, e.field)].insert(f);
}

CountSums::TablePlace CountSums::place_of(const program::TableEntry& e, std::string_view field) {
  return {e.unit, e.variable, e.element, std::string(e.record), std::string(field)};
}

const std::set<FuncId>& CountSums::beside(const program::TableEntry& e, std::string_view field) const {
  static const std::set<FuncId> nobody;
  const auto it = entries_.find(place_of(e, field));
  return it == entries_.end() ? nobody : it->second;
}

int CountSums::sum_of(const specs::ReferenceEffects& named, const std::vector<engine::CountExit::Unnamed>& unnamed,
                      const std::string& kind) {
  int delta = 0;
  for (const specs::CountChange& c : named.counts)
    if (c.kind == kind) delta += c.delta;
  for (const engine::CountExit::Unnamed& u : unnamed)
    if (u.kind == kind) delta += u.delta;
  return delta;
}

bool CountSums::may_change(FuncId f, const std::string& kind, int sign, int depth) const {
  auto does = [&](const std::vector<Outcome>& outcomes) {
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
      return std::any_of(o.counts.begin(), o.counts.end(),
                         [&](const specs::CountChange& c) { return c.kind == kind && c.delta * sign > 0; });
    });
  };
  const program::UnitId u = ctx_.program.unit_id(f);
  if (does(ctx_.summaries[f].outcomes)) return true;
  for (const program::CallNote& call : ctx_.program.notes(f).calls)
    if (call.callee != kNone)
      if (const specs::FunctionSpec* spec = ctx_.spec_of[u][call.callee]; spec && does(spec->outcomes)) return true;
  const auto callees = ctx_.program.callees(f);
  return depth > 0 && std::any_of(callees.begin(), callees.end(), [&](FuncId g) {
           return !ctx_.known_by_spec(g) && may_change(g, kind, sign, depth - 1);
         });
}

bool CountSums::hands_out(FuncId f, const std::string& kind, int sign, int depth) const {
  for (const model::SymId s : ctx_.program.notes(f).handed) {
    const FuncId g = ctx_.program.definition(ctx_.program.unit_id(f), s);
    if (g != kNone && is_half(g, kind, sign)) return true;
  }
  const auto callees = ctx_.program.callees(f);
  return depth > 0 &&
         std::any_of(callees.begin(), callees.end(), [&](FuncId g) { return hands_out(g, kind, sign, depth - 1); });
}

// What must leave counts alone is told of those itself.
bool CountSums::is_half(FuncId g, const std::string& kind, int sign) const {
  if (ctx_.contracts[g].balanced || ctx_.program.head(g).from_header) return false;
  if (open_sum(g, kind)) return may_change(g, kind, sign);
  const std::set<int> sums = all_sums(g, kind);
  return std::any_of(sums.begin(), sums.end(), [&](int n) { return n * sign > 0; }) && !made_up_for(g, kind, sign);
}

bool CountSums::unsure_of(FuncId f, const std::string& kind, int sign, int depth) const {
  const auto callees = ctx_.program.callees(f);
  return std::any_of(callees.begin(), callees.end(), [&](FuncId g) {
    if (ctx_.known_by_spec(g)) return false;
    return ctx_.summaries[g].known ? depth > 0 && unsure_of(g, kind, sign, depth - 1) : may_change(g, kind, sign);
  });
}

bool CountSums::open_sum(FuncId f, const std::string& kind) const {
  const engine::Summary& sum = ctx_.summaries[f];
  return !sum.known || contains(sum.open_sums, kind) || lost_in_helpers(f, kind, support::kLimits.checks.half_calls);
}

// A helper that leaves a count of what it has made cannot tell its callers of it.
bool CountSums::lost_in_helpers(FuncId f, const std::string& kind, int depth) const {
  const auto callees = ctx_.program.callees(f);
  return std::any_of(callees.begin(), callees.end(), [&](FuncId g) {
    if (g == f || ctx_.known_by_spec(g)) return false;
    return contains(ctx_.summaries[g].disputed_on_success, kind) || (depth > 0 && lost_in_helpers(g, kind, depth - 1));
  });
}

std::set<int> CountSums::all_sums(FuncId f, const std::string& kind) const {
  std::set<int> out;
  for (const engine::CountExit& e : ctx_.summaries[f].count_exits)
    if (!e.what.never_returns) out.insert(sum_of(e.what, e.unnamed, kind));
  return out;
}

bool CountSums::is_entry(FuncId f) const {
  const model::Symbol& symbol = ctx_.program.frame(f).symbols[ctx_.program.declared(f).symbol];
  return !ctx_.program.roles(f).empty() || symbol.address_taken || symbol.linkage == model::Linkage::External ||
         ctx_.program.callers(f).empty();
}

// Does another function of the same table, or the same one by its argument, make up for what `g` does to the count?
bool CountSums::made_up_for(FuncId g, const std::string& kind, int sign) const {
  auto changes_by = [&](FuncId h, int s) {
    const std::set<int> sums = all_sums(h, kind);
    return std::any_of(sums.begin(), sums.end(), [&](int n) { return n * s > 0; });
  };
  if (changes_by(g, -sign)) return true;
  for (const program::TableEntry& e : ctx_.program.roles(g)) {
    for (auto it = entries_.lower_bound(place_of(e, "")); it != entries_.end(); ++it) {
      const auto& [place, functions] = *it;
      const auto& [unit, variable, element, record, field] = place;
      if (place_of(e, field) != place) break;
      auto undone_by = [&](std::string_view first, std::string_view second) {
        const specs::SlotSpec* slot = ctx_.specs.find_slot(record, first);
        return slot && std::find(slot->undone_by.begin(), slot->undone_by.end(), second) != slot->undone_by.end();
      };
      if (!undone_by(e.field, field) && !undone_by(field, e.field)) continue;
      if (std::any_of(functions.begin(), functions.end(), [&](FuncId h) { return changes_by(h, -sign); })) return true;
    }
  }
  return false;
}

// Units whose functions call each other's.
std::set<program::UnitId> CountSums::around(FuncId f) const {
  std::set<program::UnitId> out{ctx_.program.unit_id(f)};
  for (const FuncId g : ctx_.program.wholes()) {
    if (ctx_.program.unit_id(g) != ctx_.program.unit_id(f)) continue;
    for (const FuncId h : ctx_.program.callees(g)) out.insert(ctx_.program.unit_id(h));
    for (const FuncId h : ctx_.program.callers(g)) out.insert(ctx_.program.unit_id(h));
  }
  return out;
}

bool CountSums::has_another_half(FuncId f, const std::string& kind, int sign) const {
  const std::set<program::UnitId> units = around(f);
  for (const FuncId g : ctx_.program.wholes()) {
    if (g == f || !ctx_.program.head(g).has_body || !units.contains(ctx_.program.unit_id(g)) || !is_entry(g)) continue;
    if (is_half(g, kind, -sign)) return true;
  }
  return false;
}

}  // namespace reckon::checks
