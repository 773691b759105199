// When the simulation asks references: uses, reads and writes, calls and what is handed to them.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/causes.h"
#include "engine/core/hooks.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/borrows.h"
#include "engine/properties/references/deferred.h"
#include "engine/properties/references/references.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::Outcome;
using specs::Place;
using specs::Value;

// What the contract says is stolen is ours from the beginning.
void References::begin(State& s) {
  if (!manner_.counts_objects) return;
  for (std::uint32_t p = 0; p < fn_.params.size(); ++p) {
    if (!subject_.promise().gives(p)) continue;
    obj(s, terms_.param(p), kNone)->owned = 1;
  }
}

// An object found equal to another is no longer ours to judge: the one may be given back by the name of the other. What
// was lent to us brings no reference that could be given back so.
bool References::equal(State& s, TermId a, TermId b) {
  const auto lent = [&](TermId t) {
    const Obj* o = s.object(t);
    return o && o->owned <= 0 && !o->escaped &&
           (o->kind == ObjKind::Borrowed || (o->kind == ObjKind::Param && subject_.is_entry()));
  };
  const bool nothing_to_give = lent(a) || lent(b);
  const bool static_object = terms_[a].kind == TermKind::Global || terms_[b].kind == TermKind::Global;
  for (TermId t : {a, b})
    if (Obj* o = terms_[t].kind == TermKind::Global ? obj(s, t, kNone) : s.object(t);
        o && (o->kind == ObjKind::New || (o->kind == ObjKind::Unknown && static_object) ||
              (o->singleton && !nothing_to_give)))
      trail_.silence(*o, Silence::FoundEqual);
  return true;
}

bool References::is_object(const State& s, TermId t) const {
  const Obj* o = s.object(t);
  return o && (o->kind == ObjKind::New || o->kind == ObjKind::Borrowed);
}

void References::touch(State& s, TermId root, InstrId instr) {
  // What lives by a part of it that was made here (a platform device by its device) is gone with that.
  if (manner_.counts_objects && !s.object(root))
    for (const Obj& o : s.objects)
      if (o.kind == ObjKind::New && o.life == Life::Released && o.term != root && terms_.root(o.term) == root) {
        use(s, o.term, instr, {});
        break;
      }
  use(s, root, instr, {});
}

void References::loaded(State& s, TermId address, TermId v, InstrId instr) {
  const model::TypeId type = body_.instrs[instr].type;
  if (manner_.counts_objects && subject_.counted(type) && terms_[v].kind == TermKind::Initial && !s.object(v)) {
    Obj o;
    o.term = v;
    o.kind = ObjKind::Loaded;
    o.domain = subject_.domain_of(type);
    const TermId owner = terms_.owner_root(v);
    if (s.object(owner)) o.owner = owner;
    o.origin = instr;
    const auto* field = props().borrows->unstable_read(v);
    o.unstable = field != nullptr;
    if (ctx_.free_threaded && field && !field->safer.empty() && props().borrows->shared_container(s, owner))
      hooks_.each<&Property::borrowed>(s, instr, std::string(), field->safer);
    if (props().borrows->header_read(v, nullptr)) {
      o.kind = ObjKind::Borrowed;
      o.owner = owner;
    }
    s.add_object(o);
  }
  if (Obj* o = terms_[terms_.root(address)].kind == TermKind::Slot ? nullptr : s.object(v))
    o->stale = kNone;  // read again, it is there
}

// A counter raised by hand: `o->ob_refcnt++`.
bool References::storing(State& s, TermId address, TermId value, InstrId instr) {
  const auto [count, by] = terms_.split(value);
  if (by != 1 || !manner_.counts_objects || terms_[count].kind != TermKind::Initial || terms_[count].left() != address)
    return false;
  std::string_view field;
  const specs::CountedType* c = props().borrows->header_read(count, &field);
  if (const Member* member = trail_.member_at(address); !c && member) {  // of a union without a name
    c = ctx_.specs.find_counted(unit_.str(unit_.type(member->record).name));
    field = member->path;
  }
  if (!c || c->count_field.empty() || field != c->count_field) return false;
  acquire(s, address, instr);
  return true;
}

void References::written(State& s, TermId value, InstrId instr) {
  if (Obj* o = s.object(value)) o->touched = instr;
}

// Whatever array it is in may hold it now; also an argument whose reference is only taken next.
void References::stored_somewhere(State& s, TermId value, InstrId instr) {
  const Term& stored = terms_[value];
  const bool argument =
      stored.kind == TermKind::Param && stored.a < fn_.params.size() && subject_.counted(fn_.params[stored.a].type);
  const bool held = !argument && held_by_caller(terms_, unit_, value);
  if (Obj* o = argument || held ? obj(s, value, instr) : s.object(terms_.root(value)))
    trail_.silence(*o, Silence::UnknownIndex, instr);
}

void References::out_of_sight(State& s, TermId value) {
  if (Obj* o = s.object(value)) trail_.silence(*o, Silence::OutOfSight);
}

void References::covered(State& s, TermId value, InstrId instr) {
  if (Obj* o = s.object(terms_.root(value)); o && o->owned > 0) o->touched = instr;
}

std::optional<TermId> References::leads_into(const State& s, TermId pointer) const {
  const Obj* o = s.object(pointer);
  return o && o->kind == ObjKind::Interior ? std::optional(o->owner) : std::nullopt;
}

// One leak per round of the loop: it is told now, before the next round hides it.
void References::renewed(State& s, TermId symbol) {
  std::erase_if(s.lost, [&](const State::Lost& l) {
    if (l.object.term != symbol) return false;
    if (l.object.kind != ObjKind::Unknown) emit_lost(s, l, kNone);
    return true;
  });
}

namespace {

// Does an API not say what unknown functions do with what they are given?
bool nothing_said(const Context& ctx, specs::DomainId domain) {
  return ctx.specs.domains()[domain].unknown_result == specs::UnknownResult::None;
}

// And are its objects plain memory as well? Where functions fail by error numbers, other rules ask who has an argument.
bool any_may_end(const Context& ctx, const Subject& subject, specs::DomainId domain) {
  return nothing_said(ctx, domain) && !subject.fails_by_errno(domain);
}

// A function that somebody gave us a pointer to and that answers nothing may there be the one that the object was made
// for.
bool ends_objects(const model::Body& body, const Instr& call) {
  return body.ops(call)[0].kind != OperandKind::Symbol && call.result == kNone;
}

bool may_take(const Context& ctx, const Subject& subject, const model::Body& body, const Instr& call, const Obj& o) {
  const bool told = o.kind == ObjKind::Param && any_may_end(ctx, subject, o.domain);
  return (o.kind == ObjKind::New || told) && ends_objects(body, call) && nothing_said(ctx, o.domain);
}

bool is_interior(const State& s, TermId t) {
  const Obj* o = s.object(t);
  return o && o->kind == ObjKind::Interior;
}
}  // namespace

bool References::changes_count(const Outcome& o) const { return !o.counts.empty(); }

bool References::gives_up(const Outcome& o) const {
  return std::any_of(o.counts.begin(), o.counts.end(),
                     [](const specs::CountChange& c) { return c.delta < 0 && c.kind.empty(); });
}

bool References::gives_up_argument(std::span<const Outcome> outcomes) const {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    return std::any_of(o.counts.begin(), o.counts.end(),
                       [](const specs::CountChange& c) { return c.delta < 0 && c.object.path.empty(); });
  });
}

bool References::argument(State& s, const Call& call, std::size_t a) {
  const TermId t = call.args[a];
  if (!call.releases) {
    use(s, terms_.root(t), call.index, call.callee);
    // The part of a structure that it lives by.
    if (const Obj* o = subject_.embedded(t) ? s.object(t) : nullptr;
        o && o->kind == ObjKind::New && o->life == Life::Released)
      use(s, t, call.index, call.callee);
  }
  // Pointers into an object, kept in an array that is passed on, unless the call is to write there.
  if (terms_[t].kind == TermKind::Slot)
    for (std::size_t k = 0; k < s.memory.size(); ++k)
      if (const Cell c = s.memory[k]; c.base == t && !calls_.fills(call.index, call.spec, a, c.offset) &&
                                      (terms_.root(c.value) != c.value || is_interior(s, c.value)))
        use(s, terms_.root(c.value), call.index, call.callee);
  return true;
}

// Asked again of the same object, or of the same globals, a pure function gives what it gave before.
std::optional<TermId> References::asked_before(State& s, const Call& call) {
  if (!call.spec || !call.spec->pure || !manner_.counts_objects) return std::nullopt;
  const auto ops = body_.ops(body_.instrs[call.index]);
  for (const Obj& o : s.objects) {
    if ((o.kind != ObjKind::Borrowed && o.kind != ObjKind::Interior) || o.origin == kNone || o.origin == call.index)
      continue;
    const Instr& before = body_.instrs[o.origin];
    const auto asked = body_.ops(before);
    if (before.op != model::Op::Call || asked.size() != ops.size() || !(asked[0] == ops[0])) continue;
    const bool same = o.owner != kNoTerm ? call.args.size() == 1 && o.owner == call.args[0]
                                         : std::equal(ops.begin(), ops.end(), asked.begin()) &&
                                               std::all_of(ops.begin(), ops.end(),
                                                           [](const auto& x) { return x.kind == OperandKind::Symbol; });
    if (same) return o.term;
  }
  return std::nullopt;
}

namespace {
// Whatever the callee did about its fields.
void forget_garbage(State& s, TermId t) {
  if (Obj* o = s.object(t)) o->garbage = false;
}
}  // namespace

void References::before_targets(State& s, const Call& call, const Targets& targets) {
  for (std::uint32_t a = 0; a < call.args.size(); ++a)
    if (const Obj* o = s.object(call.args[a]); o && o->garbage && !may_free_bare(targets, a))
      forget_garbage(s, call.args[a]);
}

void References::after_targets(States& out, std::size_t from, const Call& call, const Targets& targets) {
  for (std::size_t n = from; n < out.size(); ++n)
    for (TermId t : call.args) forget_garbage(out[n], t);
  // Which of several functions is called may depend on the very object: each class has one that ends its own.
  const auto& all = targets.functions;
  const bool unsure = all.size() > 1 && any_may_end(ctx_, subject_, ctx_.unit_domain[unit_id_]);
  for (std::uint32_t a = 0; a < call.args.size() && unsure; ++a) {
    const auto ending = std::count_if(all.begin(), all.end(),
                                      [&](FuncId f) { return Deferred::may_end(ctx_.summaries[f].outcomes, a); });
    if (ending == 0 || static_cast<std::size_t>(ending) == all.size()) continue;
    int most = 0;
    for (std::size_t n = from; n < out.size(); ++n)
      if (const Obj* o = out[n].object(call.args[a])) most = std::max<int>(most, o->owned);
    for (std::size_t n = from; n < out.size(); ++n)
      if (Obj* o = obj(out[n], call.args[a], call.index); o && o->owned >= most)
        trail_.silence(*o, Silence::UnknownCallee, call.index);
  }
  if (targets.functions.size() != 1) return;
  for (std::size_t n = from; n < out.size(); ++n) used_by_callee(out[n], call.index, targets.functions[0], call.args);
}

void References::preexists(State& s, TermId result) {
  if (Obj* o = s.object(result)) o->preexisting = true;
}

// A function of the program whose outcomes are not known, for they are too many, does something with what it is given.
void References::handing(State& s, const Call& call, std::size_t a, bool ours) {
  const TermId root = terms_.root(call.args[a]);
  if (!ours || terms_[root].kind != TermKind::Slot) return;
  for (const Cell& c : s.memory)
    if (Obj* o = c.base == root ? s.object(c.value) : nullptr) trail_.silence(*o, Silence::TooManyOutcomes, call.index);
}

void References::handed(State& s, const Call& call, std::size_t a, const model::Type* type) {
  const TermId root = terms_.root(call.args[a]);
  const bool as_object = type && a < type->params.size() && subject_.counted(type->params[a]);
  // An argument that nothing was done with so far, too: who gets a packet may take it over.
  // So may who gets it without its type.
  const Term& given = terms_[call.args[a]];
  auto untyped = [&](model::TypeId t) {
    return unit_.type(t).kind == model::TypeKind::Pointer &&
           unit_.type(unit_.type(t).elem).kind == model::TypeKind::Void;
  };
  const Instr& i = body_.instrs[call.index];
  const specs::DomainId domain = ctx_.unit_domain[unit_id_];
  const bool parameter = given.kind == TermKind::Param && given.a < fn_.params.size();
  // Where nothing is said of unknown functions, callers are told what holds for objects that were made here.
  const bool may_go = any_may_end(ctx_, subject_, domain) && (!as_object || ends_objects(body_, i));
  const bool argument =
      parameter && ((may_go && unit_.type(fn_.params[given.a].type).kind == model::TypeKind::Pointer) ||
                    (subject_.fails_by_errno(domain) && (subject_.counted(fn_.params[given.a].type) ||
                                                         (!as_object && untyped(fn_.params[given.a].type)))));
  if (Obj* o = argument ? obj(s, root, call.index) : s.object(root)) {
    o->garbage = false;
    // Who gets it without its type cannot take what was only lent to us.
    const bool lent = o->kind == ObjKind::Borrowed && o->owned <= 0 && type && a < type->params.size() &&
                      untyped(type->params[a]) && !subject_.fails_by_errno(o->domain);
    if (!lent && (!as_object || may_take(ctx_, subject_, body_, i, *o)))
      trail_.silence(*o, Silence::UnknownCallee, call.index);
  }
  if (Obj* o = s.object(call.args[a]); o && as_object) o->handed = true;
  // Who is given the queue that has it may take it out again.
  for (Obj& o : s.objects)
    if (subject_.fails_by_errno(o.domain) &&
        std::find(o.holders.begin(), o.holders.end(), call.args[a]) != o.holders.end())
      trail_.silence(o, Silence::HolderEscaped, call.index);
  // Who cleans up, and has nothing to answer, may give back what stands in the structure it is given.
  const TermId owner = terms_.owner_root(call.args[a]);
  const bool pointer = type && a < type->params.size() && unit_.type(type->params[a]).kind == model::TypeKind::Pointer;
  if (pointer && body_.instrs[call.index].result == kNone && terms_[owner].kind == TermKind::Param)
    for (const Cell& c : s.memory)
      if (Obj* o = terms_.owner_root(c.base) == owner ? s.object(c.value) : nullptr;
          o && o->kind == ObjKind::New && o->owned > 0 && subject_.fails_by_errno(o->domain))
        trail_.silence(*o, Silence::HolderEscaped, call.index);
  // An object that lives by a part of it is lent, like others, unless even its type is not told.
  const bool as_struct = type && a < type->params.size() &&
                         unit_.type(type->params[a]).kind == model::TypeKind::Pointer &&
                         unit_.type(unit_.type(type->params[a]).elem).kind == model::TypeKind::Struct;
  if (as_struct) return;
  for (Obj& o : s.objects)
    if (o.kind == ObjKind::New && subject_.embedded(o.term) && terms_.root(o.term) == root)
      trail_.silence(o, Silence::UnknownCallee, call.index);
}

void References::unknown_result(State& s, const Call& call, TermId result) {
  const Instr& i = body_.instrs[call.index];
  if (subject_.counted(i.type)) {
    obj(s, result, call.index);
  } else if (unit_.type(i.type).kind == model::TypeKind::Pointer && call.args.size() == 1) {
    // What one object was asked for may be the object in another guise.
    if (const Obj* o = s.object(call.args[0]); o && o->kind == ObjKind::New && o->owned > 0 && !o->escaped)
      alias_of_.emplace(result, o->term);
  }
}

void References::effects(State& s, const Applying& call) {
  const std::vector<Taken> taken = stolen_by(s, call);
  apply_counts(s, call);
  apply_holds(s, call, taken);
}

void References::part_of(State& s, const Applying& call, TermId t, const specs::Value&, TermId whole) {
  if (!manner_.counts_objects || !obj(s, whole, call.index)) return;
  Obj n;
  n.term = t;
  n.kind = ObjKind::Interior;
  n.domain = call.domain;
  n.owner = whole;
  n.origin = call.index;
  s.add_object(n);
}

// Found to be some other object: not ours to judge any more.
void References::found(State& s, TermId t) {
  if (Obj* x = s.object(t); x && (x->kind == ObjKind::New || x->owned > 0)) trail_.silence(*x, Silence::FoundElsewhere);
}

// Memory, other than an object, that a call in this function has made: it is there unless memory ran out.
bool References::is_own_memory(const State& s, TermId t) const {
  const Term& x = terms_[t];
  if (x.kind != TermKind::Fresh || x.a >= body_.instrs.size() || s.object(t)) return false;
  const Instr& made = body_.instrs[x.instr()];
  if (made.op != model::Op::Call || body_.ops(made)[0].kind != OperandKind::Symbol) return false;
  const model::SymId callee = body_.ops(made)[0].symbol_id();
  if (const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][callee]) return null_without_memory(spec->outcomes);
  const FuncId f = ctx_.program.definition(unit_id_, callee);
  return f != kNone && null_without_memory(ctx_.summaries[f].outcomes);
}

// What a helper put into memory that outlives the call is that memory's, and the helpers', to release. But what it left
// through an out-parameter of ours is our callers', and what it put into memory of ours, or into what it returns, is
// ours, as if it had been made here.
void References::stored_by_callee(State& s, const Applying& call, TermId address, TermId value, TermId result) {
  const TermId root = terms_.root(address);
  if (call.spec || root == result || terms_[root].kind == TermKind::Slot) return;
  if (is_own_memory(s, root)) return;
  if (const Term& out = terms_[address]; out.kind == TermKind::Param && out.a < fn_.params.size())
    if (const model::Type& type = unit_.type(fn_.params[out.a].type);
        type.kind == model::TypeKind::Pointer && subject_.counted(type.elem))
      return;
  if (Obj* x = s.object(value); x && x->kind == ObjKind::New && value != result && x->origin == call.index)
    trail_.silence(*x, Silence::StoredByCallee, call.index);
}

// A result of counted type of which nothing else is said.
void References::result(State& s, const Applying& call, TermId result) {
  if (!call.spec && call.outcome->result.kind == Value::Kind::Unknown &&
      subject_.counted(body_.instrs[call.index].type) && !s.object(result))
    obj(s, result, call.index);
}

void References::finish(State& s, const Applying& call, TermId result) { apply_result_counts(s, call, result); }

}  // namespace reckon::engine
