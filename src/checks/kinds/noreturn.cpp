// noreturn: functions that never return, and do not say so.
//
// The problem: a wrapper around an error function that is not declared `noreturn` makes compilers and tools see paths
// behind its calls that do not exist. The method: a block returns if it ends in a return, or leads to a block that
// does, and calls nothing that never returns; a function whose first block does not return never returns. This is
// repeated over the call graph until nothing changes.
//
// Limits: calls through pointers are taken to return. Functions that loop for ever count as never returning, too.
// Reported only in domains whose specs ask for the protection of objects, where such wrappers decide about balance.

#include <algorithm>

#include <fmt/core.h>

#include "checks/kinds.h"
#include "checks/static_checks.h"

namespace reckon::checks {

namespace {

class NoReturn {
 public:
  explicit NoReturn(const engine::Context& ctx) : ctx_(ctx), never_(ctx.program.num_functions(), false) {}

  void run(std::vector<report::Finding>& out) {
    const auto& domains = ctx_.specs.domains();
    if (std::none_of(ctx_.unit_domain.begin(), ctx_.unit_domain.end(),
                     [&](specs::DomainId d) { return d < domains.size() && domains[d].reports_protection; }))
      return;
    for (bool again = true; again;) {
      again = false;
      for (const auto& component : ctx_.program.components())
        for (const program::FuncId f : component) {
          if (!never_[f] && !returns(f)) never_[f] = again = true;
          ctx_.program.rest();
        }
    }
    for (program::FuncId f{}; f < never_.size(); ++f)
      if (never_[f] && reported(f)) add(f, out);
  }

 private:
  static bool marked(const model::Unit& unit, const model::Symbol& symbol) {
    for (const model::Attribute& a : symbol.attributes)
      if (unit.str(a.name) == "noreturn" || unit.str(a.name) == "analyzer_noreturn") return true;
    return false;
  }

  bool call_returns(program::UnitId u, model::SymId callee) const {
    if (callee == model::kNone) return true;
    const model::Unit& unit = ctx_.program.frame_at(u);
    if (marked(unit, unit.symbols[callee])) return false;
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][callee]; spec && !spec->outcomes.empty()) {
      bool some = false;
      for (const specs::Outcome& o : spec->outcomes) some = some || !o.never_returns;
      return some;
    }
    const program::FuncId f = ctx_.program.definition(u, callee);
    return f == program::kNone || !never_[f];
  }

  bool returns(program::FuncId f) const {
    const program::FunctionNotes& notes = ctx_.program.notes(f);
    if (notes.flow.empty()) return true;
    const program::UnitId u = ctx_.program.unit_id(f);
    std::vector<char> seen(notes.flow.size(), 0);
    std::vector<std::uint32_t> todo{0};
    seen[0] = 1;
    while (!todo.empty()) {
      const program::FlowNote& step = notes.flow[todo.back()];
      todo.pop_back();
      const auto first = notes.calls.begin() + step.first_call;
      if (!std::all_of(first, first + step.calls,
                       [&](const program::CallNote& call) { return call_returns(u, call.callee); }))
        continue;
      if (step.returns) return true;
      for (const std::uint32_t next : step.next)
        if (!seen[next]) seen[next] = 1, todo.push_back(next);
    }
    return false;
  }

  bool reported(program::FuncId f) const {
    const program::UnitId u = ctx_.program.unit_id(f);
    if (!ctx_.unit_concerned[u] || ctx_.program.head(f).from_header || ctx_.known_by_spec(f)) return false;
    const specs::DomainSpec& domain = ctx_.specs.domains()[ctx_.unit_domain[u]];
    const model::Unit& unit = ctx_.program.frame(f);
    const model::Symbol& symbol = unit.symbols[ctx_.program.declared(f).symbol];
    return domain.reports_protection && !marked(unit, symbol) && unit.str(symbol.name) != "main";
  }

  void add(program::FuncId f, std::vector<report::Finding>& out) const {
    report::Finding finding;
    const model::Unit& unit = ctx_.program.frame(f);
    finding.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(f)]].name, check_noreturn);
    finding.message = fmt::format("{}() never returns and is not marked `noreturn`", ctx_.program.display(f));
    finding.severity = report::Severity::Note;
    finding.confidence = report::Confidence::High;
    finding.function = ctx_.program.display(f);
    finding.loc = source_loc(unit, ctx_.program.declared(f).loc);
    out.push_back(std::move(finding));
  }

  const engine::Context& ctx_;
  std::vector<char> never_;
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) { NoReturn(program.ctx).run(out); }

}  // namespace

constinit const Check check_noreturn{
    .kind = "noreturn",
    .summary = "a function never returns and is not marked so",
    .program = run,
    .on_request = true,
};

}  // namespace reckon::checks
