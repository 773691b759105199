// When functions run: while something is set up, while it is given up, or in between.
//
// A function with a contract runs when that says (`at-init`, `at-teardown`), and so does one whose name a line `slot
// void.NAME CONTRACT` gives. A function that is called directly, and only from functions of one phase, is of that
// phase.
//
// A program may be one that is entered at some functions only (`only-entry`), as a module is that an interpreter loads.
// Files that these functions lead to, by what files name of each other, are the module; what was captured besides is
// not. Of what belongs to the same domain there, public functions are never called that nothing calls, puts into a
// table, hands out, or promises anything of.
//
// Limits: what is called by way of an unknown pointer, and functions that call each other, count as running in between.

#include "analysis/learn/learn.h"

#include <algorithm>
#include <set>

namespace reckon::analysis {

namespace {

using engine::Phase;

constexpr std::string_view kMain = "main";  // where C begins

Phase phase_of(const specs::ContractFlags& contract) {
  return contract.at_init ? Phase::Init : contract.at_teardown ? Phase::Teardown : Phase::Run;
}

// A function whose callers out of sight are known, or may exist.
bool called_from_outside(const Context& ctx, FuncId f) {
  return ctx.contracts[f].given || !ctx.program.roles(f).empty() || ctx.program.callers(f).empty() ||
         ctx.program.frame(f).symbols[ctx.program.head(f).symbol].address_taken;
}

// Units that these lead to, of the same domain: each defines something that another one names.
std::set<program::UnitId> module_of(const Context& ctx, std::vector<program::UnitId> open) {
  const program::Program& program = ctx.program;
  std::set<program::UnitId> out(open.begin(), open.end());
  while (!open.empty()) {
    const program::UnitId u = open.back();
    open.pop_back();
    const std::size_t symbols = program.frame_at(u).symbols.size();
    for (model::SymId s{}; s < symbols; ++s)
      if (const FuncId f = program.definition(u, s); f != program::kNone)
        if (const program::UnitId other = program.unit_id(f);
            ctx.unit_domain[other] == ctx.unit_domain[u] && out.insert(other).second)
          open.push_back(other);
    program.rest();
  }
  return out;
}

// Public functions of the units that nothing calls or hands out.
std::vector<FuncId> uncalled(const Context& ctx, const std::set<program::UnitId>& module) {
  const program::Program& program = ctx.program;
  std::vector<char> handed_out(program.num_functions());
  for (program::UnitId u{}; u < program.num_units(); ++u, program.rest()) {
    const auto& symbols = program.frame_at(u).symbols;
    for (model::SymId s{}; s < symbols.size(); ++s)
      if (const FuncId f = program.definition(u, s); f != program::kNone && symbols[s].address_taken) handed_out[f] = 1;
  }
  std::vector<FuncId> out;
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest())
    if (!handed_out[f] && program.callers(f).empty() && program.roles(f).empty() && !ctx.contracts[f].given &&
        module.contains(program.unit_id(f)) && program.frame(f).language == model::Language::C &&
        ctx.phases[f] == Phase::Run && program.name(f) != kMain)
      out.push_back(f);
  return out;
}

}  // namespace

void learn_phases(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.phases.assign(program.num_functions(), Phase::Run);
  std::vector<FuncId> news;
  std::vector<char> outside(program.num_functions());
  std::vector<program::UnitId> entered;  // units with a function that is the only way into their program
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    outside[f] = called_from_outside(ctx, f);
    const specs::SlotSpec* by_name = ctx.contracts[f].given ? nullptr : ctx.specs.find_slot("void", program.name(f));
    const specs::ContractSpec* contract = by_name ? ctx.specs.find_contract(by_name->contract) : nullptr;
    ctx.phases[f] = contract ? phase_of(*contract) : phase_of(ctx.contracts[f]);
    if (ctx.phases[f] != Phase::Run) news.push_back(f);
    if ((contract && contract->only_entry) || ctx.contracts[f].only_entry) entered.push_back(program.unit_id(f));
  }
  if (!entered.empty())
    for (const FuncId f : uncalled(ctx, module_of(ctx, entered))) {
      ctx.phases[f] = Phase::Uncalled;
      news.push_back(f);
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
