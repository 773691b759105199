// Objects whose last pointer is gone, and the last reference given to a helper that ends and then looks at it.

#include <algorithm>

#include "engine/core/trail.h"
#include "engine/properties/references/overwritten.h"
#include "engine/properties/references/references.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;

// Where the leak of an object that nobody names any more is shown: where the variable that held it was given another
// value; at the end of the function if it just went out of scope; a temporary at the last thing that was done with it.
void References::emit_lost(const State& s, const State::Lost& lost, InstrId exit) {
  const Obj& o = lost.object;
  const bool named = name_of_result(body_, o.origin) != 0;
  InstrId at = exit != kNone && (named || o.touched == kNone) ? exit : o.touched;
  const bool made_again = exit == kNone || (terms_[o.term].kind == TermKind::Fresh && terms_[o.term].b == 1);
  if (made_again && named) at = o.origin;  // in the next round of a loop
  if (const InstrId over = made_again ? kNone : overwritten_at(body_, path_, o, lost.path, s.path); over != kNone)
    at = over;
  const bool overwritten = at != exit && named;
  if (overwritten && already_reported(result_.events, at, o)) return;
  State then = s;
  then.path = lost.path;
  // The way from there to the end belongs to it, unless something failed on it that has nothing to do with the loss.
  PathId n = s.path;
  while (n != kNone && n != lost.path && !path_[n].failure) n = path_[n].parent;
  if (at == exit && n == lost.path) then.path = s.path;
  then.oom = lost.oom;
  then.failed = lost.failed;
  if (Event* e = trail_.emit(EventKind::Leak, then, &o, at); e && overwritten)
    e->get<LeakFacts>().reason = LeakFacts::Reason::Overwritten;
}

// The last pointer to an owned object is gone.
void References::lose(State& s, const Obj& o) {
  constexpr std::size_t kMaxLost = support::kLimits.objects.lost;
  const State::Lost now{o, s.path, s.oom, s.failed};
  for (State::Lost& l : s.lost)
    if (l.object.term == o.term) {
      if (now.rank() < l.rank()) l = now;
      return;
    }
  if (s.lost.size() < kMaxLost) s.lost.push_back(now);
}

// Parameters that every way which gives them up looks at again.
std::uint32_t References::uses_after_release() const {
  std::uint32_t used = 0, only_given_up = 0;
  for (const Exit& e : exits_)
    for (const Obj& o : e.state.objects)
      if (const Term& t = terms_[o.term]; t.kind == TermKind::Param && t.a < 32 && o.owned < 0)
        (o.used_after_release ? used : only_given_up) |= 1u << t.a;
  return used & ~only_given_up;
}

// Was the last reference given to a helper that ends it and then looks at the object?
void References::used_by_callee(State& s, InstrId index, FuncId f, const std::vector<TermId>& args) {
  const std::uint32_t uses = ctx_.summaries[f].uses_after_release;
  for (std::size_t a = 0; uses != 0 && a < args.size() && a < 32; ++a) {
    Obj* o = uses >> a & 1 ? s.object(args[a]) : nullptr;
    if (!o || o->escaped || o->life != Life::Released || o->released != index) continue;
    trail_.emit(EventKind::UseAfterRelease, s, o, index, trail_.callee_name(body_.instrs[index]));
    o->escaped.because(Silence::Reported);
  }
}

}  // namespace reckon::engine
