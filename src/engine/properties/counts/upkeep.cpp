// Counts that a state lets go of: those of elements that came and went in a loop that keeps making states, of what
// turned out to be NULL, and of what a callee with too many outcomes may have given back.

#include <algorithm>
#include <optional>

#include "engine/core/calls.h"
#include "engine/core/error_values.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/counts/counts.h"
#include "support/limits.h"

namespace reckon::engine {

namespace {
constexpr std::size_t kCoarsenAbove = support::kLimits.looks.coarsen_above;
}  // namespace

void Counts::widen(State& s, std::span<const State> seen) {
  // A count that is the same in all rounds does not grow, and none of the loop's elements has it.
  std::vector<Count> steady;
  for (const Count& c : s.counts)
    if (std::all_of(seen.begin(), seen.end(), [&](const State& o) { return o.count(c.object, c.kind) == c.delta; }))
      steady.push_back(c);
  std::erase_if(s.counts, [&](const Count& c) {
    return std::any_of(steady.begin(), steady.end(),
                       [&](const Count& x) { return x.object == c.object && x.kind == c.kind; });
  });
  if (manner_.counts_objects) let_go_of_elements(s);
  for (const Count& c : steady) s.change_count(c.object, c.kind, c.delta, c.touched);
}

void Counts::let_go_of_elements(State& s) {
  auto named = [&](TermId t) {
    return std::any_of(s.values.begin(), s.values.end(), [&](const auto& e) { return terms_.root(e.second) == t; });
  };
  // Counts on elements that came and went, likewise; a parameter's count that keeps growing is just "many".
  // What callers can name stays while it is not much.
  const bool few = s.counts.size() <= kCoarsenAbove;
  std::erase_if(s.counts, [&](const Count& c) {
    specs::Place p;
    const bool gone =
        terms_[c.object].kind != TermKind::Param && !named(c.object) && !(few && subject_.visible_place(c.object, p));
    if (gone) s.coarsened |= kind_bit(c.kind);
    return gone;
  });
  for (Count& c : s.counts)
    if (c.delta > 1 || c.delta < -1) c.delta = static_cast<std::int16_t>(c.delta > 0 ? kManyOwned : -kManyOwned);
}

// What a test found to be NULL, or an error pointer, has no count that anybody could give back.
void Counts::forget(State& s, const Pruning&) {
  std::erase_if(s.counts, [&](const Count& c) { return is_error_value(terms_, s.facts, terms_.root(c.object)); });
}

// A function with more outcomes than callers can be told may give back a count that one of those gives back: a remove
// function that the failing end of probe calls.
void Counts::program_call(State& s, const Call& call) {
  const model::Operand& callee = body_.ops(body_.instrs[call.index])[0];
  if (s.counts.empty() || callee.kind != model::OperandKind::Symbol) return;
  const FuncId f = ctx_.program.definition(unit_id_, callee.symbol_id());
  if (f == model::kNone || ctx_.summaries[f].known) return;
  std::optional<State> before;  // a copy is made only where something changes
  for (const specs::Outcome& o : ctx_.summaries[f].outcomes)
    for (const specs::CountChange& c : o.counts) {
      if (c.kind.empty() || c.delta >= 0) continue;
      const CountId kind = ctx_.count_id(c.kind);
      const auto object = calls_.place(s, c.object, call.args, call.index, kNoTerm);
      if (!object || s.count(*object, kind) <= 0) continue;
      if (!before) before = s;
      s.change_count(*object, kind, c.delta, call.index);
      s.coarsened |= kind_bit(kind);
    }
  if (before) trail_.note_changes(*before, s, call.index);
}

// A function out of sight that answers nothing, and gets the structure that a counter is part of, may be the one that
// gives the count back: the structure's own put.
void Counts::handed(State& s, const Call& call, std::size_t a, const model::Type*) {
  if (body_.instrs[call.index].result != model::kNone) return;
  for (const Count& c : s.counts)
    if (c.delta > 0 && c.object != call.args[a] && terms_.root(c.object) == call.args[a])
      s.coarsened |= kind_bit(c.kind);
}

}  // namespace reckon::engine
