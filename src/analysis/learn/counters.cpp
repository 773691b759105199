// Primitives: functions whose body is where a count is kept.
//
// The problem: what a spec says of `get` and `put` is true because their bodies add to a number, or call the same for a
// part of the object that has the number. Judged by the engine such a body changes no count at all, so it would seem to
// break its contract. The method looks at the model alone. A body is a primitive if it writes to the field that a
// `counted` line names, or to the top of the protection stack; or if its spec changes a count of a parameter, and the
// body adds to a member of that object, hands one to assembly, or counts a part of it; or if it leaves the object alone
// and counts what a member points to, or hands the object to a function behind a pointer. Functions that it calls and
// that no spec describes are looked into.
//
// Limits: a counter behind two pointers is not found, unless a `counted` line names it.

#include "analysis/learn/counters.h"

#include <algorithm>

#include "program/types.h"
#include "support/limits.h"

namespace reckon::analysis {

using model::kNone;
using program::ArgumentNote;
using program::CallNote;

namespace {

// Does the spec change a count of the object that this parameter points to, or take a reference to it over?
bool counts_param(const specs::FunctionSpec& spec, std::uint32_t param) {
  auto is_it = [&](const specs::Place& p) {
    return p.root == specs::Place::Root::Arg && p.index == param && p.path.empty() && p.field_path.empty();
  };
  return std::ranges::any_of(spec.outcomes, [&](const specs::Outcome& o) {
    return std::ranges::any_of(o.counts, [&](const auto& c) { return is_it(c.object); }) ||
           std::ranges::any_of(o.holds, [&](const auto& h) { return h.steals && is_it(h.object); });
  });
}

}  // namespace

bool Counters::is_counter(program::UnitId u, program::FieldId field) const {
  const model::Unit& unit = ctx_.program.frame_at(u);
  const model::FieldName& name = ctx_.program.member(u, field);
  auto counter = [&](std::string_view record, std::string_view path) {
    const specs::CountedType* c = ctx_.specs.find_counted(record);
    return c && !c->count_field.empty() && c->count_field == path;
  };
  if (counter(unit.str(unit.type(name.record).name), unit.str(name.path))) return true;
  const auto steps = program::steps_of_path(unit, name.record, unit.str(name.path));
  return !steps.empty() && steps.back().is_field() &&
         counter(program::record_name(unit, steps.back()), unit.str(steps.back().field));
}

bool Counters::is_stack_top(program::UnitId u, model::SymId variable) const {
  const auto& domains = ctx_.specs.domains();
  return ctx_.unit_domain[u] < domains.size() && !domains[ctx_.unit_domain[u]].stack_top.empty() &&
         ctx_.program.frame_at(u).name(variable) == domains[ctx_.unit_domain[u]].stack_top;
}

bool Counters::writes_counter(FuncId f, int fuel) {
  if (const auto known = writes_.find(f); known != writes_.end()) return known->second;
  writes_[f] = false;  // a recursion adds nothing
  const program::UnitId u = ctx_.program.unit_id(f);
  const program::FunctionNotes& notes = ctx_.program.notes(f);
  auto calls_writer = [&](const CallNote& call) {
    if (fuel == 0 || call.callee == kNone) return false;
    // A spec that tells what becomes of counts is all there is to know; one that sets a counter tells nothing.
    const specs::FunctionSpec* spec = ctx_.spec_of[u][call.callee];
    if (spec && program::changes_counts(*spec)) return false;
    const FuncId callee = ctx_.program.definition(u, call.callee);
    return callee != program::kNone && ctx_.program.head(callee).from_header && writes_counter(callee, fuel - 1);
  };
  return writes_[f] =
             std::ranges::any_of(notes.written_globals, [&](model::SymId s) { return is_stack_top(u, s); }) ||
             std::ranges::any_of(notes.written, [&](program::FieldId member) { return is_counter(u, member); }) ||
             std::ranges::any_of(notes.calls, calls_writer);
}

// Does `f` keep a count in the object that its parameter points to?
bool Counters::counts_part_of(FuncId f, std::uint32_t param, int fuel) {
  const auto key = std::pair(f, param);
  if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
  counts_[key] = false;
  const program::UnitId u = ctx_.program.unit_id(f);
  const program::FunctionNotes& notes = ctx_.program.notes(f);
  bool itself = false, by_part = param < 32 && (notes.adds_to >> param & 1) != 0, through = false;
  for (const CallNote& call : notes.calls) {
    const bool named = call.callee != kNone;
    const specs::FunctionSpec* spec = named ? ctx_.spec_of[u][call.callee] : nullptr;
    const FuncId callee = named && !spec ? ctx_.program.definition(u, call.callee) : FuncId{program::kNone};
    for (std::uint32_t a = 0; a < call.arguments.size(); ++a) {
      const ArgumentNote& from = call.arguments[a];
      if (from.root != param) continue;
      const bool counts = spec && counts_param(*spec, a);
      itself = itself || (counts && !from.root_member && !from.root_read);
      through = through || (counts && from.root_read) || (!named && !from.root_read);
      by_part = by_part || (!from.root_read && (call.assembly || (counts && from.root_member)));
      if (callee != program::kNone && fuel > 0 && !from.root_read)
        by_part = by_part || counts_part_of(callee, a, fuel - 1);
    }
  }
  const bool found = by_part || (through && !itself);
  return counts_[key] = found;
}

bool Counters::primitive(FuncId f, const specs::FunctionSpec& spec) {
  constexpr int kFuel = support::kLimits.program.counter_calls;
  if (writes_counter(f, kFuel)) return true;
  for (std::uint32_t p = 0; p < ctx_.program.declared(f).params.size(); ++p)
    if (counts_param(spec, p) && counts_part_of(f, p, kFuel)) return true;
  return false;
}

}  // namespace reckon::analysis
