// Objects whose last pointer is gone, and the last reference given to a helper that ends and then looks at it.

#include <algorithm>

#include "engine/core/trail.h"
#include "engine/properties/references/overwritten.h"
#include "engine/properties/references/references.h"
#include "engine/properties/references/seldom_lost.h"
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
  // But where another end is reached without a failure, that one is to be told: here it takes a failure, too.
  auto nothing_failed_until = [&](PathId last) {
    while (last != kNone && last != lost.path && !path_[last].failure) last = path_[last].parent;
    return last == lost.path;
  };
  auto told_there = [&](const Exit& e) {
    const auto& all = e.state.lost;
    return std::any_of(all.begin(), all.end(), [&](const State::Lost& l) {
      return l.object.term == o.term && l.path == lost.path && nothing_failed_until(e.state.path);
    });
  };
  if (at == exit && (nothing_failed_until(s.path) || std::any_of(exits_.begin(), exits_.end(), told_there)))
    then.path = s.path;
  then.oom = lost.oom;
  then.failed = lost.failed;
  Event* e = trail_.emit(EventKind::Leak, then, &o, at);
  if (e && overwritten) e->get<LeakFacts>().reason = LeakFacts::Reason::Overwritten;
  if (e)
    e->doubtful = kept_as_a_rule(ctx_, id_, o) || read_before(ctx_, id_, o) ||
                  held_from_set_up(ctx_, id_, terms_, s, o, lost.failed, exits_);
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

namespace {
constexpr std::uint32_t kParameters = 32;  // how many can be told by bits

// The parameter that the term is, if callers can be told of it by a bit.
std::optional<std::uint32_t> parameter(const TermArena& terms, TermId t) {
  const Term& term = terms[t];
  return term.kind == TermKind::Param && term.a < kParameters ? std::optional(term.a) : std::nullopt;
}

// Does some outcome give up a reference to the argument?
bool gives_up_parameter(const Summary& callee, std::uint32_t argument) {
  const specs::Place place{.index = argument};
  return std::any_of(callee.outcomes.begin(), callee.outcomes.end(), [&](const specs::Outcome& o) {
    return std::any_of(o.counts.begin(), o.counts.end(),
                       [&](const specs::CountChange& c) { return c.delta < 0 && c.kind.empty() && c.object == place; });
  });
}

// A parameter, or the part that what it points to lives by.
bool given_up(const TermArena& terms, const Obj& o) {
  const bool of_parameter =
      o.kind == ObjKind::Param || (terms[o.term].kind == TermKind::Offset && parameter(terms, terms.root(o.term)));
  return of_parameter && o.owned < 0 && !o.escaped && o.holders.empty();
}
}  // namespace

// A parameter is looked at: which of them, itself included, have been given up before? It may live by one of those.
void References::looked_at_late(State& s, TermId t) {
  auto used = parameter(terms_, t);
  // What is lent by a parameter, or points into it, lives by that.
  if (const Obj* x = used ? nullptr : s.object(t);
      x && x->owner != kNoTerm && x->owned == 0 && !x->escaped && x->holders.empty())
    used = parameter(terms_, x->owner);
  if (!used) return;
  for (Obj& o : s.objects)
    if (given_up(terms_, o)) o.late_uses |= 1u << *used;
}

// Parameters that are given up, with those that every way which does so looks at after that. A way on which a parameter
// is NULL need not look at it.
std::vector<LateUse> References::late_uses() const {
  std::vector<LateUse> all;
  for (const Exit& e : exits_)
    for (const Obj& o : e.state.objects) {
      const auto p = parameter(terms_, terms_.root(o.term));
      if (!p || o.owned >= 0) continue;
      std::uint32_t used = o.late_uses;
      for (std::uint32_t a = 0; a < fn_.params.size() && a < kParameters; ++a)
        if (const TermId t = terms_.find_param(a); t != kNoTerm && e.state.facts.known_zero(terms_, t)) used |= 1u << a;
      const auto known = std::find_if(all.begin(), all.end(), [&](const LateUse& u) { return u.given_up == *p; });
      if (known == all.end())
        all.push_back({*p, used});
      else
        known->used &= used;
    }
  std::erase_if(all, [](const LateUse& u) { return u.used == 0; });
  std::sort(all.begin(), all.end(), [](const LateUse& a, const LateUse& b) { return a.given_up < b.given_up; });
  return all;
}

// The record of an object, or of the part that it lives by.
Obj* References::lives_by(State& s, TermId t) const {
  if (Obj* o = s.object(t)) return o;
  const auto part = std::find_if(s.objects.begin(), s.objects.end(), [&](const Obj& o) {
    return o.term != t && subject_.embedded(o.term) && terms_.root(o.term) == t;
  });
  return part == s.objects.end() ? nullptr : &*part;
}

// Was the last reference given to a helper that ends it and then looks at the object, or at what lives by it?
void References::used_by_callee(State& s, InstrId index, FuncId f, const std::vector<TermId>& args) {
  const std::vector<LateUse>& all = ctx_.summaries[f].late_uses;
  if (all.empty()) return;
  const std::string callee = trail_.callee_name(body_.instrs[index]);
  for (const LateUse& late : all)
    for (std::uint32_t a = 0; a < args.size() && a < kParameters; ++a) {
      if (!(late.used >> a & 1) || late.given_up >= args.size()) continue;
      Obj* o = lives_by(s, args[late.given_up]);
      if (!o || o->escaped) continue;
      if (const auto used = parameter(terms_, args[a]); used && given_up(terms_, *o)) o->late_uses |= 1u << *used;
      if (o->life != Life::Released || o->released != index) continue;
      // What the callee gives up as well may have been looked at before that.
      if (a == late.given_up)
        use(s, o->term, index, callee);
      else if (!gives_up_parameter(ctx_.summaries[f], a))
        use(s, terms_.root(args[a]), index, callee);
    }
}

}  // namespace reckon::engine
