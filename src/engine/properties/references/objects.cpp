// Lifecycles: what acquiring, releasing, stealing and using do to an object's state (PyRefcon's state machine
// with counts), and when that is worth an event.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/hold_flags.h"
#include "engine/core/hooks.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/references/references.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;

namespace {
constexpr const char* kSomebody = "(somebody)";    // holds what was handed over out of sight
constexpr const char* kContainer = "(container)";  // the same, in something that the call names and nobody can find
}  // namespace

// Was this read from a local that code out of sight filled, or from a value that came as a whole? A reference may have
// come with it.
bool References::from_local(TermId t) const {
  const Term& x = terms_[t];
  if (x.kind != TermKind::Initial) return false;
  const Term& from = terms_[terms_.root(x.left())];
  if (from.kind == TermKind::Param) {  // a struct that is passed by value is a copy of the caller's
    const auto& params = unit_.type(unit_.symbols[fn_.symbol].type).params;
    if (from.a < params.size() && unit_.type(params[from.a]).kind == model::TypeKind::Struct) return true;
  }
  return x.b >= kAggregateEpoch || from.kind == TermKind::Slot;
}

// The object behind a pointer, made up from what kind of symbol it is if nothing is known yet. nullptr for NULL.
Obj* References::obj(State& s, TermId t, InstrId instr) {
  t = subject_.untagged(t);
  if (Obj* o = s.object(t)) return o;
  if (!manner_.counts_objects) return nullptr;  // nothing is counted there
  Obj o;
  o.term = t;
  o.origin = instr;
  o.domain = ctx_.unit_domain[unit_id_];
  if (t < trail_.term_types_.size()) o.domain = subject_.domain_of(trail_.term_types_[t]);
  switch (terms_[t].kind) {
    case TermKind::Const:
    case TermKind::Undef:
    case TermKind::Cmp: return nullptr;
    case TermKind::Param:
      o.kind = ObjKind::Param;
      if (terms_[t].a < fn_.params.size())
        if (const model::TypeId type = fn_.params[terms_[t].a].type; subject_.counted(type))
          o.domain = subject_.domain_of(type);
      break;
    case TermKind::Initial: {
      o.kind = ObjKind::Loaded;
      const TermId owner = terms_.owner_root(t);
      if (s.object(owner)) o.owner = owner;
      // `PyExc_X`: a global pointer to an object that stays.
      if (terms_[terms_[t].left()].kind == TermKind::Global)
        if (const auto* g = ctx_.specs.find_global(terms_.global_name(terms_[t].left())); g && g->points_to)
          o.immortal = g->immortal;
      break;
    }
    case TermKind::Global:
    case TermKind::Slot: {
      o.kind = ObjKind::Global;
      if (terms_[t].kind == TermKind::Global)
        if (const auto* g = ctx_.specs.find_global(terms_.global_name(t))) {
          // What became immortal in some version is counted by contract in all.
          o.singleton = g->immortal && !g->immortal_since.empty();
          o.immortal = g->immortal && !o.singleton;
        }
      break;
    }
    case TermKind::Offset: {  // a part of something: as much ours as the whole
      const TermKind k = terms_[terms_.root(t)].kind;
      o.kind = k == TermKind::Param || k == TermKind::Initial ? ObjKind::Loaded
               : k == TermKind::Global || k == TermKind::Slot ? ObjKind::Global
                                                              : ObjKind::Unknown;
      break;
    }
    default: o.kind = ObjKind::Unknown;
  }
  return &s.add_object(o);
}

void References::acquire(State& s, TermId t, InstrId instr) {
  t = subject_.untagged(t);
  Obj* o = obj(s, t, instr);
  if (!o) return;
  bool by_owner = false;
  if (!o->escaped && dead(s, *o, by_owner)) {
    use(s, t, instr, {});
    o = s.object(t);
  }
  if (o->owned < kManyOwned) ++o->owned;
  if (o->owned == kManyOwned) trail_.silence(*o, Silence::ManyReferences, instr);
  o->touched = instr;
  if (o->origin == kNone) o->origin = instr;
  trail_.note(s, {.instr = instr, .kind = PathNode::Kind::Owned, .object = t, .owned = o->owned});
}

bool References::refers_to(TermId value, const Obj& o) const {
  return subject_.untagged(value) == o.term || (subject_.embedded(o.term) && terms_.root(value) == terms_.root(o.term));
}

// References to `o` in memory that outlives this call, now minus at entry.
int References::stored_change(const State& s, const Obj& o) const {
  int now = 0;
  for (const Cell& c : s.memory) {
    if (!refers_to(c.value, o)) continue;
    if (terms_[terms_.root(c.base)].kind == TermKind::Slot) continue;
    ++now;
  }
  if (terms_[o.term].kind == TermKind::Initial) {
    const Term& x = terms_[o.term];
    if (terms_[terms_.owner_root(x.left())].kind != TermKind::Slot) {
      const Cell* c = s.cell(x.left(), x.imm);
      if (c && c->value != o.term) --now;  // the place it came from now holds something else
      if (c && c->value == o.term) --now;  // written back: counted above, was there before
    }
  }
  return now;
}

bool References::dead(const State& s, const Obj& o, bool& by_owner) const {
  by_owner = false;
  if (o.life == Life::Released) return true;
  // What a deallocator's object held is the deallocator's to give up, before or after the memory.
  if (contract_.frees_object && o.owner == terms_.find_param(0)) return false;
  if (o.owned > 0 || o.escaped || o.owner == kNoTerm || !o.holders.empty()) return false;
  // Up the chain of owners; in a loop that walks a list it may lead back to where it started.
  by_owner = true;
  const Obj* owner = s.object(o.owner);
  for (std::size_t steps = 0; owner && steps <= s.objects.size(); ++steps) {
    if (owner->escaped) return false;
    if (owner->life == Life::Released) return true;
    if (owner->owned > 0 || owner->owner == kNoTerm || !owner->holders.empty()) return false;
    owner = s.object(owner->owner);
  }
  return false;
}

// `t` has been given up by all: what it held goes with it.
void References::died(State& s, TermId t, InstrId instr) {
  std::vector<TermId> gone;
  for (Obj& o : s.objects) {
    auto it = std::find(o.holders.begin(), o.holders.end(), t);
    if (it == o.holders.end()) continue;
    o.holders.erase(it);
    if (o.kind == ObjKind::New && o.holders.empty() && o.owned == 0 && o.life == Life::Alive && !o.escaped &&
        stored_change(s, o) <= 0) {
      o.life = Life::Released;
      o.released = instr;
      gone.push_back(o.term);
    }
  }
  for (TermId g : gone) died(s, g, instr);
}

// A container lets go of what it held: what was borrowed from it, by the same key if the call names one, is gone.
void References::contents_dropped(State& s, TermId container, TermId key, InstrId instr) {
  died(s, container, instr);
  for (Obj& o : s.objects) {
    if (o.kind != ObjKind::Borrowed || o.owner != container || o.owned != 0 || o.escaped || !o.holders.empty())
      continue;
    if (o.origin == kNone || body_.instrs[o.origin].op != model::Op::Call) continue;
    if (key != kNoTerm && o.key != key) continue;
    o.life = Life::Released;
    o.released = instr;
  }
}

void References::release(State& s, TermId t, InstrId instr, const std::string& callee) {
  if (terms_[t].kind == TermKind::Undef) {
    trail_.emit(EventKind::UninitUse, s, nullptr, instr, callee);
    return;
  }
  t = subject_.untagged(t);
  Obj* o = obj(s, t, instr);
  if (!o || o->kind == ObjKind::Interior) return;
  o->touched = instr;
  const bool is_type = t < trail_.term_types_.size() && subject_.is_type_pointer(trail_.term_types_[t]);
  hooks_.each<&Property::releasing>(s, t);
  bool by_owner = false;
  if (!o->escaped && dead(s, *o, by_owner)) {
    trail_.emit(by_owner ? EventKind::UseAfterRelease : EventKind::OverRelease, s, o, instr, callee);
    o->escaped.because(Silence::Reported);
    return;
  }
  if (o->owned > -kManyOwned) --o->owned;
  trail_.note(s, {.instr = instr, .kind = PathNode::Kind::Owned, .object = t, .owned = o->owned});
  if (o->escaped) return;
  // A member of the object said who else has the reference, and says so no longer.
  if (o->owned < 0 && falls_with_flag(terms_, s, t)) {
    trail_.silence(*o, Silence::FollowsState, instr);
    return;
  }
  // An object's deallocator may give up what the object itself held, its type included.
  if (subject_.is_entry() && o->kind == ObjKind::Param && o->owned < 0 && !o->immortal) {
    trail_.emit(EventKind::CountLeft, s, o, instr,
                callee);  // whatever comes later: the caller's object may be gone now
    o->escaped.because(Silence::Reported);
    return;
  }
  // Whoever lent it had one reference to it; a second one is not there to give.
  if (o->owned == -2 && (o->kind == ObjKind::Loaded || o->kind == ObjKind::Unknown || o->kind == ObjKind::Param) &&
      !o->immortal && !o->indirect && !o->stolen && o->holders.empty() &&
      terms_[terms_.owner_root(t)].kind != TermKind::Slot) {
    // In the next round of a loop the same place holds the next element: what took this one out of there was
    // out of sight, or a walk over a tree or a list has gone on.
    if (o->released == instr &&
        (subject_.fails_by_errno(o->domain) || terms_[terms_.owner_root(t)].kind == TermKind::Join)) {
      trail_.silence(*o, Silence::LoopNextElement, instr);
      return;
    }
    if (Event* e = trail_.emit(EventKind::OverRelease, s, o, instr, callee)) {
      e->get<OverReleaseFacts>().reason = OverReleaseFacts::Reason::LentOnce;
      e->doubtful = o->kind == ObjKind::Unknown;
    }
    o->escaped.because(Silence::Reported);
    return;
  }
  if (o->owned < 0) o->released = instr;
  const bool not_ours = o->kind == ObjKind::New || o->kind == ObjKind::Borrowed || subject_.given(o->term);
  // A type is held by its objects: without the reference of the one that goes, it may be gone.
  if (contract_.drops_type && is_type && o->owned == -1 && o->owner == terms_.find_param(0)) o->life = Life::Released;
  if (o->owned < 0 && not_ours && !o->immortal && !hooks_.any<&Property::may_release>(s, t)) {
    // Its reference was handed over, or it never had one.
    if (stored_change(s, *o) >= 0) {
      trail_.emit(EventKind::OverRelease, s, o, instr, callee);
      o->escaped.because(Silence::Reported);
      return;
    }
  }
  // Places that still point to it have no reference of their own, unless a callee saw to that.
  if (o->owned == 0 && (o->kind == ObjKind::New || subject_.given(o->term)) && o->holders.empty() &&
      (stored_change(s, *o) <= 0 || !(o->indirect || o->handed))) {
    o->life = Life::Released;
    o->released = instr;
    hooks_.each<&Property::died>(s, t, instr);
    died(s, t, instr);
  }
}

// The reference goes to `holder`, to somebody out of sight, or (consumed: the call failed) to nobody.
void References::steal(State& s, TermId t, std::optional<TermId> holder, InstrId instr, bool consumed) {
  Obj* o = obj(s, t, instr);
  if (!o || o->kind == ObjKind::Interior) return;
  o->touched = instr;
  o->stolen = true;
  if (!o->escaped) {
    if (o->owned > -kManyOwned) --o->owned;
    if (o->owned < 0 && o->kind == ObjKind::Global) o->released = instr;
    if (o->owned < 0 && (o->kind == ObjKind::New || o->kind == ObjKind::Borrowed || subject_.given(o->term)) &&
        !o->immortal) {
      trail_.emit(EventKind::OverRelease, s, o, instr, trail_.callee_name(body_.instrs[instr]));
      o->escaped.because(Silence::Reported);
    }
  }
  // The place it goes to may be the one that another object was borrowed from: that one has moved out, or was given up
  // if the call does so and names the same place.
  const auto ops = body_.ops(body_.instrs[instr]);
  const specs::FunctionSpec* spec =
      ops[0].kind == model::OperandKind::Symbol ? ctx_.spec_of[unit_id_][ops[0].id] : nullptr;
  const TermId key = spec && spec->runs_code && ops.size() == 4 ? memory_.eval(s, ops[2], instr) : kNoTerm;
  if (holder && key != kNoTerm)
    for (Obj& other : s.objects)
      if (other.term != t && other.kind == ObjKind::Borrowed && other.owner == *holder && other.key == key &&
          other.owned == 0 && !other.escaped && other.holders.empty() && other.origin != kNone &&
          body_.instrs[other.origin].op == model::Op::Call) {
        other.life = Life::Released;
        other.released = instr;
      }
  if (holder)
    for (Obj& other : s.objects)
      if (other.life == Life::Alive && other.term != t && other.owned == 0 &&
          ((other.kind == ObjKind::Borrowed && other.owner == *holder) ||
           (other.kind == ObjKind::Loaded && terms_.owner_root(other.term) == *holder)))
        trail_.silence(other, Silence::PlaceTaken, instr);
  if (!consumed) {
    const bool known = holder && terms_[*holder].kind != TermKind::Const;
    o->holders.push_back(known ? *holder : terms_.global(holder ? kContainer : kSomebody));
    std::sort(o->holders.begin(), o->holders.end());
    o->holders.erase(std::unique(o->holders.begin(), o->holders.end()), o->holders.end());
    if (o->holders.size() > support::kLimits.objects.holders) o->holders.resize(support::kLimits.objects.holders);
  } else if (o->owned == 0 && (o->kind == ObjKind::New || subject_.given(o->term)) && o->holders.empty() &&
             stored_change(s, *o) <= 0 && !o->escaped) {
    o->life = Life::Released;
    o->released = instr;
  }
  trail_.note(s, {.instr = instr, .kind = PathNode::Kind::Owned, .object = t, .owned = o->owned});
}

// The object is looked at, or handed to code that will. False: it should not have been.
bool References::use(State& s, TermId t, InstrId instr, const std::string& callee) {
  looked_at_late(s, t);
  Obj* o = s.object(t);
  if (!o) return true;
  o->touched = instr;
  if (o->stale != kNone && o->owned == 0 && !o->escaped && o->holders.empty()) {
    if (Event* e = trail_.emit(EventKind::BorrowAcross, s, o, instr, callee))
      e->get<BorrowAcrossFacts>().ran_code = o->stale;
    o = s.object(t);
    o->stale = kNone;
    o->unstable = false;
  }
  bool by_owner = false;
  // Handed to a queue or a stack that may be done with it before we go on: in the kernel nobody keeps it alive for us.
  // What a place holds may be another object by now.
  const bool handed_over = o->stolen && o->owned < 0 && !o->indirect &&
                           (o->kind == ObjKind::Param || o->kind == ObjKind::Unknown) && o->holders.size() == 1 &&
                           subject_.fails_by_errno(o->domain) && o->holders[0] == terms_.global(kSomebody);
  if (o->escaped || !(handed_over || dead(s, *o, by_owner))) return true;
  if (Event* e = trail_.emit(EventKind::UseAfterRelease, s, o, instr, callee))
    e->get<UseFacts>().died_with_owner = by_owner;
  o->escaped.because(Silence::Reported);
  return false;
}

}  // namespace reckon::engine
