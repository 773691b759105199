// Steps inside callees.
//
// A summary says what a callee does, not how. Keeping a path with every outcome of every function would cost much and
// serve few; so the callee is run once more, only for a finding that is reported and where its outcome matters. That is
// done behind what earlier runs left (kept_results.h): a caller's answer holds as long as its callees' outcomes do,
// and where their lines are now is another matter. The callee is run as the schedule ran it first; where that was cut
// short, the summary came from a longer run, its outcomes have other numbers, and nothing is told.

#include "analysis/callee_steps.h"

#include <algorithm>

#include "checks/check.h"
#include "engine/executor.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using model::kNone;

bool worth_reporting(const report::Step& step) { return step.essential || !step.state.empty(); }

class CalleeSteps {
 public:
  explicit CalleeSteps(const Context& context) : ctx_(context) {}

  void add(FuncId caller, std::vector<report::Step>& path, int depth) const {
    std::vector<report::Step> out;
    for (report::Step& step : path) {
      std::vector<report::Step> inside;
      if (depth < support::kLimits.checks.callee_depth && step.essential && !step.callee.empty())
        inside = steps(caller, step, depth);
      out.push_back(std::move(step));
      std::move(inside.begin(), inside.end(), std::back_inserter(out));
    }
    path = std::move(out);
  }

 private:
  std::vector<report::Step> steps(FuncId caller, const report::Step& call, int depth) const {
    const FuncId callee = definition(caller, call.callee);
    if (callee == kNone || !ctx_.summaries[callee].known || ctx_.component_of[callee] == ctx_.component_of[caller])
      return {};
    const auto& domains = ctx_.specs.domains();
    const DomainId domain = ctx_.unit_domain[ctx_.program.unit_id(callee)];
    const bool joined = domain < domains.size() && domains[domain].reports_protection;
    Executor again(ctx_, callee, {joined ? Joining::Property : Joining::Paths, support::kLimits.looks.path_steps});
    const FunctionResult result = again.run();
    if (result.cut_short || !(result.summary.outcomes == ctx_.summaries[callee].outcomes) ||
        call.outcome >= again.outcome_exits().size())
      return {};
    const auto [path, end] = again.outcome_exits()[call.outcome];
    Event event(EventKind::Leak);  // any kind will do: it only names the domain
    event.object.domain = domain;
    const checks::View view(Trace(again), event);
    std::vector<report::Step> out = view.steps(path);
    if (std::none_of(out.begin(), out.end(), worth_reporting)) return {};
    report::Step last;
    last.loc = view.loc(end);
    last.text = "returns";
    out.push_back(std::move(last));
    if (out.size() > support::kLimits.checks.callee_steps)
      std::erase_if(out, [](const report::Step& s) { return !worth_reporting(s); });
    if (out.size() > support::kLimits.checks.callee_steps) return {};
    for (report::Step& s : out) {
      s.essential = worth_reporting(s);
      s.depth = depth + 1;
      s.change = {};  // objects have other numbers there; what it comes to is told at the call
    }
    add(callee, out, depth + 1);
    return out;
  }

  FuncId definition(FuncId caller, const std::string& name) const {
    const program::UnitId unit = ctx_.program.unit_id(caller);
    const model::Unit& symbols = ctx_.program.unit(caller);
    for (model::SymId s{}; s < symbols.symbols.size(); ++s)
      if (symbols.name(s) == name) return ctx_.spec_of[unit][s] ? kNone : ctx_.program.definition(unit, s);
    return kNone;
  }

  const Context& ctx_;
};

}  // namespace

void explain_callees(const Context& context, FuncId caller, std::vector<report::Step>& path) {
  CalleeSteps(context).add(caller, path, 0);
}

}  // namespace reckon::analysis
