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
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using model::kNone;

using Kinds = std::set<CountId>;

// What functions, and those they call, do to counts.
class CountUsers {
 public:
  CountUsers(const Context& ctx, bool plain) : ctx_(ctx), plain_(plain) {}

  // Adds the counts that a call of `callee` takes (`taking`) or gives back; plain references too, where no pairs are
  // compared.
  void add(program::UnitId u, model::SymId callee, bool taking, Kinds& out, int depth = 0) {
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][callee]) {
      for (const specs::Outcome& o : spec->outcomes)
        for (const specs::CountChange& c : o.counts)
          if ((!c.kind.empty() || plain_) && (c.delta > 0) == taking) out.insert(ctx_.count_id(c.kind));
      return;
    }
    const FuncId f = ctx_.program.definition(u, callee);
    if (f == kNone || depth >= support::kLimits.program.released_calls) return;
    const auto [known, added] = known_.try_emplace({f, taking, depth});
    if (added) {
      Kinds found;
      for (const program::CallNote& call : ctx_.program.notes(f).calls)
        if (call.callee != kNone) add(ctx_.program.unit_id(f), call.callee, taking, found, depth + 1);
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
void read(const Context& ctx, CountUsers& users, FuncId f, std::map<std::string, Kinds>& told,
          std::map<std::string, Kinds>& set) {
  const program::UnitId u = ctx.program.unit_id(f);
  const model::Unit& unit = ctx.program.frame(f);
  const program::FunctionNotes& notes = ctx.program.notes(f);
  auto name_of = [&](program::FieldId field) {
    const model::FieldName& member = ctx.program.member(u, field);
    return std::string(unit.str(unit.type(member.record).name)) + "." + std::string(unit.str(member.path));
  };
  if (!notes.raised.empty()) {
    Kinds taken;
    for (const program::CallNote& call : notes.calls)
      if (call.callee != kNone) users.add(u, call.callee, true, taken);
    for (const program::FieldId member : notes.raised) set[name_of(member)].insert(taken.begin(), taken.end());
  }
  for (const program::AskedNote& asked : notes.asked)
    for (const model::SymId callee : asked.callees) users.add(u, callee, false, told[name_of(asked.member)]);
}

}  // namespace

void learn_hold_flags(Context& ctx) {
  CountUsers named(ctx, false), plain(ctx, true);
  std::map<std::string, Kinds> told, set;
  const auto& domains = ctx.specs.domains();
  for (const FuncId f : ctx.program.wholes()) {
    const DomainId domain = ctx.unit_domain[ctx.program.unit_id(f)];
    if (domain < domains.size() && (domains[domain].reports_pairs || domains[domain].reports_leaks))
      read(ctx, domains[domain].reports_pairs ? named : plain, f, told, set);
    ctx.program.rest();
  }
  for (const auto& [member, kinds] : told) {
    std::vector<CountId> both;
    std::set_intersection(kinds.begin(), kinds.end(), set[member].begin(), set[member].end(), std::back_inserter(both));
    if (!both.empty()) ctx.hold_flags.emplace(member, std::move(both));
  }
}

}  // namespace reckon::analysis
