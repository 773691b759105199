// When functions run: while something is set up, while it is given up, or in between.
//
// A function with a contract runs when that says (`at-init`, `at-teardown`), and so does one whose name a line `slot
// void.NAME CONTRACT` gives. A function that is called directly, and only from functions of one phase, is of that
// phase.
//
// Limits: what is called by way of an unknown pointer, and functions that call each other, count as running in between.

#include "analysis/learn/learn.h"

#include <algorithm>

namespace reckon::analysis {

namespace {

using engine::Phase;

Phase phase_of(const specs::ContractFlags& contract) {
  return contract.at_init ? Phase::Init : contract.at_teardown ? Phase::Teardown : Phase::Run;
}

// A function whose callers out of sight are known, or may exist.
bool called_from_outside(const Context& ctx, FuncId f) {
  return ctx.contracts[f].given || !ctx.program.roles(f).empty() || ctx.program.callers(f).empty() ||
         ctx.program.frame(f).symbols[ctx.program.head(f).symbol].address_taken;
}

}  // namespace

void learn_phases(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.phases.assign(program.num_functions(), Phase::Run);
  std::vector<FuncId> news;
  std::vector<char> outside(program.num_functions());
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    outside[f] = called_from_outside(ctx, f);
    const specs::SlotSpec* by_name = ctx.contracts[f].given ? nullptr : ctx.specs.find_slot("void", program.name(f));
    const specs::ContractSpec* contract = by_name ? ctx.specs.find_contract(by_name->contract) : nullptr;
    ctx.phases[f] = contract ? phase_of(*contract) : phase_of(ctx.contracts[f]);
    if (ctx.phases[f] != Phase::Run) news.push_back(f);
  }
  while (!news.empty()) {
    const Phase phase = ctx.phases[news.back()];
    const auto callees = program.callees(news.back());
    news.pop_back();
    for (const FuncId f : callees) {
      const auto callers = program.callers(f);
      if (outside[f] || ctx.phases[f] != Phase::Run ||
          !std::all_of(callers.begin(), callers.end(), [&](FuncId c) { return c == f || ctx.phases[c] == phase; }))
        continue;
      ctx.phases[f] = phase;
      news.push_back(f);
    }
  }
}

}  // namespace reckon::analysis
