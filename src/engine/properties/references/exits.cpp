// Exits: what is wrong when the function ends.

#include <algorithm>

#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/borrows.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/overwritten.h"
#include "engine/properties/references/references.h"

namespace reckon::engine {

using model::kNone;
using specs::Outcome;
using specs::Place;

// Does somebody who outlives this call hold the object, besides those whose references we own?
bool ReferenceExits::held_elsewhere(const State& s, const Obj& o) const {
  if (o.kind == ObjKind::Borrowed) return !o.unstable;
  return std::any_of(o.holders.begin(), o.holders.end(), [&](TermId h) {
    const Obj* holder = s.object(h);
    return !holder || holder->kind != ObjKind::New;
  });
}

// Did the function write to the structure `o` was read from? Then taking the element out may be what it does.
bool ReferenceExits::writes_to_owner(const State& s, const Obj& o) const {
  const TermId owner = terms_.owner_root(o.term);
  return std::any_of(s.memory.begin(), s.memory.end(),
                     [&](const Cell& c) { return terms_.owner_root(c.base) == owner; });
}

// An element of an array, and the function changed what the array belongs to (an index, a size): it moves out with the
// reference the array had.
bool ReferenceExits::moved_out(const State& s, const Obj& o) const {
  if (o.kind != ObjKind::Loaded || terms_[o.term].kind != TermKind::Initial) return false;
  return terms_[terms_.split(terms_[o.term].a).first].kind == TermKind::Index && writes_to_owner(s, o);
}

// Is something compared with this global? Then it may be another name of it, that came with a reference.
bool ReferenceExits::compares_with(TermId global) const {
  return std::any_of(body_.instrs.begin(), body_.instrs.end(), [&](const model::Instr& i) {
    const auto ops = body_.ops(i);
    return i.op == model::Op::Cmp && std::any_of(ops.begin(), ops.end(), [&](const model::Operand& o) {
             return o.kind == model::OperandKind::Symbol && unit_.name(o.id) == terms_.global_name(global);
           });
  });
}

void ReferenceExits::exit(const Exit& e) {
  const State& s = e.state;
  auto lent_array = [&](TermId base) {
    const Term& root = terms_[terms_.root(base)];
    if (root.kind != TermKind::Param || root.a == 0 || root.a >= fn_.params.size()) return false;
    const model::Type& t = unit_.type(fn_.params[root.a].type);
    return t.kind == model::TypeKind::Pointer && subject_.counted(t.elem) != 0;
  };
  // Exceptions that code out of sight might throw are not held against a function; its own are.
  if (e.by_exception && !s.thrown) return;
  if (gc_) return;  // nothing is counted there
  const auto guise = props().references->guise_of_.find(e.result);
  const TermId goes_along = guise == props().references->guise_of_.end() ? kNoTerm : guise->second;  // with the result
  for (const State::Lost& l : s.lost)
    if (l.object.term != goes_along) props().references->emit_lost(s, l, e.instr);
  const bool promises_new = contract_.gives_new;
  const bool entry = subject_.is_entry();
  const TermId returned = !e.by_exception && e.result != kNoTerm ? e.result : kNoTerm;

  const bool returns_pointer = unit_.type(fn_.result).kind == model::TypeKind::Pointer;
  auto plain_copies = [&](const Obj& o) {
    return static_cast<int>(std::count_if(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
      const auto field = trail_.field_names_.find(terms_.find_offset(c.base, c.offset));
      return props().references->refers_to(c.value, o) && field != trail_.field_names_.end() &&
             !subject_.counted(body_.fields[field->second].type);
    }));
  };
  Place ignored;
  // Code out of sight may have written to memory that a reference was stored in.
  const bool rewritten_elsewhere =
      !s.clobbered.empty() || std::any_of(s.epochs.begin(), s.epochs.end(), [&](const auto& x) {
        return terms_[terms_.owner_root(x.first)].kind != TermKind::Slot;
      });
  // Nothing was done with it after it was taken: it may have been stored where a loop has forgotten it.
  auto just_taken = [&](const Obj& o) {
    if (o.touched == kNone || body_.instrs[o.touched].op != model::Op::Call) return true;
    const auto callee = body_.ops(body_.instrs[o.touched])[0];
    const specs::FunctionSpec* spec =
        callee.kind == model::OperandKind::Symbol ? ctx_.spec_of[unit_id_][callee.id] : nullptr;
    return spec && std::any_of(spec->outcomes.begin(), spec->outcomes.end(), [](const Outcome& x) {
             return std::any_of(x.counts.begin(), x.counts.end(), [](const auto& c) { return c.delta > 0; });
           });
  };
  // Never in a variable: given to a call that did not take it, which is where it should be looked at. Or in one that
  // was given another value, perhaps by the same call in the next round of a loop.
  auto temporary = [&](const Obj& o) {
    return o.kind == ObjKind::New && o.touched != kNone && o.touched != o.origin && o.origin != kNone &&
           name_of_result(body_, o.origin) == 0 && body_.instrs[o.touched].op == model::Op::Call &&
           std::none_of(s.memory.begin(), s.memory.end(),
                        [&](const Cell& c) { return props().references->refers_to(c.value, o); });
  };
  auto place_of_leak = [&](const Obj& o) {
    if (temporary(o)) return o.touched;
    const Term& t = terms_[o.term];
    if (t.kind == TermKind::Fresh && t.b == 1 && name_of_result(body_, o.origin) != 0) return o.origin;
    const std::uint32_t over = o.kind == ObjKind::New ? overwritten_at(body_, path_, o, s.path, s.path) : kNone;
    return over != kNone ? over : e.instr;
  };
  auto leaks = [&](const Obj& o) {
    const std::uint32_t at = place_of_leak(o);
    const bool overwritten = at != e.instr && name_of_result(body_, o.origin) != 0;
    if (overwritten && told_already(result_.events, at, o)) return;
    if (Event* ev = trail_.emit(EventKind::Leak, s, &o, at); ev && overwritten) ev->detail = kOverwritten;
  };
  for (const Obj& o : s.objects) {
    if (s.facts.known_zero(terms_, o.term) || o.term == goes_along) continue;
    if (o.escaped || o.immortal || o.kind == ObjKind::Interior) continue;
    const bool around = returned != kNoTerm && terms_.split(returned).first == o.term &&
                        terms_.split(returned).second < 0;  // container_of
    const bool part =
        around || (returned != kNoTerm && subject_.embedded(o.term) && terms_.root(returned) == terms_.root(o.term));
    const int returns = part || (o.term == returned && (promises_new || returns_pointer)) ? 1 : 0;
    const int excess = o.owned - returns - props().references->stored_change(s, o);
    switch (o.kind) {
      case ObjKind::New:
      case ObjKind::Borrowed:
        // An object that comes back to life in its deallocator holds its type again.
        if (excess > 0 && o.owned > 0 &&
            !(contract_.frees_object && o.kind == ObjKind::Borrowed && o.origin != kNone &&
              subject_.is_type_pointer(body_.instrs[o.origin].type)))
          leaks(o);
        break;
      case ObjKind::Param:
        if (o.consumed && excess < 0 && !o.indirect && !subject_.counted(fn_.result))
          trail_.emit(EventKind::OverRelease, s, &o, o.touched);
        // Failing, it keeps what it took: no caller will give that back.
        if (!entry && excess > 0 && o.owned == excess && !o.indirect && !o.handed && o.holders.empty() &&
            returned != kNoTerm && subject_.counted(fn_.result) && s.exception == ExcState::Set &&
            s.facts.known_zero(terms_, returned))
          trail_.emit(EventKind::CountLeft, s, &o, e.instr);
        // Handed back, or stored by a function that nobody in sight calls, with more references than go with it.
        if (!entry && excess > 0 && o.owned > 1 && !o.indirect && !o.handed &&
            (returns || (o.owned > excess && ctx_.program.callers(id_).empty())))
          trail_.emit(EventKind::CountLeft, s, &o, e.instr);
        // A pointer kept in a member of some other type, beside one that holds the reference, is a copy of that.
        if (entry && excess != 0 && !(excess < 0 && (returns || (o.owned > 0 && excess + plain_copies(o) >= 0))))
          trail_.emit(EventKind::CountLeft, s, &o, excess < 0 && o.touched != kNone ? o.touched : e.instr);
        break;
      case ObjKind::Loaded:
        // What an owner in a container gives up there is no longer the container's.
        if (excess < 0 && trail_.in_container(o.term)) break;
        // What callers cannot name they cannot release either.
        if (excess > 0 && o.owned > 0 &&
            (returns || entry ||
             (!o.indirect && !o.handed && !props().references->from_local(o.term) &&
              !to_place(terms_, o.term, ignored) && !rewritten_elsewhere && !just_taken(o) &&
              terms_[terms_.owner_root(o.term)].kind != TermKind::Global)))
          trail_.emit(EventKind::Leak, s, &o, e.instr);
        // A global's object, given up by a method that leaves the global pointing at it.
        if (promises_new && excess < 0 && o.owned < 0 && !o.stolen && !o.indirect &&
            terms_[o.term].kind == TermKind::Initial && terms_[terms_[o.term].a].kind == TermKind::Global)
          trail_.emit(EventKind::OverRelease, s, &o, o.touched);
        // An element of the array of arguments that the interpreter calls it with.
        if (promises_new && excess < 0 && o.owned < 0 && !o.stolen && !o.indirect &&
            terms_[o.term].kind == TermKind::Initial && lent_array(terms_[o.term].a))
          trail_.emit(EventKind::OverRelease, s, &o, o.touched);
        // An item of a list that goes on holding it.
        if (excess < 0 && o.owned < 0 && !o.stolen && !o.indirect && props().borrows->unstable_read(o.term) &&
            !writes_to_owner(s, o))
          trail_.emit(EventKind::OverRelease, s, &o, o.touched);
        if (excess < 0 && o.owned < 0 && o.stolen && !o.indirect && !props().references->from_local(o.term) &&
            !writes_to_owner(s, o))
          trail_.emit(EventKind::OverRelease, s, &o, o.touched);
        break;
      case ObjKind::Global:
        // Judged at the end only: customary code hands one over first and takes the reference then. What a failing
        // path loses of them is nobody's worry.
        if (!o.singleton || o.indirect) break;
        if (excess > 0 && o.owned > 0 && !s.failed) trail_.emit(EventKind::Leak, s, &o, e.instr);
        if (excess < 0 && o.owned < 0 && !returns)
          if (Event* ev = trail_.emit(EventKind::OverRelease, s, &o, o.touched)) ev->doubtful = compares_with(o.term);
        break;
      case ObjKind::Unknown:
        // Whatever it is: two references were taken here, and one of them at most is gone.
        if (excess > 0 && o.owned > 1 && !o.indirect && !o.handed && o.holders.empty())
          trail_.emit(EventKind::Leak, s, &o, e.instr);
        break;
      default: break;
    }
  }
  check_stored(e);
  if (returned != kNoTerm && terms_[returned].kind == TermKind::Undef && subject_.counted(fn_.result) &&
      !subject_.fails_by_errno(ctx_.unit_domain[unit_id_]))
    if (Event* ev = trail_.emit(EventKind::UninitUse, s, nullptr, e.instr)) ev->detail = "returned";
  // Whatever the contract: what is returned should still be there.
  if (returned != kNoTerm && !promises_new)
    if (const Obj* o = s.object(returned); o && o->life == Life::Released && !o->escaped && returns_pointer)
      trail_.emit(EventKind::UseAfterRelease, s, o, e.instr);
  // A new reference is promised: is it one? Where only callers promise it, they judge what they can see of the result.
  const bool unseen = contract_.result_goes_out && e.result != kNoTerm && !to_place(terms_, e.result, ignored);
  if (returned != kNoTerm && (promises_new || unseen) && !s.facts.known_zero(terms_, returned)) {
    State copy = s;
    if (const Obj* o = props().references->obj(copy, returned, e.instr);
        o && !o->escaped && (promises_new || o->kind == ObjKind::Loaded)) {
      const bool lent = o->kind == ObjKind::Borrowed || o->kind == ObjKind::Param || o->kind == ObjKind::Loaded ||
                        o->kind == ObjKind::Global || o->kind == ObjKind::New;
      const int have = o->owned - std::min(0, props().references->stored_change(copy, *o));
      if (o->life == Life::Released)
        trail_.emit(EventKind::UseAfterRelease, s, o, e.instr);
      else if (lent && have < 1 && !moved_out(s, *o) && !props().references->from_local(o->term))
        trail_.emit(EventKind::BorrowedReturned, s, o, e.instr);
    }
  }
  check_kept_by_failure(e);
}

// A result that is sometimes a new reference and sometimes a borrowed one: no caller can be right. Reported
// here, and hidden from callers.
void ReferenceExits::check_mixed_result(std::vector<std::pair<Outcome, const Exit*>>& exits) {
  if (gc_ || !subject_.counted(fn_.result) || contract_.gives_new) return;
  const Exit* owned = nullptr;
  const Exit* lent = nullptr;
  // An argument itself, handed back without a reference; an argument or a global with one.
  auto concerns = [](const Outcome& o) { return [&o](const auto& c) { return c.object == o.result.place; }; };
  // Of one that other ends give up the caller's reference came along.
  auto given_up = [&](const Place& p) {
    return std::any_of(exits.begin(), exits.end(), [&](const auto& x) {
      const Outcome& o = x.first;
      return std::any_of(o.counts.begin(), o.counts.end(),
                         [&](const auto& c) { return c.object == p && c.delta < 0; }) ||
             std::any_of(o.holds.begin(), o.holds.end(), [&](const auto& h) { return h.object == p && h.steals; }) ||
             std::find(o.escapes.begin(), o.escapes.end(), p) != o.escapes.end();
    });
  };
  auto argument = [&](const Outcome& o) {
    const specs::Value& r = o.result;
    if (r.kind != specs::Value::Kind::Place || r.place.root != Place::Root::Arg || !r.place.path.empty() ||
        r.place.address)
      return false;
    return !given_up(r.place) && std::none_of(o.counts.begin(), o.counts.end(), concerns(o)) &&
           std::none_of(o.holds.begin(), o.holds.end(), concerns(o));
  };
  auto with_reference = [&](const Outcome& o) {
    if (o.result.kind != specs::Value::Kind::Place) return false;
    const auto c = std::find_if(o.counts.begin(), o.counts.end(), concerns(o));
    return c != o.counts.end() && c->kind.empty() && c->delta > 0;
  };
  for (const auto& [o, e] : exits) {
    if (e->state.facts.known_zero(terms_, e->result)) continue;
    if (o.result.kind == specs::Value::Kind::Object && !o.objects[o.result.object].immortal)
      (specs::owns(o, o.result.object) ? owned : lent) = e;
    else if (argument(o) && !lent)
      lent = e;
    else if (with_reference(o) && !owned)
      owned = e;
  }
  if (!owned || !lent) return;
  State copy = lent->state;
  const Obj* o = props().references->obj(copy, lent->result, lent->instr);
  trail_.emit(EventKind::MixedResult, lent->state, o, lent->instr);
  for (auto& [out, e] : exits)
    if (out.result.kind == specs::Value::Kind::Object || argument(out)) {
      out.result = specs::Value{};
      Place res;
      res.root = Place::Root::Result;
      out.when.push_back({res, ~std::uint64_t{0}, specs::Pred::Ne, 0, std::nullopt});
      out.objects.clear();
    }
}

}  // namespace reckon::engine
