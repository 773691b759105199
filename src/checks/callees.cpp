// Steps inside a callee.
//
// A summary says what a callee does, not how. Keeping a path with every outcome of every function would cost much and
// serve few; so the callee is run once more, only when a finding's path leads through it and its outcome matters there.
// It is run as the schedule ran it first; where that was cut short, the summary came from a longer run, its outcomes have
// other numbers, and nothing is told.

#include "checks/callees.h"

#include <algorithm>

namespace reckon::checks {

namespace {

constexpr int kDeepest = 2;             // callees of callees
constexpr std::size_t kMostSteps = 40;  // of one callee

bool worth_telling(const report::Step& step) { return step.essential || !step.state.empty(); }

}  // namespace

std::vector<report::Step> callee_steps(const engine::Executor& caller, const View& view, std::uint32_t call, std::uint32_t outcome) {
  const engine::Context& ctx = caller.context();
  const auto ops = caller.function().body.ops(caller.function().body.instrs[call]);
  const program::UnitId unit = ctx.program.unit_id(caller.id());
  if (view.nesting() >= kDeepest || ops.empty() || ops[0].kind != model::OperandKind::Symbol || ctx.spec_of[unit][ops[0].id]) return {};
  const engine::FuncId callee = ctx.program.definition(unit, ops[0].id);
  if (callee == model::kNone || !ctx.summaries[callee].ready || ctx.component_of[callee] == ctx.component_of[caller.id()]) return {};

  const auto& domains = ctx.specs.domains();
  const std::uint8_t domain = ctx.unit_domain[ctx.program.unit_id(callee)];
  const bool joined = domain < domains.size() && domains[domain].reports_protection;
  engine::Executor again(ctx, callee, joined ? engine::Joining::Property : engine::Joining::Paths, ctx.budget.path_steps);
  const engine::FunctionResult result = again.run();
  if (result.cut_short || !(result.summary.outcomes == ctx.summaries[callee].outcomes) || outcome >= again.outcome_ends().size()) return {};
  const auto [path, end] = again.outcome_ends()[outcome];
  engine::Event event;
  event.object.domain = view.object().domain;
  const View inside(again, event, view.nesting() + 1);
  std::vector<report::Step> steps = inside.steps(path);
  if (std::none_of(steps.begin(), steps.end(), worth_telling)) return {};
  report::Step last;
  last.loc = inside.loc(end);
  last.text = "returns";
  steps.push_back(std::move(last));
  if (steps.size() > kMostSteps) std::erase_if(steps, [](const report::Step& s) { return !worth_telling(s); });
  if (steps.size() > kMostSteps) return {};
  for (report::Step& s : steps) {
    s.essential = worth_telling(s);
    ++s.depth;
    s.change = {};  // objects have other numbers there; what it comes to is told at the call
  }
  return steps;
}

}  // namespace reckon::checks
