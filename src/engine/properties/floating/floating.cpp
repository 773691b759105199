// The problem: an object of some types is born with one reference that belongs to nobody yet. The first who sinks it
// has it from then on; whoever sinks it after that takes a reference of its own. So the same call takes a reference
// over or leaves it, and only the object knows which.
//
// The method: a reference that floats counts as one of this function's, which has to see that somebody sinks it, and
// the state remembers that it floats. `sinks P` takes that reference over where it floats and does nothing where it
// does not; to take one and keep it is `sinks P` and `P+1`. A function that sinks its argument says so to its callers,
// who know whether it floats.
//
// Limits: nothing says whether an argument floats, so within the function that gets it it does not. Code of which
// nothing is known, and functions with `may-sink`, may have sunk what they get: nothing more is reported about that.

#include "engine/properties/floating/floating.h"

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/references.h"

namespace reckon::engine {

namespace rows = specs::effect_rows;

// The reference goes to whoever sinks it. `taken_by_caller`: the same outcome counts one up for us.
void Floating::sink(State& s, TermId t, bool taken_by_caller, InstrId instr) {
  s.unset_floating(t);
  Obj* x = s.object(t);
  if (!x || x->escaped) return;
  if (taken_by_caller)
    --x->owned;
  else
    props().references->steal(s, t, std::nullopt, instr, false);
}

void Floating::let_go(State& s, TermId t, InstrId instr) {
  if (!s.floats(t)) return;
  s.unset_floating(t);
  if (Obj* x = s.object(t)) trail_.silence(*x, Silence::MaySink, instr);
}

// Comes before what references do, so that what was sunk is an ordinary reference by then.
void Floating::effects(State& s, const Applying& call) {
  const specs::Outcome& o = *call.outcome;
  auto place = [&](const specs::Place& p) { return calls_.place(s, p, *call.args, call.index, kNoTerm); };
  auto counted = [&](const specs::Place& p, bool up) {
    return std::any_of(o.counts.begin(), o.counts.end(), [&](const specs::CountChange& c) {
      return c.object == p && c.kind.empty() && (c.delta > 0) == up;
    });
  };
  for (const specs::Place& p : o.sinks)
    if (const auto t = place(p)) {
      if (s.floats(*t))
        sink(s, *t, counted(p, true), call.index);
      else
        s.note_deed(terms_, {rows::sinks, *t});
    }
  for (const specs::Place& p : o.unfloats)
    if (const auto t = place(p)) {
      s.unset_floating(*t);
      s.note_deed(terms_, {rows::unfloats, *t});
    }
  for (const specs::Place& p : o.may_sink)
    if (const auto t = place(p)) {
      let_go(s, *t, call.index);
      s.note_deed(terms_, {rows::may_sink, *t});
    }
  // What floats itself may be made of its further arguments, and sink them: a format says so.
  for (std::size_t a = call.spec ? call.spec->params.size() : call.args->size();
       a < call.args->size() && !o.floats.empty(); ++a) {
    let_go(s, (*call.args)[a], call.index);
    if (terms_[(*call.args)[a]].kind == TermKind::Param) s.note_deed(terms_, {rows::may_sink, (*call.args)[a]});
  }
  if (s.floating.empty()) return;
  // What a local array or struct holds may be sunk by whoever gets its address.
  if (call.spec)
    for (TermId a : *call.args)
      for (const Cell& c : s.memory)
        if (terms_[a].kind == TermKind::Slot && c.base == a) let_go(s, c.value, call.index);
  for (const specs::CountChange& c : o.counts) {
    if (c.delta >= 0 || !c.kind.empty() || on_result(c.object)) continue;
    const auto t = place(c.object);
    if (!t || !s.floats(*t)) continue;
    s.unset_floating(*t);
    if (const Obj* x = s.object(*t); x && !x->escaped && x->owned == 1)
      trail_.emit(EventKind::FloatingReleased, s, x, call.index, call.callee);
  }
}

void Floating::finish(State& s, const Applying& call, TermId result) {
  for (const specs::Place& p : call.outcome->floats)
    if (const auto t = calls_.place(s, p, *call.args, call.index, result))
      if (const Obj* x = s.object(*t); x && x->owned > 0) s.set_floating(*t);
  // What further arguments are for nobody has said: values that are packed are sunk, those that are printed are not.
  if (!call.spec || !call.spec->variadic) return;
  for (std::size_t a = call.spec->params.size(); a < call.args->size(); ++a) let_go(s, (*call.args)[a], call.index);
}

void Floating::unknown(State& s, const Call& call, const model::Type*) {
  for (TermId t : call.args) let_go(s, t, call.index);
}

void Floating::sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const {
  for (const auto& [t, number] : known)
    if (e.state.floats(t)) o.floats.push_back({.root = specs::Place::Root::Object, .index = number});
}

}  // namespace reckon::engine
