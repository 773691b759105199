// A function out of sight gives an object, and nobody says whether a reference comes with it.
//
// The function at hand may tell: if it releases the object on one way, without a reference that it took there, the
// object came with one, whoever made it. So a failing end that has it, and neither releases it nor leaves it anywhere,
// leaks it.
//
// Limits: only domains where unknown functions give new references as a rule (`unknown-result new`), and objects that
// were found not to be NULL. If an end that succeeds drops the object as well, a flag may say whether it is owned, and
// nothing is reported.

#include "engine/properties/references/unknown_results.h"

#include <algorithm>

#include "engine/core/failing.h"
#include "engine/core/subject.h"
#include "engine/core/symbol_sets.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/references.h"
#include "engine/properties/references/seldom_lost.h"

namespace reckon::engine {

using model::kNone;

// Was it given by a call, and is it neither given on nor judged otherwise?
bool UnknownResults::nobody_says(const State& s, const Obj& o) const {
  return o.kind == ObjKind::Unknown && o.owned == 0 && !o.escaped && !o.stolen && o.origin != kNone &&
         body_.instrs[o.origin].op == model::Op::Call && terms_[o.term].kind == TermKind::Fresh &&
         subject_.counted(body_.instrs[o.origin].type) &&
         ctx_.specs.domains()[o.domain].unknown_result == specs::UnknownResult::New &&
         s.facts.known_nonzero(terms_, o.term);
}

void UnknownResults::releasing(State& s, TermId t) {
  const Obj* o = s.object(t);
  if (o && o->kind == ObjKind::Unknown && o->owned == 0 && !o->escaped && !o->stolen && o->origin != kNone)
    given_back_.emplace(o->origin, s.path);
}

// The last pointer to it is gone.
void UnknownResults::forget(State& s, const Pruning& pruning) {
  for (const Obj& o : s.objects) {
    if (!nobody_says(s, o) || pruning.mentioned.has(terms_.root(o.term))) continue;
    const bool stored = std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
      return c.value == o.term && terms_[terms_.root(c.base)].kind != TermKind::Slot;
    });
    if (!stored) props().references->lose(s, o);
  }
}

// Does this end say that the function failed?
bool UnknownResults::fails(const Exit& e) const {
  return failing(terms_, e.state, e.result, unit_.type(fn_.result).kind).sure || e.state.exception == ExcState::Set;
}

std::vector<Obj> UnknownResults::dropped_at(const Exit& e) const {
  std::vector<Obj> out;
  for (const ReferencesPart::Lost& l : e.state.lost)
    if (l.object.kind == ObjKind::Unknown) out.push_back(l.object);
  for (const Obj& o : e.state.objects)
    if (nobody_says(e.state, o) && o.term != e.result && props().references->stored_change(e.state, o) <= 0)
      out.push_back(o);
  return out;
}

void UnknownResults::all_exits() {
  if (given_back_.empty()) return;
  std::vector<InstrId> doubtful;  // of those an end that succeeds drops one
  for (const Exit& e : exits_)
    if (!e.by_exception && !fails(e))
      for (const Obj& o : dropped_at(e)) doubtful.push_back(o.origin);
  for (const Exit& e : exits_) {
    if (e.by_exception || !fails(e)) continue;
    for (const Obj& o : dropped_at(e)) {
      const auto other = given_back_.find(o.origin);
      if (other == given_back_.end()) continue;
      if (std::find(doubtful.begin(), doubtful.end(), o.origin) != doubtful.end()) {
        trail_.silent(Silence::UnknownOrigin, o.term, e.instr);
        continue;
      }
      if (Event* event = trail_.emit(EventKind::Leak, e.state, &o, e.instr)) {
        event->get<LeakFacts>().reason = LeakFacts::Reason::GivenBackElsewhere;
        event->doubtful = kept_as_a_rule(ctx_, id_, o);
      }
    }
  }
}

}  // namespace reckon::engine
