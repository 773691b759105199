// What is wrong when the function ends.
//
// For each object the references that are left are compared with those that go somewhere: with the result, or into
// memory that lives on. What remains is the excess, and what that means depends on where the object came from: a new
// one leaks, an argument's count is left changed, something read from a structure was taken or given up, a global's
// reference was lost. Then the result itself is judged: is it there, and is it a reference if one was promised?
//
// Limits: an object that escaped, or that never dies, is not judged. An excess of what callers can name is left to
// them, unless nobody in sight calls the function, or its contract says what they expect.

#include <algorithm>

#include "engine/core/hold_flags.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/borrows.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/handed_back.h"
#include "engine/properties/references/overwritten.h"
#include "engine/properties/references/references.h"
#include "engine/properties/references/seldom_lost.h"

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
  return terms_[terms_.split(terms_[o.term].left()).first].kind == TermKind::Index && writes_to_owner(s, o);
}

// Is something compared with this global? Then it may be another name of it, that came with a reference.
bool ReferenceExits::compares_with(TermId global) const {
  return std::any_of(body_.instrs.begin(), body_.instrs.end(), [&](const model::Instr& i) {
    const auto ops = body_.ops(i);
    return i.op == model::Op::Cmp && std::any_of(ops.begin(), ops.end(), [&](const model::Operand& o) {
             return o.kind == model::OperandKind::Symbol && unit_.name(o.symbol_id()) == terms_.global_name(global);
           });
  });
}

// Code out of sight may have written to memory that a reference was stored in.
bool ReferenceExits::rewritten_elsewhere(const State& s) const {
  return !s.clobbered.empty() || std::any_of(s.epochs.begin(), s.epochs.end(), [&](const auto& x) {
    return terms_[terms_.owner_root(x.first)].kind != TermKind::Slot;
  });
}

// Is this an array of objects that a caller passes as some argument but the first?
bool ReferenceExits::lent_array(TermId base) const {
  const Term& root = terms_[terms_.root(base)];
  if (root.kind != TermKind::Param || root.a == 0 || root.a >= fn_.params.size()) return false;
  const model::Type& t = unit_.type(fn_.params[root.a].type);
  return t.kind == model::TypeKind::Pointer && subject_.counted(t.elem);
}

// How many members whose type is not a counted one hold a pointer to it.
int ReferenceExits::plain_copies(const State& s, const Obj& o) const {
  return static_cast<int>(std::count_if(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    const Member* member = trail_.member_at(c.base, c.offset);
    return props().references->refers_to(c.value, o) && member && !subject_.counted(member->type);
  }));
}

// Nothing was done with it after it was taken: it may have been stored where a loop has forgotten it.
bool ReferenceExits::just_taken(const Obj& o) const {
  if (o.touched == kNone || body_.instrs[o.touched].op != model::Op::Call) return true;
  const auto callee = body_.ops(body_.instrs[o.touched])[0];
  const specs::FunctionSpec* spec =
      callee.kind == model::OperandKind::Symbol ? ctx_.spec_of[unit_id_][callee.id] : nullptr;
  return spec && std::any_of(spec->outcomes.begin(), spec->outcomes.end(), [](const Outcome& x) {
           return std::any_of(x.counts.begin(), x.counts.end(), [](const auto& c) { return c.delta > 0; });
         });
}

// Never in a variable: given to a call that did not take it, which is where it should be looked at. Or in one that
// was given another value, perhaps by the same call in the next round of a loop.
bool ReferenceExits::temporary(const State& s, const Obj& o) const {
  return o.kind == ObjKind::New && o.touched != kNone && o.touched != o.origin && o.origin != kNone &&
         name_of_result(body_, o.origin) == 0 && body_.instrs[o.touched].op == model::Op::Call &&
         std::none_of(s.memory.begin(), s.memory.end(),
                      [&](const Cell& c) { return props().references->refers_to(c.value, o); });
}

// Where to look for a leak: at the call that should have taken a temporary, where a variable was given another value,
// or else at the end.
InstrId ReferenceExits::place_of_leak(const Exit& e, const Obj& o) const {
  const State& s = e.state;
  if (temporary(s, o)) return o.touched;
  const Term& t = terms_[o.term];
  if (t.kind == TermKind::Fresh && t.b == 1 && name_of_result(body_, o.origin) != 0) return o.origin;
  const InstrId over = o.kind == ObjKind::New ? overwritten_at(body_, path_, o, s.path, s.path) : kNone;
  return over != kNone ? over : e.instr;
}

// An object that this function made or was given by a call. Nobody else will release it.
void ReferenceExits::judge_new(const Ending& end, const Obj& o, const Left& left) {
  if (left.excess <= 0 || o.owned <= 0) return;
  // An object that comes back to life in its deallocator holds its type again.
  if (contract_.frees_object && o.kind == ObjKind::Borrowed && o.origin != kNone &&
      subject_.is_type_pointer(body_.instrs[o.origin].type)) {
    trail_.silent(Silence::Revived, o.term, end.e.instr);
    return;
  }
  // The contract promises what was found in it, with its reference.
  if (subject_.has_contract() && end.returned != kNoTerm && end.returned != o.term &&
      terms_.owner_root(end.returned) == o.term) {
    trail_.silent(Silence::GoesWithResult, o.term, end.e.instr);
    return;
  }
  const InstrId at = place_of_leak(end.e, o);
  const bool overwritten = at != end.e.instr && name_of_result(body_, o.origin) != 0;
  if (overwritten && already_reported(result_.events, at, o)) {
    trail_.silent(Silence::SameAsBefore, o.term, at);
    return;
  }
  Event* ev = trail_.emit(EventKind::Leak, end.s, &o, at);
  if (ev && overwritten) ev->get<LeakFacts>().reason = LeakFacts::Reason::Overwritten;
  if (ev)
    ev->doubtful = kept_as_a_rule(ctx_, id_, o) || read_before(ctx_, id_, o) ||
                   held_from_set_up(ctx_, id_, terms_, end.s, o, end.s.failed, exits_) ||
                   (subject_.fails_by_errno(o.domain) && end.returned != kNoTerm &&
                    end.s.facts.known_zero(terms_, end.returned) && ends_with_conversion(ctx_, id_, at, o.origin));
}

// An argument that came with a reference, by the contract. Code out of sight that it was handed to may have taken that;
// and who gives NULL for another argument asks for nothing and gives nothing.
void ReferenceExits::judge_given(const Ending& end, const Obj& o, const Left& left) {
  if (left.excess <= 0) return;
  bool misused = false;
  for (std::uint32_t p = 0; p < fn_.params.size(); ++p)
    if (const TermId t = terms_.find_param(p); t != kNoTerm && t != o.term)
      misused = misused ||
                (unit_.type(fn_.params[p].type).kind == model::TypeKind::Pointer && end.s.facts.known_zero(terms_, t));
  if (misused || o.handed)
    trail_.silent(o.handed ? Silence::ChangedByCallee : Silence::CallersRelease, o.term, end.e.instr);
  else
    trail_.emit(EventKind::Leak, end.s, &o, end.e.instr);
}

// An argument: callers expect to have as many references afterwards as before.
void ReferenceExits::judge_argument(const Ending& end, const Obj& o, const Left& left) {
  const State& s = end.s;
  const auto [returns, excess] = left;
  if (subject_.given(o.term)) {
    judge_given(end, o, left);
    return;
  }
  if (excess > 0 && (rises_with_flag(terms_, s, o.term) || told_as_held(ctx_, trail_, terms_, s, CountId{}, o.term))) {
    trail_.silent(Silence::FollowsState, o.term, end.e.instr);
    return;
  }
  const std::size_t events = result_.events.size();
  if (o.consumed && excess < 0 && !o.indirect && !subject_.counted(fn_.result))
    trail_.emit(EventKind::OverRelease, s, &o, o.touched);
  // Failing, it keeps what it took: no caller will give that back.
  if (!end.entry && excess > 0 && o.owned == excess && !o.indirect && !o.handed && o.holders.empty() &&
      end.returned != kNoTerm && subject_.counted(fn_.result) && s.exception == ExcState::Set &&
      s.facts.known_zero(terms_, end.returned))
    trail_.emit(EventKind::CountLeft, s, &o, end.e.instr);
  // Handed back, or stored by a function that nobody in sight calls, with more references than go with it.
  if (!end.entry && excess > 0 && o.owned > 1 && !o.indirect && !o.handed &&
      (returns || (o.owned > excess && ctx_.program.callers(id_).empty())))
    trail_.emit(EventKind::CountLeft, s, &o, end.e.instr);
  // A pointer kept in a member of some other type, beside one that holds the reference, is a copy of that.
  if (end.entry && excess != 0 && !(excess < 0 && (returns || (o.owned > 0 && excess + plain_copies(s, o) >= 0))))
    trail_.emit(EventKind::CountLeft, s, &o, excess < 0 && o.touched != kNone ? o.touched : end.e.instr);
  if (excess != 0 && result_.events.size() == events)
    trail_.silent(o.indirect || o.handed ? Silence::ChangedByCallee
                  : end.entry            ? Silence::CopyOfMember
                                         : Silence::CallersRelease,
                  o.term, end.e.instr);
}

// Something read from memory that was there before the call: the memory goes on holding its reference.
void ReferenceExits::judge_loaded(const Ending& end, const Obj& o, const Left& left) {
  if (left.excess > 0)
    judge_loaded_kept(end, o, left);
  else if (left.excess < 0 && trail_.in_container(o.term))  // what an owner in a container gives up is gone from there
    trail_.silent(Silence::HeldByContainer, o.term, end.e.instr);
  else if (left.excess < 0)
    judge_loaded_given_up(end, o);
}

// Why a reference to something read from memory is nobody's mistake here.
Silence ReferenceExits::why_kept(const State& s, const Obj& o) const {
  Place ignored;
  if (o.indirect || o.handed) return Silence::ChangedByCallee;
  if (props().references->from_local(o.term)) return Silence::UnknownOrigin;
  if (rewritten_elsewhere(s)) return Silence::Rewritten;
  return just_taken(o) && !to_place(terms_, o.term, ignored) ? Silence::JustTaken : Silence::CallersRelease;
}

// What callers cannot name they cannot release either.
void ReferenceExits::judge_loaded_kept(const Ending& end, const Obj& o, const Left& left) {
  Place ignored;
  if (o.owned > 0 &&
      (left.returns || end.entry ||
       (!o.indirect && !o.handed && !props().references->from_local(o.term) && !to_place(terms_, o.term, ignored) &&
        !rewritten_elsewhere(end.s) && !just_taken(o) && terms_[terms_.owner_root(o.term)].kind != TermKind::Global))) {
    if (Event* ev = trail_.emit(EventKind::Leak, end.s, &o, end.e.instr)) ev->doubtful = kept_as_a_rule(ctx_, id_, o);
  } else if (o.owned > 0)
    trail_.silent(why_kept(end.s, o), o.term, end.e.instr);
}

void ReferenceExits::judge_loaded_given_up(const Ending& end, const Obj& o) {
  if (o.owned >= 0) return;
  if (o.indirect) {
    trail_.silent(Silence::ChangedByCallee, o.term, end.e.instr);
    return;
  }
  const std::size_t events = result_.events.size();
  auto report = [&] { trail_.emit(EventKind::OverRelease, end.s, &o, o.touched); };
  const bool of_method = end.promises_new && !o.stolen && terms_[o.term].kind == TermKind::Initial;
  // A global's object, given up by a method that leaves the global pointing at it.
  if (of_method && terms_[terms_[o.term].left()].kind == TermKind::Global) report();
  // An element of the array of arguments that the interpreter calls it with.
  if (of_method && lent_array(terms_[o.term].left())) report();
  // An item of a list that goes on holding it.
  if (!o.stolen && props().borrows->unstable_read(o.term) && !writes_to_owner(end.s, o)) report();
  // A call took over the reference of a structure that goes on pointing at the object; not of one that this function
  // was just given by a call, and that may go with it.
  const bool made = terms_[terms_.owner_root(o.term)].kind == TermKind::Fresh;
  if (o.stolen && !made && !props().references->from_local(o.term) && !writes_to_owner(end.s, o)) report();
  if (result_.events.size() == events)
    trail_.silent(made || props().references->from_local(o.term) ? Silence::UnknownOrigin
                  : writes_to_owner(end.s, o)                    ? Silence::MovedOut
                                                                 : Silence::CallersRelease,
                  o.term, end.e.instr);
}

// An object that a global names. It is judged at the end only: customary code hands one over first and takes the
// reference then. What a failing path loses of them is nobody's worry.
void ReferenceExits::judge_global(const Ending& end, const Obj& o, const Left& left) {
  if (!o.singleton) return;
  if (o.indirect) {
    if (left.excess != 0) trail_.silent(Silence::ChangedByCallee, o.term, end.e.instr);
    return;
  }
  if (left.excess > 0 && o.owned > 0 && end.s.failed) trail_.silent(Silence::FailingPath, o.term, end.e.instr);
  if (left.excess > 0 && o.owned > 0 && !end.s.failed) trail_.emit(EventKind::Leak, end.s, &o, end.e.instr);
  if (left.excess < 0 && o.owned < 0 && !left.returns)
    if (Event* ev = trail_.emit(EventKind::OverRelease, end.s, &o, o.touched)) ev->doubtful = compares_with(o.term);
}

// Whatever it is: two references were taken here, and one of them at most is gone.
void ReferenceExits::judge_unknown(const Ending& end, const Obj& o, const Left& left) {
  if (left.excess > 0 && o.owned > 1 && !o.indirect && !o.handed && o.holders.empty()) {
    if (Event* ev = trail_.emit(EventKind::Leak, end.s, &o, end.e.instr)) ev->doubtful = kept_as_a_rule(ctx_, id_, o);
  } else if (left.excess != 0 || o.term != end.returned)
    trail_.silent(Silence::UnknownOrigin, o.term, end.e.instr);
}

// Is a pointer to a part of it kept in memory that outlives the call, and that is not the object's own? In domains of
// structs with structs in them that stands for the whole: a member of a list, the private part behind a device.
bool ReferenceExits::part_kept(const State& s, const Obj& o) const {
  if (!subject_.fails_by_errno(o.domain) || subject_.embedded(o.term)) return false;
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    return c.value != o.term && terms_.root(c.value) == o.term && terms_.owner_root(c.base) != o.term &&
           terms_[terms_.root(c.base)].kind != TermKind::Slot;
  });
}

namespace {

// Does the pointer lead into memory that was read from the object, at whatever remove?
bool read_from(const TermArena& terms, TermId pointer, TermId object) {
  for (TermId t = terms.root(pointer); terms[t].kind == TermKind::Initial;) {
    t = terms.root(terms[t].left());
    if (t == terms.root(object)) return true;
  }
  return false;
}

}  // namespace

void ReferenceExits::judge_object(const Ending& end, const Obj& o) {
  const std::size_t events = result_.events.size();
  const TermId returned = end.returned;
  const bool around = returned != kNoTerm && terms_.split(returned).first == o.term &&
                      terms_.split(returned).second < 0;  // container_of
  // A part of it, from which callers come back to the whole.
  const bool inside = returned != kNoTerm && terms_.root(returned) == terms_.root(o.term) &&
                      (subject_.embedded(o.term) || (returned != o.term && subject_.fails_by_errno(o.domain)));
  const bool part = around || inside;
  Left left;
  left.returns = part || (o.term == returned && (end.promises_new || end.returns_pointer)) ? 1 : 0;
  left.excess = o.owned - left.returns - props().references->stored_change(end.s, o);
  if (left.excess > 0 && part_kept(end.s, o)) --left.excess;
  if (o.owned > left.returns && left.excess <= 0) trail_.silent(Silence::Stored, o.term, end.e.instr);
  switch (o.kind) {
    case ObjKind::New:
    case ObjKind::Borrowed: judge_new(end, o, left); break;
    case ObjKind::Param: judge_argument(end, o, left); break;
    case ObjKind::Loaded: judge_loaded(end, o, left); break;
    case ObjKind::Global: judge_global(end, o, left); break;
    case ObjKind::Unknown: judge_unknown(end, o, left); break;
    default: break;
  }
  // A public function of a kernel's that returns what the object leads to: its private data, say, from which the
  // function that undoes this one comes back to the object.
  if (result_.events.size() > events && returned != kNoTerm && end.returns_pointer &&
      subject_.fails_by_errno(o.domain) && unit_.symbols[fn_.symbol].linkage == model::Linkage::External &&
      read_from(terms_, returned, o.term))
    result_.events.back().doubtful = true;
}

// The result: something should be there, and a new reference if one is promised.
void ReferenceExits::judge_result(const Ending& end) {
  const State& s = end.s;
  const TermId returned = end.returned;
  if (returned == kNoTerm) return;
  if (terms_[returned].kind == TermKind::Undef && subject_.counted(fn_.result) &&
      !subject_.fails_by_errno(ctx_.unit_domain[unit_id_]))
    if (Event* ev = trail_.emit(EventKind::UninitUse, s, nullptr, end.e.instr))
      ev->get<UninitFacts>().use = UninitFacts::Use::Return;
  // Whatever the contract: what is returned should still be there.
  if (!end.promises_new)
    if (const Obj* o = s.object(returned); o && o->life == Life::Released && !o->escaped && end.returns_pointer)
      trail_.emit(EventKind::UseAfterRelease, s, o, end.e.instr);
  // A new reference is promised: is it one? Where only callers promise it, they judge what they can see of the result.
  Place ignored;
  const bool unseen = contract_.result_goes_out && !to_place(terms_, returned, ignored);
  if ((!end.promises_new && !unseen) || s.facts.known_zero(terms_, returned)) return;
  State copy = s;
  const Obj* o = props().references->obj(copy, returned, end.e.instr);
  if (!o || o->escaped || (!end.promises_new && o->kind != ObjKind::Loaded)) return;
  const bool lent = o->kind == ObjKind::Borrowed || o->kind == ObjKind::Param || o->kind == ObjKind::Loaded ||
                    o->kind == ObjKind::Global || o->kind == ObjKind::New;
  const int have = o->owned - std::min(0, props().references->stored_change(copy, *o));
  if (o->life == Life::Released)
    trail_.emit(EventKind::UseAfterRelease, s, o, end.e.instr);
  else if (lent && have < 1 && (moved_out(s, *o) || props().references->from_local(o->term)))
    trail_.silent(Silence::MovedOut, o->term, end.e.instr);
  else if (lent && have < 1)
    trail_.emit(EventKind::BorrowedReturned, s, o, end.e.instr);
}

void ReferenceExits::exit(const Exit& e) {
  const State& s = e.state;
  // Exceptions that code out of sight might throw are not held against a function; its own are.
  if (e.by_exception && !s.thrown) {
    trail_.silent(Silence::ThrownOutOfSight, kNoTerm, e.instr);
    return;
  }
  if (!manner_.counts_objects) return;  // nothing is counted there
  const auto guise = props().references->alias_of_.find(e.result);
  const TermId goes_along = guise == props().references->alias_of_.end() ? kNoTerm : guise->second;  // with the result
  for (const State::Lost& l : s.lost)
    if (l.object.term != goes_along && l.object.kind != ObjKind::Unknown) props().references->emit_lost(s, l, e.instr);
  const Ending end{.e = e,
                   .s = s,
                   .returned = e.by_exception ? kNoTerm : e.result,
                   .promises_new = contract_.gives_new,
                   .entry = subject_.is_entry(),
                   .returns_pointer = unit_.type(fn_.result).kind == model::TypeKind::Pointer};
  for (const Obj& o : s.objects) {
    if (o.term == goes_along) trail_.silent(Silence::GoesWithResult, o.term, e.instr);
    if (s.facts.known_zero(terms_, o.term) || o.term == goes_along) continue;
    if (o.escaped) trail_.silent(o.escaped.why(), o.term, e.instr);
    if (o.immortal && o.owned != 0) trail_.silent(Silence::NeverDies, o.term, e.instr);
    if (o.escaped || o.immortal || o.kind == ObjKind::Interior) continue;
    judge_object(end, o);
  }
  check_stored_borrows(e);
  check_replaced_globals(e);
  judge_result(end);
  check_failure_keeps(e);
}

namespace {

// What a variable of the program holds is lent at one end, and another gives a new object: it is the one object of its
// kind, which finds its way into the variable out of sight (the constructor of its class stores it). Nothing is said of
// it to callers, who cannot tell which they have.
void hide_only_one(const TermArena& terms, std::vector<std::pair<Outcome, const Exit*>>& exits) {
  auto lends_variable = [&](const auto& x) {
    const Exit& e = *x.second;
    if (e.result == kNoTerm || terms[e.result].kind != TermKind::Initial) return false;
    const Obj* o = e.state.object(e.result);
    return terms[terms.root(terms[e.result].left())].kind == TermKind::Global && (!o || o->owned == 0);
  };
  auto counts_variable = [&](const auto& x) {
    const Exit& e = *x.second;
    return e.result != kNoTerm && terms[e.result].kind == TermKind::Initial &&
           terms[terms.root(terms[e.result].left())].kind == TermKind::Global;
  };
  // The variable holds it without a reference, where the next one who asks is given one.
  auto in_variable = [&](const Exit& e) {
    return std::any_of(e.state.memory.begin(), e.state.memory.end(), [&](const Cell& c) {
      return c.value == e.result && terms[terms.root(c.base)].kind == TermKind::Global;
    });
  };
  const bool lends = std::any_of(exits.begin(), exits.end(), lends_variable);
  if (std::none_of(exits.begin(), exits.end(), counts_variable)) return;
  for (auto& [out, e] : exits)
    if (out.result.kind == specs::Value::Kind::Object &&
        ((lends && specs::owns(out, out.result.object)) || (!lends && in_variable(*e)))) {
      out.objects[out.result.object].owned = false;
      out.result = specs::Value{};
      out.when.push_back({{.root = Place::Root::Result}, ~std::uint64_t{0}, specs::Pred::Ne, 0, {}, false});
    }
}

}  // namespace

// A result that is sometimes a new reference and sometimes a borrowed one: no caller can be right. Reported
// here, and hidden from callers.
void ReferenceExits::check_mixed_result(std::vector<std::pair<Outcome, const Exit*>>& exits) {
  if (!manner_.counts_objects || contract_.gives_new || subject_.has_contract()) return;
  if (ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].unknown_result == specs::UnknownResult::None)
    hide_only_one(terms_, exits);
  if (!subject_.counted(fn_.result)) return;
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
  const std::uint32_t own = own_of_callers(ctx_, id_);  // these may go back with the reference that they came with
  auto argument = [&](const Outcome& o) {
    const specs::Value& r = o.result;
    if (r.kind != specs::Value::Kind::Place || r.place.root != Place::Root::Arg || !r.place.path.empty() ||
        r.place.address)
      return false;
    return !(r.place.index < 32 && own >> r.place.index & 1) && !given_up(r.place) &&
           std::none_of(o.counts.begin(), o.counts.end(), concerns(o)) &&
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
