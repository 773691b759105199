#include "analysis/schedule.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "analysis/without_objects.h"
#include "program/scc.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {
constexpr support::LookLimits kMost = support::kLimits.looks;

// Has a body that is to be judged although a spec says what it does?
bool described(const Context& ctx, FuncId f) {
  const model::Function& fn = ctx.program.function(f);
  return !fn.body.blocks.empty() && !fn.from_header && ctx.unit_concerned[ctx.program.unit_id(f)] &&
         ctx.known_by_spec(f);
}

// How deep the stack gets is a matter of taste, told on request; all else deserves to be sure of.
bool worth_another_look(const FunctionResult& r) {
  return std::any_of(r.events.begin(), r.events.end(), [](const Event& e) { return e.kind != EventKind::DepthByData; });
}

}  // namespace

std::vector<FunctionReport> run_all(Context& ctx, unsigned jobs, const Filter& filter, const Judge& judge,
                                    const Sink& sink, Recall* recall, Smt* smt) {
  const auto& program = ctx.program;
  std::vector<FunctionReport> reports(program.num_functions());
  for (FuncId f = 0; f < reports.size(); ++f) reports[f].function = f;

  // What a spec describes is not looked into: a call of it ties nobody to what it calls in turn. An interpreter's
  // eval() would make one component of all that it runs and all that runs it.
  std::vector<std::vector<FuncId>> edges(program.num_functions());
  for (FuncId f = 0; f < edges.size(); ++f)
    if (!ctx.known_by_spec(f))
      for (FuncId callee : program.callees(f))
        if (!ctx.known_by_spec(callee)) edges[f].push_back(callee);
  // Components of one level depend only on lower levels.
  std::vector<std::vector<FuncId>> named(program.num_functions());
  for (FuncId f = 0; f < named.size(); ++f)
    for (const model::Instr& i : program.function(f).body.instrs)
      for (const model::Operand& o : program.function(f).body.ops(i))
        if (o.kind == model::OperandKind::Symbol)
          if (const FuncId other = program.definition(program.unit_id(f), o.id); other != program::kNone)
            named[f].push_back(other);
  const auto components = program::order_components(program::strong_components(edges), edges, named);
  auto& component_of = ctx.component_of;
  component_of.assign(program.num_functions(), 0);
  std::vector<std::uint32_t> level(components.size(), 0);
  for (std::uint32_t c = 0; c < components.size(); ++c)
    for (FuncId f : components[c]) component_of[f] = c;
  std::uint32_t levels = 0;
  for (std::uint32_t c = 0; c < components.size(); ++c) {
    auto after = [&](FuncId other) {
      if (component_of[other] < c) level[c] = std::max(level[c], level[component_of[other]] + 1);
    };
    for (FuncId f : components[c]) {
      for (FuncId callee : edges[f]) after(callee);
      // A function passed on as a pointer is not called here, but what it does may be looked up.
      for (FuncId other : named[f]) after(other);
    }
    levels = std::max(levels, level[c] + 1);
  }
  std::vector<std::vector<std::uint32_t>> by_level(levels);
  for (std::uint32_t c = 0; c < components.size(); ++c) by_level[level[c]].push_back(c);

  // One round over a function.
  //
  // Path by path first: short functions end that way, and nothing is lost to joins. Else by property; and if there is
  // something to report then, path by path again and for longer, since what joins made up does not come up twice. That
  // last look waits until the outcomes of a recursion have settled, unless the steps are used up: then another round
  // would cost as much and end no better.
  struct Round {
    bool changed;  // callers see something new
    bool told;     // the record says all there is to say, as long as no callee changes
    bool spent;    // the steps were used up
  };
  auto analyse = [&](FuncId f, bool last, FunctionRecord& record, bool for_callers = true) -> Round {
    auto publish = [&](const Executor& ex, const FunctionResult& r, const FunctionResult& events, bool told,
                       bool joined = false) -> Round {
      const bool changed =
          !(r.summary.outcomes == ctx.summaries[f].outcomes) || r.summary.ready != ctx.summaries[f].ready;
      if (for_callers) {
        ctx.summaries[f] = r.summary;
        ctx.summaries[f].tried = true;
      }
      if (told) record = {r.summary, r.cut_short, r.reason, r.steps, events.owned_members, judge(ex, events, joined)};
      return {changed, told, r.steps > kMost.steps};
    };
    // Something to report, and branches that ranges could not decide: once more, with the solver.
    auto report = [&](const Executor& ex, const FunctionResult& r, const FunctionResult& events, const Look& look,
                      const AtBranches& branches, bool joined = false) -> Round {
      if (!smt || !worth_another_look(events) || !branches.beyond_ranges()) return publish(ex, r, events, true, joined);
      AtBranches asked(smt);
      Executor asking(ctx, f, look);
      const FunctionResult checked = asking.run();
      if (checked.cut_short && !events.cut_short) return publish(ex, r, events, true, joined);
      return publish(asking, &r == &events ? checked : r, checked, true, joined);
    };
    if (ctx.without_counts[f]) {
      // Callers want to know what it writes and keeps, if that is found out soon.
      Executor paths(ctx, f, {Joining::Paths, kMost.path_steps});
      if (const FunctionResult r = paths.run(); !r.cut_short && r.summary.ready) return publish(paths, r, r, true);
      Executor joined(ctx, f, {Joining::Property, kMost.path_steps});
      const FunctionResult r = joined.run();
      return publish(joined, r, r, true, true);
    }
    AtBranches branches(nullptr);
    // Protection is looked at by property first: most functions with many calls end sooner that way.
    const std::uint8_t domain = ctx.unit_domain[program.unit_id(f)];
    const bool by_path = domain >= ctx.specs.domains().size() || !ctx.specs.domains()[domain].reports_protection;
    if (by_path) {
      // Where loops take too many rounds to follow one by one, the first few may do.
      for (const std::uint32_t rounds : {kMost.path_rounds, kMost.few_path_rounds}) {
        const Look look{Joining::Paths, kMost.path_steps, rounds};
        Executor paths(ctx, f, look);
        const FunctionResult r = paths.run();
        if (!r.cut_short && r.summary.ready) return report(paths, r, r, look, branches);
        if (!paths.looped_beyond(kMost.few_path_rounds)) break;
      }
    }
    const bool plain = !by_path && without_objects(ctx, f);
    const std::uint32_t steps = plain ? kMost.plain_steps : kMost.steps;
    const Look by_property{Joining::Property, steps};
    Executor ex(ctx, f, by_property);
    FunctionResult r = ex.run();
    if (plain && r.cut_short) {
      // Nothing of it can be wrong, and callers ask no more than whether it may collect.
      r.summary = sum_up_calls(ctx, f);
      r.events.clear();
      r.cut_short = false;
      r.reason.clear();
      return publish(ex, r, r, true);
    }
    if (!worth_another_look(r) && !r.unsure) return publish(ex, r, r, true);
    if (!by_path && !r.unsure && judge(ex, r, true).empty()) return publish(ex, r, r, true, true);
    if (!last && r.steps <= kMost.steps) return publish(ex, r, r, false);
    // What takes half of the steps with all ways joined does not end with them apart; and for what is doubtful anyway,
    // no more is tried.
    const bool long_one = !by_path && r.steps > kMost.recheck_steps / 2;
    if (long_one && std::all_of(r.events.begin(), r.events.end(),
                                [](const Event& e) { return e.supposed || e.kind == EventKind::DepthByData; }))
      return report(ex, r, r, by_property, branches, true);
    if (!long_one) {
      const Look again_by_path{Joining::Paths, kMost.recheck_steps};
      Executor paths(ctx, f, again_by_path);
      const FunctionResult again = paths.run();
      if (!again.cut_short) return report(paths, r, again, again_by_path, branches);
    }
    if (!by_path) {
      // Too many paths: those that differ in what pushes and pops depend on have to do.
      const Look by_condition{Joining::Conditions, kMost.steps};
      Executor few(ctx, f, by_condition);
      const FunctionResult third = few.run();
      if (!third.cut_short) return report(few, r, third, by_condition, branches, true);
    }
    return report(ex, r, r, by_property, branches, true);
  };
  // Rounds over the members of a recursion: all of them, then those whose callees changed, until none is left.
  auto settle = [&](const std::vector<FuncId>& members, std::vector<FunctionRecord>& records) {
    struct Member {
      std::vector<std::size_t> callers = {};  // among the members
      bool stale = true, told = false, spent = false;
    };
    std::vector<Member> state(members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      for (FuncId callee : edges[members[m]])
        if (const auto at = std::lower_bound(members.begin(), members.end(), callee);
            at != members.end() && *at == callee)
          state[static_cast<std::size_t>(at - members.begin())].callers.push_back(m);
    auto look = [&](std::size_t m, bool last) {
      const Round r = analyse(members[m], last, records[m]);
      state[m].stale = false;
      state[m].told = r.told;
      state[m].spent = r.spent;
      if (r.changed)
        for (std::size_t c : state[m].callers) state[c].stale = !state[c].spent;
    };
    const bool recursive = std::any_of(state.begin(), state.end(), [](const Member& m) { return !m.callers.empty(); });
    for (int round = 0; recursive && round < kMost.recursion_rounds; ++round)
      for (std::size_t m = 0; m < members.size(); ++m)
        if (state[m].stale) look(m, false);
    for (std::size_t m = 0; m < members.size(); ++m)
      if (state[m].stale || !state[m].told) look(m, true);
  };
  auto component = [&](std::uint32_t c) {
    std::vector<FuncId> members;
    for (FuncId f : components[c])
      if (filter(f)) members.push_back(f);
    if (members.empty()) return;
    std::sort(members.begin(), members.end());
    std::vector<FunctionRecord> records(members.size());
    const FunctionKey key = recall ? recall->key(members) : FunctionKey{};
    const bool recalled = recall && recall->find(key, members, records);
    if (!recalled) settle(members, records);
    for (std::size_t m = 0; recalled && m < members.size(); ++m) {
      ctx.summaries[members[m]] = records[m].summary;
      ctx.summaries[members[m]].tried = true;
    }
    if (recall && !recalled) recall->add(key, members, records);
    if (recall) recall->settle(members);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const FunctionRecord& r = records[m];
      reports[members[m]] = {members[m], true, r.cut_short, recalled, r.reason, r.steps};
      sink(members[m], std::move(records[m]));
    }
  };

  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(1u, jobs));
  for (const auto& list : by_level)
    tbb::parallel_for(std::size_t{0}, list.size(), [&](std::size_t k) { component(list[k]); });

  // Bodies of what specs describe, when all that they call is known: to callers the spec holds, but they may be wrong,
  // too.
  std::vector<FuncId> last;
  for (FuncId f = 0; f < reports.size(); ++f)
    if (!reports[f].analysed && described(ctx, f)) {
      component_of[f] = static_cast<std::uint32_t>(components.size() + last.size());
      last.push_back(f);
    }
  tbb::parallel_for(std::size_t{0}, last.size(), [&](std::size_t k) {
    const std::vector<FuncId> members{last[k]};
    std::vector<FunctionRecord> records(1);
    const FunctionKey key = recall ? recall->key(members) : FunctionKey{};
    if (!recall || !recall->find(key, members, records)) {
      analyse(members[0], true, records[0], false);
      if (recall) recall->add(key, members, records);
    }
    records[0].owned.clear();  // what its members hold is the spec's to say
    sink(members[0], std::move(records[0]));
  });
  return reports;
}

}  // namespace reckon::analysis
