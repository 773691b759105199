#include "analysis/looks.h"

#include <algorithm>
#include <memory>

#include "analysis/without_objects.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

constexpr support::LookLimits kMost = support::kLimits.looks;

struct Rung;

// A look that was taken.
struct Taken {
  const Rung* rung = nullptr;
  std::unique_ptr<Executor> executor;
  FunctionResult result;
};

// The function at hand and the looks so far.
struct Climb {
  const Context& ctx;
  const FuncId f;
  const bool last;
  const Judge& judge;
  const bool brief;       // only counts matter in its unit, and it has nothing to do with them
  const bool protecting;  // its unit protects objects from a collector: most functions end sooner with states joined
  const bool plain;       // the same, but no object occurs in it
  Taken now;
  Taken joined;  // the look by property, which the last looks come back to
};

// What follows from a look.
enum class Then : std::uint8_t {
  Next,   // the next look of the ladder
  Done,   // this is the answer, and there is nothing to ask the solver about
  Tell,   // this is the answer
  Doubt,  // this is the answer, but joins may have made it up
  Wait,   // callers get this summary; the answer is found in a later round of the recursion
};

struct Rung {
  Look look;
  bool (*taken)(const Climb&);  // is this look taken?
  Then (*then)(Climb&);         // what follows from it
  bool for_callers;             // do callers get its summary?
};

// How deep the stack gets is a matter of taste, told on request; all else deserves to be sure of.
bool worth_another_look(const FunctionResult& r) {
  return std::any_of(r.events.begin(), r.events.end(), [](const Event& e) { return e.kind != EventKind::DepthByData; });
}

bool complete(const FunctionResult& r) { return !r.cut_short && r.summary.known; }

// What takes half of the steps with all ways joined does not end with them apart.
bool too_long_for_paths(const Climb& c) { return c.protecting && c.joined.result.steps > kMost.recheck_steps / 2; }

bool all_doubtful(const FunctionResult& r) {
  return std::all_of(r.events.begin(), r.events.end(),
                     [](const Event& e) { return e.assumed_kind || e.kind == EventKind::DepthByData; });
}

// ---- When a look is taken.

bool if_brief(const Climb& c) { return c.brief; }
bool if_paths_come_first(const Climb& c) { return !c.brief && !c.protecting; }
bool if_loops_go_on(const Climb& c) {
  return if_paths_come_first(c) && c.now.executor->looped_beyond(kMost.few_path_rounds);
}
bool if_plain(const Climb& c) { return c.plain; }
bool if_not_plain(const Climb& c) { return !c.plain; }
bool if_paths_may_end(const Climb& c) { return !too_long_for_paths(c); }
bool if_protecting(const Climb& c) { return c.protecting; }

// ---- What follows from it.

Then done_if_complete(Climb& c) { return complete(c.now.result) ? Then::Done : Then::Next; }
Then doubt(Climb&) { return Then::Doubt; }
Then tell_if_complete(Climb& c) { return complete(c.now.result) ? Then::Tell : Then::Next; }
Then tell_if_ended(Climb& c) { return !c.now.result.cut_short ? Then::Tell : Then::Next; }
Then doubt_if_ended(Climb& c) { return !c.now.result.cut_short ? Then::Doubt : Then::Next; }

// The look by property is the answer where nothing is to be told. Else dear looks follow, once a recursion has settled;
// but if the steps are used up another round would cost as much and end no better. For what is doubtful anyway, and too
// long for paths, no more is tried.
Then unless_to_be_told(Climb& c) {
  const FunctionResult& r = c.now.result;
  if (!worth_another_look(r) && !r.unsure) return Then::Done;
  if (c.protecting && !r.unsure && c.judge(*c.now.executor, r, true).empty()) return Then::Done;
  if (!c.last && r.steps <= kMost.steps) return Then::Wait;
  c.joined = std::move(c.now);
  if (too_long_for_paths(c) && all_doubtful(c.joined.result)) return Then::Doubt;
  return Then::Next;
}

// Nothing of a function without objects can be wrong, and callers ask no more than whether it may collect.
Then or_sum_up_calls(Climb& c) {
  FunctionResult& r = c.now.result;
  if (!r.cut_short) return unless_to_be_told(c);
  r.summary = sum_up_calls(c.ctx, c.f);
  r.events.clear();
  r.cut_short = false;
  r.reason.clear();
  return Then::Done;
}

constexpr Look by_paths(int steps, int rounds = kMost.path_rounds) {
  return {Joining::Paths, static_cast<std::uint32_t>(steps), static_cast<std::uint32_t>(rounds)};
}
constexpr Look by_property(int steps) { return {Joining::Property, static_cast<std::uint32_t>(steps)}; }
constexpr Look by_conditions(int steps) { return {Joining::Conditions, static_cast<std::uint32_t>(steps)}; }

// The ladder, from top to bottom. After the last rung the look by property is the answer, in doubt. `summary`: do
// callers get that of this look? Else they get that of the look by property.
constexpr Rung kLadder[] = {
    // clang-format off
    // joining, steps, rounds                             taken                what follows       summary
    {by_paths(kMost.path_steps),                          if_brief,            done_if_complete,  true},
    {by_property(kMost.path_steps),                       if_brief,            doubt,             true},
    {by_paths(kMost.path_steps),                          if_paths_come_first, tell_if_complete,  true},
    {by_paths(kMost.path_steps, kMost.few_path_rounds),   if_loops_go_on,      tell_if_complete,  true},
    {by_property(kMost.plain_steps),                      if_plain,            or_sum_up_calls,   true},
    {by_property(kMost.steps),                            if_not_plain,        unless_to_be_told, true},
    {by_paths(kMost.recheck_steps),                       if_paths_may_end,    tell_if_ended,     false},
    {by_conditions(kMost.steps),                          if_protecting,       doubt_if_ended,    false},
    // clang-format on
};

Taken take(const Context& ctx, FuncId f, const Rung& rung, AtBranches* branches) {
  Look look = rung.look;
  look.branches = branches;
  Taken out{&rung, std::make_unique<Executor>(ctx, f, look), {}};
  out.result = out.executor->run();
  return out;
}

bool protects(const Context& ctx, FuncId f) {
  const DomainId domain = ctx.unit_domain[ctx.program.unit_id(f)];
  return domain < ctx.specs.domains().size() && ctx.specs.domains()[domain].reports_protection;
}

// Writes down what a look came to: `summary` for callers, the events of `look` for the report.
Round publish(Context& ctx, FuncId f, const Turn& turn, const Judge& judge, const FunctionResult& summary,
              const Taken& look, Then then, FunctionRecord& record) {
  const Summary& known = ctx.summaries[f];
  const bool changed = !(summary.summary.outcomes == known.outcomes) || summary.summary.known != known.known;
  if (turn.for_callers) {
    ctx.summaries[f] = summary.summary;
    ctx.summaries[f].tried = true;
  }
  const bool told = then != Then::Wait;
  if (told)
    record = {summary.summary, summary.cut_short,         summary.reason,
              summary.steps,   look.result.owned_members, judge(*look.executor, look.result, then == Then::Doubt)};
  return {changed, told, summary.steps > static_cast<std::uint32_t>(kMost.steps)};
}

}  // namespace

Round look_at(Context& ctx, FuncId f, const Turn& turn, const Judge& judge, Smt* smt, FunctionRecord& record) {
  const bool brief = ctx.without_counts[f], protecting = !brief && protects(ctx, f);
  Climb c{ctx, f, turn.last, judge, brief, protecting, protecting && without_objects(ctx, f), {}, {}};
  AtBranches branches(nullptr);
  Then then = Then::Next;
  for (const Rung& rung : kLadder) {
    if (!rung.taken(c)) continue;
    c.now = take(ctx, f, rung, brief ? nullptr : &branches);
    then = rung.then(c);
    if (then != Then::Next) break;
  }
  if (then == Then::Next) then = Then::Doubt, c.now = {};
  Taken& answer = c.now.executor ? c.now : c.joined;
  const bool own = answer.rung->for_callers;
  const FunctionResult& summary = own ? answer.result : c.joined.result;
  auto as_it_is = [&] { return publish(ctx, f, turn, judge, summary, answer, then, record); };
  // Something to report, and branches that ranges could not decide: once more, with the solver.
  const bool ask = smt && (then == Then::Tell || then == Then::Doubt) && worth_another_look(answer.result) &&
                   branches.beyond_ranges() && !judge(*answer.executor, answer.result, then == Then::Doubt).empty();
  if (!ask) return as_it_is();
  AtBranches asked(smt);
  const Taken checked = take(ctx, f, *answer.rung, &asked);
  if (checked.result.cut_short && !answer.result.cut_short) return as_it_is();
  return publish(ctx, f, turn, judge, own ? checked.result : summary, checked, then, record);
}

}  // namespace reckon::analysis
