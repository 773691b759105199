// Objects of the program's own types: fields that nobody has set, memory given back as it is, and what the slots
// that make, fill and destroy them promise.
//
// A deallocator's view of its object is known from its body: the members it reads objects from. An object made
// without its fields being cleared must have all of them set before its last reference goes. Memory that is freed
// without the deallocator keeps what its members held, its type included, from ever being released.
//
// Limits: which type an object has is known only where it is made from a global; only direct reads count.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/calls.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/properties/types/types.h"
#include "specs/parser.h"

namespace reckon::engine {

using model::kNone;

// A type that is a variable of the program: its one reference is the variable's own. From some version on such objects
// are not counted (`immortal STRUCT since V`).
bool Types::counted_type(TermId global) const {
  if (terms_[global].kind != TermKind::Global) return false;
  std::string_view name = terms_.global_name(global);
  name = name.substr(0, name.find('@'));
  for (const model::Symbol& x : unit_.symbols) {
    if (x.kind != model::SymbolKind::Variable || unit_.str(x.name) != name) continue;
    const std::string_view record = unit_.str(unit_.type(x.type).name);
    if (std::find(ctx_.type_records.begin(), ctx_.type_records.end(), record) == ctx_.type_records.end()) return false;
    const specs::GlobalSpec* all = ctx_.specs.find_global(record);
    const std::string& version = ctx_.unit_version[unit_id_];
    return !(all && !version.empty() && specs::up_to_version(all->immortal_since, version));
  }
  return false;
}

// Types of the program that were handed over without a reference. One function that does so for many does it by habit:
// told once. Judged at the end, as the reference may be taken after the call.
void Types::check_types_handed(const State& s) {
  if (s.exception == ExcState::Set) return;
  const Obj* first = nullptr;
  std::uint32_t all = 0;
  for (const Obj& o : s.objects) {
    if (o.kind != ObjKind::Global || !o.stolen || o.owned >= 0 || o.singleton || o.immortal || o.escaped ||
        o.indirect || !counted_type(o.term))
      continue;
    ++all;
    if (!first || o.released < first->released) first = &o;
  }
  if (Event* e = first ? trail_.emit(EventKind::OverRelease, s, first, first->released) : nullptr)
    e->get<OverReleaseFacts>().other_types = all - 1;
}

// Does some branch depend on what a type says?
bool Types::decides_by_type() const {
  std::vector<char> derived(body_.num_values, 0);
  for (const model::Instr& i : body_.instrs) {
    bool from = false;
    for (const model::Operand& o : body_.ops(i))
      from = from || (o.kind == model::OperandKind::Value && o.id < derived.size() && derived[o.id]);
    if (from && (i.op == model::Op::CondBr || i.op == model::Op::Switch)) return true;
    if (i.result != kNone && i.result < derived.size()) derived[i.result] = from || subject_.is_type_pointer(i.type);
  }
  return false;
}

// The memory of `t` is given back as it is.
void Types::given_back(State& s, TermId t, InstrId instr) {
  const bool own = contract_.frees_object && t == terms_.find_param(0);
  Obj* o = own ? props().references->obj(s, t, instr) : s.object(t);
  if (!o) return;
  if (own) {
    s.self_freed = true;
    o->life = Life::Released;
    o->released = instr;
    return;
  }
  if (o->kind == ObjKind::New && o->escaped) trail_.silent(o->escaped.why(), o->term, instr);
  if (o->kind != ObjKind::New || o->escaped) return;
  // References in its fields are nobody's from here on.
  std::erase_if(s.memory, [&](const Cell& c) { return c.base == t; });
  if (o->key != kNoTerm && o->garbage) {
    const TermKind k = terms_[terms_.root(o->key)].kind;
    if (k == TermKind::Param || k == TermKind::Initial) s.type_held = o->key;
  }
}

// The last reference to an object whose fields were never cleared: will its deallocator find garbage?
void Types::died(State& s, TermId t, InstrId instr) {
  const Obj& o = *s.object(t);
  if (!o.garbage) return;
  if (o.key == kNoTerm || terms_[o.key].kind != TermKind::Global || s.epoch(o.term) != 0) return;
  auto it = ctx_.released_members.find(std::string(terms_.global_name(o.key)));
  if (it == ctx_.released_members.end()) return;
  for (std::int64_t offset : it->second) {
    if (s.cell(o.term, offset)) continue;
    if (Event* e = trail_.emit(EventKind::UninitUse, s, &o, instr, trail_.callee_name(body_.instrs[instr])))
      e->get<UninitFacts>().use = UninitFacts::Use::Dealloc;
    return;
  }
}

namespace {
// The last store to this offset of a parameter, else `otherwise`.
InstrId store_to(const model::Body& body, model::ValueId param, std::int64_t offset, InstrId otherwise) {
  InstrId found = otherwise;
  std::vector<char> field(body.num_values, 0);
  for (InstrId n{}; n < body.instrs.size(); ++n) {
    const model::Instr& i = body.instrs[n];
    const auto ops = body.ops(i);
    if (ops.empty() || ops[0].kind != model::OperandKind::Value || ops[0].id >= field.size()) continue;
    if (i.op == model::Op::Field && ops[0].value_id() == param && i.imm == offset) field[i.result] = 1;
    if (i.op == model::Op::Store && field[ops[0].id]) found = n;
  }
  return found;
}
}  // namespace

// What an exit of a function in a slot owes to those who call it, besides its result.
void Types::check_contract(const Exit& e) {
  const State& s = e.state;
  if (e.by_exception) return;
  if (s.type_held != kNoTerm || (contract_.drops_type && s.self_freed && !s.type_released))
    trail_.emit(EventKind::TypeKept, s, nullptr, e.instr);
  note_members(s);
  if (e.result == kNoTerm || fn_.params.empty()) return;
  const Range r = s.facts.range(terms_, e.result);
  if (!r.is_single() || r.lo < 0) return;
  const TermId self = terms_.find_param(0);
  if (contract_.runs_again && self != kNoTerm && !std::binary_search(s.clobbered.begin(), s.clobbered.end(), self)) {
    for (const Cell& c : s.memory) {
      if (c.base != self) continue;
      const Obj* now = s.object(c.value);
      if (!now || now->owned <= 0 || now->escaped || now->kind == ObjKind::Interior) continue;
      const TermId old = terms_.initial(c.base, c.offset, 0);
      const Obj* before = s.object(old);
      if (c.value == old || s.facts.known_zero(terms_, old) || (before && (before->owned < 0 || before->escaped)))
        continue;
      Obj lost;
      lost.term = old;
      lost.kind = ObjKind::Loaded;
      lost.domain = now->domain;
      lost.origin = now->touched;
      // It is lost where the member gets the new one, whatever is done with that afterwards.
      const Member* member = trail_.member_at(c.base, c.offset);
      InstrId at = now->touched == kNone ? e.instr : now->touched;
      if (member) at = member->stored != kNone ? member->stored : store_to(unit_, body_, member->path, at);
      if (Event* ev = trail_.emit(EventKind::Leak, s, &lost, at))
        ev->get<LeakFacts>().reason = LeakFacts::Reason::InitialisedAgain;
    }
  }
  if (contract_.fills_view && fn_.params.size() > 1) {
    const model::Type& view = unit_.type(fn_.params[1].type);
    if (view.kind != model::TypeKind::Pointer) return;
    for (const model::Field& f : unit_.type(view.elem).fields) {
      if (!subject_.counted(f.type)) continue;
      const Cell* c = s.cell(terms_.find_param(1), static_cast<std::int64_t>(f.offset));
      State copy = s;
      const Obj* o = c ? props().references->obj(copy, c->value, e.instr) : nullptr;
      if (o && !o->escaped && o->owned < 1 && !o->immortal && o->kind != ObjKind::Unknown)
        trail_.emit(EventKind::BorrowedReturned, s, o,
                    store_to(body_, model::ValueId(1), static_cast<std::int64_t>(f.offset), e.instr));
      break;
    }
  }
}

// Fields that hold a reference of their own when the function ends.
void Types::note_members(const State& s) {
  // An argument of one of the program's own types in a field for objects of any kind.
  auto narrower_than_field = [&](TermId t, model::TypeId field) {
    if (terms_[t].kind != TermKind::Param || terms_[t].a >= fn_.params.size()) return false;
    auto record_of = [&](model::TypeId type) {
      const model::Type& x = unit_.type(type);
      return x.kind == model::TypeKind::Pointer ? unit_.str(unit_.type(x.elem).name) : std::string_view();
    };
    const std::string_view given = record_of(fn_.params[terms_[t].a].type);
    return !given.empty() && !ctx_.specs.find_counted(given) && given != record_of(field);
  };
  for (const Cell& c : s.memory) {
    const Obj* o = s.object(c.value);
    if (!o || o->owned <= 0 || o->singleton || o->kind == ObjKind::Interior) continue;
    if (o->escaped.why() == Silence::MaySink) continue;  // the reference may be somebody else's
    const Member* member = trail_.member_at(c.base, c.offset);
    if (!member) continue;
    const std::string_view record = unit_.str(unit_.type(member->record).name);
    if (record.empty() || !subject_.counted(member->type)) continue;
    OwnedMember m{std::string(record), std::string(member->path),
                  (o->kind == ObjKind::Param && !narrower_than_field(o->term, member->type)) ||
                      (o->kind == ObjKind::Borrowed && o->owner == kNoTerm)};
    if (std::find(result_.owned_members.begin(), result_.owned_members.end(), m) == result_.owned_members.end())
      result_.owned_members.push_back(std::move(m));
  }
}

void Types::releasing(State& s, TermId t) {
  if (t < trail_.term_types_.size() && subject_.is_type_pointer(trail_.term_types_[t])) s.type_released = true;
  if (t == s.type_held) s.type_held = kNoTerm;
}

// An object's deallocator may give up what the object itself held, its type included.
bool Types::may_release(const State& s, TermId t) const {
  const bool is_type = t < trail_.term_types_.size() && subject_.is_type_pointer(trail_.term_types_[t]);
  return (contract_.frees_object && s.object(t)->kind == ObjKind::Borrowed &&
          !(contract_.frees_static_object() && is_type && !depends_on_type_)) ||
         (!contract_.given && is_type && ctx_.ends_objects[id_]);
}

void Types::begin(State&) {
  depends_on_type_ = contract_.frees_static_object() && (ctx_.of_both_types[id_] || decides_by_type());
}

void Types::exit(const Exit& e) {
  if (!manner_.counts_objects) return;
  check_contract(e);
  check_types_handed(e.state);
}

// What the function released of an object besides, such as its type, cannot be told: callers must not miss it.
void Types::sum_up(const Exit& e, const NewObjects&, specs::Outcome& o) const {
  auto released_part = [&](const Obj& x) {
    specs::Place of;
    return x.kind == ObjKind::Borrowed && x.owned < 0 && x.owner != kNoTerm && to_place(terms_, x.owner, of) &&
           std::find(o.bare_frees.begin(), o.bare_frees.end(), of) != o.bare_frees.end();
  };
  const auto& objects = e.state.objects;
  if (e.state.type_released || std::any_of(objects.begin(), objects.end(), released_part)) o.bare_frees.clear();
}

void Types::effects(State& s, const Applying& call) {
  for (const specs::Place& p : call.outcome->bare_frees)
    if (const auto t = calls_.place(s, p, *call.args, call.index, kNoTerm)) {
      given_back(s, *t, call.index);
      s.note_deed(terms_, {specs::effect_rows::bare_frees, *t});
    }
}

}  // namespace reckon::engine
