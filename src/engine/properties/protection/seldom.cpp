// What is made or collected only seldom: for a kind of argument that nobody has shown, or in the first call of all.
// Findings that rest on it are of low confidence.

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/properties/protection/collector.h"

namespace reckon::engine {

using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;

// Making a symbol of a constant text allocates when the program comes here for the first time, and mostly the symbol
// was there before.
bool Collector::makes_constant_symbol(InstrId instr) const {
  const auto ops = body_.ops(body_.instrs[instr]);
  if (ops.size() < 2 || ops[0].kind != OperandKind::Symbol || ops[1].kind != OperandKind::Symbol) return false;
  const FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
  return spec && spec->interns && unit_.symbols[ops[1].id].is_constant;
}

// Does the alternative hold only for arguments of particular kinds ("a pairlist"), while nothing on the way here says
// what kind the argument is? What is made then is seldom made, and what is collected then seldom collected.
bool Collector::assumes_kind(State& s, InstrId instr, const Outcome& o, const std::vector<TermId>& args) {
  if (!o.allocates && std::none_of(o.objects.begin(), o.objects.end(), [](const specs::Object& x) { return x.owned; }))
    return false;
  auto bounds = [&](const Place& p, bool from_above) {
    return std::any_of(o.when.begin(), o.when.end(), [&](const specs::Condition& c) {
      using specs::Pred;
      return c.place == p && !c.known && !c.other &&
             (c.pred == Pred::Eq ||
              (from_above ? c.pred == Pred::Lt || c.pred == Pred::Le : c.pred == Pred::Gt || c.pred == Pred::Ge));
    });
  };
  // What every alternative that comes back asks for is a rule, and kept.
  const model::Operand callee = body_.ops(body_.instrs[instr])[0];
  const FunctionSpec* spec = callee.kind == OperandKind::Symbol ? ctx_.spec_of[unit_id_][callee.id] : nullptr;
  auto rule = [&](const specs::Condition& c) {
    return !spec || std::all_of(spec->outcomes.begin(), spec->outcomes.end(), [&](const Outcome& x) {
      return x.never_returns || std::find(x.when.begin(), x.when.end(), c) != x.when.end();
    });
  };
  for (const specs::Condition& c : o.when) {
    if (c.known || c.other || c.place.root != Place::Root::Arg || c.place.path.size() != 1 || rule(c)) continue;
    if (specs::property_name(c.place.path[0]).empty() || !bounds(c.place, true) || !bounds(c.place, false)) continue;
    const auto t = calls_.place(s, c.place, args, instr, kNoTerm);
    if (!t || terms_.is_const(*t)) continue;
    const Range anything = Facts().range(terms_, *t), known = s.facts.range(terms_, *t);
    if (known.lo == anything.lo || known.hi == anything.hi) return true;
  }
  return false;
}

}  // namespace reckon::engine
