// What a state may let go of: objects that nothing reaches any more, and objects of earlier rounds of a loop.

#include <algorithm>

#include "engine/core/loop.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/symbol_sets.h"
#include "engine/core/trail.h"
#include "engine/properties/references/references.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;

namespace {
constexpr std::size_t kCoarsenAbove = support::kLimits.looks.coarsen_above;
}  // namespace

void References::forget(State& s, const Pruning& pruning) {
  // What turned out to be NULL is no object.
  std::erase_if(s.objects, [&](const Obj& o) { return s.facts.known_zero(terms_, terms_.root(o.term)); });
  give_up_with_memory(s, pruning);
  // Objects: what is owned and can no longer be reached is lost.
  for (Obj& o : s.objects) {
    if (o.owned <= 0 || o.escaped || (o.kind != ObjKind::New && o.kind != ObjKind::Borrowed) ||
        pruning.mentioned.has(terms_.root(o.term)))
      continue;
    if (o.immortal) {
      trail_.silence(o, Silence::NeverDies);
      continue;
    }
    lose(s, o);
    o.escaped.because(Silence::Reported);
  }
  keep_mentioned(s, pruning.mentioned);
}

void References::give_up_with_memory(State& s, const Pruning& pruning) {
  // What callers know: an argument, and in C++ what an owner of theirs holds, which a container may have taken.
  auto lent = [&](TermId value) {
    const Term& x = terms_[value];
    if (x.kind == TermKind::Param) return x.a < fn_.params.size() && subject_.counted(fn_.params[x.a].type);
    return manner_.counts_objects && held_by_caller(terms_, unit_, value);
  };
  // Memory that goes takes the references stored in it along: whoever destroys the holder releases them.
  for (std::size_t i = 0; i < s.memory.size(); ++i) {
    if (pruning.stays[i] || terms_[terms_.root(s.memory[i].base)].kind == TermKind::Slot) continue;
    const TermId value = subject_.untagged(s.memory[i].value);
    Obj* o = s.object(value);
    if (o && o->owned > 0) {
      if (--o->owned == 0 && (o->kind == ObjKind::New || subject_.given(o->term)))
        trail_.silence(*o, Silence::MemoryGone);
    } else if (lent(value)) {
      // Remembered where nobody here can see it: its reference may have gone along.
      if (Obj* x = obj(s, value, kNone)) trail_.silence(*x, Silence::Remembered);
    }
  }
}

void References::keep_mentioned(State& s, Mentioned& m) {
  auto keep_object = [&](const Obj& o) {
    if (o.escaped && o.singleton) return true;  // something was found to be it: its counts are not only ours to judge
    if (o.escaped && (o.kind == ObjKind::Param ||
                      (o.kind == ObjKind::Loaded && (o.handed || held_by_caller(terms_, unit_, o.term)))))
      return true;  // callers have to know
    // So they do of what stood in their memory and went elsewhere, as the head of a list that has a new one.
    if (o.kind == ObjKind::Loaded && o.escaped && o.escaped.why() == Silence::KeptByCallee &&
        terms_[terms_.owner_root(o.term)].kind == TermKind::Param)
      return true;
    if (o.kind == ObjKind::Param && o.handed && subject_.fails_by_errno(o.domain))
      return true;  // whoever got it may have taken it over
    if (o.kind == ObjKind::Param || o.kind == ObjKind::Loaded || o.kind == ObjKind::Global)
      return o.owned != 0 || m.has(terms_.root(o.term));
    return m.has(terms_.root(o.term));
  };
  std::vector<char> keep(s.objects.size(), 0);
  for (std::size_t i = 0; i < s.objects.size(); ++i) keep[i] = keep_object(s.objects[i]);
  for (std::size_t i = 0; i < s.objects.size(); ++i) {
    if (!keep[i]) continue;
    auto keep_term = [&](TermId t) {
      for (std::size_t j = 0; j < s.objects.size(); ++j)
        if (s.objects[j].term == t) keep[j] = 1;
    };
    if (s.objects[i].owner != kNoTerm) keep_term(s.objects[i].owner);
    for (TermId h : s.objects[i].holders) keep_term(h);
  }
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.objects.size(); ++i)
    if (keep[i]) {
      m.add(s.objects[i].term);
      if (n != i) s.objects[n] = std::move(s.objects[i]);
      ++n;
    }
  s.objects.resize(n);
}

// A loop that keeps making states (one more object in an array, one more node of a list released) gets them joined by
// letting go of the objects that no variable names any more.
void References::widen(State& s, std::span<const State>) {
  if (!manner_.counts_objects) return;
  auto named = [&](TermId t) {
    return std::any_of(s.values.begin(), s.values.end(), [&](const auto& e) { return terms_.root(e.second) == t; });
  };
  // Members of arguments are not made by the loop, unless it walks over ever more of them.
  auto is_member = [&](const Obj& o) {
    return o.kind == ObjKind::Loaded && terms_[o.term].kind == TermKind::Initial &&
           terms_[terms_[o.term].left()].kind == TermKind::Param;
  };
  const bool walks =
      std::count_if(s.objects.begin(), s.objects.end(), is_member) > static_cast<std::ptrdiff_t>(2 * kCoarsenAbove);
  loop_.walks_members_ |= walks;
  auto member = [&](const Obj& o) { return !walks && is_member(o); };
  for (Obj& o : s.objects)
    if (!named(o.term) && o.kind != ObjKind::Param && !member(o)) trail_.silence(o, Silence::LoopMakesMore);
  for (Obj& o : s.objects)
    if (o.owned > 1 || o.owned < -1) trail_.silence(o, Silence::LoopCounts);
  // Those that still have a name stay, so that nothing is said about them.
  std::erase_if(s.objects, [&](const Obj& o) { return o.escaped && o.kind != ObjKind::Param && !named(o.term); });
}

}  // namespace reckon::engine
