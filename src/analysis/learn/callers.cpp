// What its callers say of a function that stands in no table.
//
// The problem: an entry function often is a shell that reads its arguments and returns what another function gives it
// (Argument Clinic writes all of CPython's so). The contract is the inner one's to keep, and the arguments that come
// through are as much the caller's property there as in the shell. The method: if in every call in sight the result
// goes straight out of a function that promises a new reference, the function itself promises one; and if in every
// call an argument is one that an entry function was given and took no reference to, it is lent.
//
// Limits: only direct calls; a function whose address is taken, or that has roles in tables, is left alone.

#include <algorithm>

#include "analysis/learn/learn.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using model::kNone;
using program::ArgumentNote;
using program::CallNote;

// A direct call, as far as it is asked about here.
struct Site {
  FuncId caller;
  bool passed_on = false;
  std::vector<std::uint32_t> params;  // by argument: the parameter of the caller that it is, kNone if it is none
};

bool promises_new(const Contract& c) { return c.gives_new || c.result_goes_out; }

std::uint32_t param_in(const ArgumentNote& argument) {
  return argument.kind == ArgumentNote::Kind::Param ? argument.id : std::uint32_t{kNone};
}

class Callers {
 public:
  explicit Callers(Context& ctx)
      : ctx_(ctx), sites_(ctx.program.num_functions()), acquired_(ctx.program.num_functions()) {
    const program::Program& program = ctx.program;
    for (const FuncId f : program.wholes()) {
      for (const CallNote& call : program.notes(f).calls) {
        if (call.callee == kNone) continue;
        note_acquired(f, call);
        const FuncId callee = program.definition(program.unit_id(f), call.callee);
        if (callee == kNone) continue;
        Site site{f, call.passed_on, {}};
        for (const ArgumentNote& argument : call.arguments) site.params.push_back(param_in(argument));
        sites_[callee].push_back(std::move(site));
      }
      program.rest();
    }
  }

  void learn() {
    for (int round = 0; round < support::kLimits.program.caller_rounds; ++round) {
      bool changed = false;
      for (FuncId f{}; f < sites_.size(); ++f, ctx_.program.rest()) changed = look_at(f) || changed;
      if (!changed) break;
    }
  }

 private:
  bool look_at(FuncId f) {
    if (sites_[f].empty() || !ctx_.program.head(f).has_body || !ctx_.program.roles(f).empty()) return false;
    const Contract& contract = ctx_.contracts[f];
    if (!contract.plain()) return false;
    const model::Function& fn = ctx_.program.declared(f);
    const program::UnitId u = ctx_.program.unit_id(f);
    if (ctx_.program.frame(f).symbols[fn.symbol].address_taken) return false;
    bool changed = false;
    if (!contract.given && ctx_.counted(u, fn.result) &&
        std::all_of(sites_[f].begin(), sites_[f].end(),
                    [&](const Site& s) { return promises_new(ctx_.contracts[s.caller]) && s.passed_on; })) {
      ctx_.contracts[f].given = ctx_.contracts[f].result_goes_out = true;
      changed = true;
    }
    for (std::uint32_t p = 0; p < fn.params.size() && p < 32; ++p) {
      if ((ctx_.borrowed_params[f] >> p & 1) != 0 || !ctx_.counted(u, fn.params[p].type)) continue;
      if (!std::all_of(sites_[f].begin(), sites_[f].end(), [&](const Site& s) { return lends(s, p); })) continue;
      ctx_.borrowed_params[f] |= 1u << p;
      changed = true;
    }
    return changed;
  }

  // Is argument `p` of this call one that came with a call from outside, and no reference of the caller's own?
  bool lends(const Site& s, std::uint32_t p) const {
    const std::uint32_t given = p < s.params.size() ? s.params[p] : std::uint32_t{kNone};
    if (given == kNone) return false;
    const bool outside =
        ctx_.contracts[s.caller].entry || (given < 32 && (ctx_.borrowed_params[s.caller] >> given & 1) != 0);
    const auto& acquired = acquired_[s.caller];
    return outside && std::find(acquired.begin(), acquired.end(), given) == acquired.end();
  }

  // Parameters that the call takes a reference to.
  void note_acquired(FuncId f, const CallNote& call) {
    const specs::FunctionSpec* spec = ctx_.spec_of[ctx_.program.unit_id(f)][call.callee];
    if (!spec) return;
    for (const specs::Outcome& o : spec->outcomes)
      for (const specs::CountChange& c : o.counts)
        if (c.delta > 0 && c.object.root == specs::Place::Root::Arg && c.object.path.empty() &&
            c.object.index < call.arguments.size())
          if (const std::uint32_t param = param_in(call.arguments[c.object.index]); param != kNone)
            acquired_[f].push_back(param);
  }

  Context& ctx_;
  std::vector<std::vector<Site>> sites_;              // by callee
  std::vector<std::vector<std::uint32_t>> acquired_;  // by function: parameters
};

}  // namespace

void learn_from_callers(Context& ctx) {
  ctx.borrowed_params.assign(ctx.program.num_functions(), 0);
  if (std::any_of(ctx.contracts.begin(), ctx.contracts.end(), [](const Contract& c) { return c.entry; }))
    Callers(ctx).learn();
}

}  // namespace reckon::analysis
