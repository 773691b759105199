// Code that runs behind the function's back: what it may do to borrowed references, and what other threads may.
//
// The problem: an item of a list or dict is lent only as long as the container holds it, and a comparison, a call or
// a conversion in between may run code that takes it out. The method: calls that run arbitrary code make such items
// stale; the next use of a stale one is an event. Releasing what a member holds before the member is rewritten is
// the mirror image: the code that the release runs still finds the dead object there.
//
// Limits: containers made in this function and not handed out are safe, those that a call lends for good (a module's
// dict) are taken to be, and so are arguments made for one call. Code that a release runs is not held against other
// borrows: nearly every release could, and nearly none does.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/references/borrows.h"
#include "program/types.h"

namespace reckon::engine {

using model::kNone;

// May others change this container? `container` is what an item was borrowed from.
bool Borrows::shared_container(const State& s, TermId container) const {
  const Term& x = terms_[container];
  if (x.kind == TermKind::Param && x.a > 0 && id_ < ctx_.private_params.size() && ctx_.private_params[id_])
    return false;
  const Obj* o = s.object(container);
  if (!o) return x.kind == TermKind::Param || x.kind == TermKind::Initial || x.kind == TermKind::Global;
  if (o->kind == ObjKind::New) return !o->holders.empty();
  // Lent by a call, not stored for us by one: a module's or a type's dict.
  if (o->kind == ObjKind::Borrowed && x.kind == TermKind::Fresh) return x.imm >= static_cast<std::int64_t>(kOutParam);
  return o->kind != ObjKind::Unknown && o->owned == 0;
}

void Borrows::code_ran(State& s, const Call& call) {
  const InstrId instr = call.index;
  for (Obj& o : s.objects) {
    if (!o.unstable || o.owned != 0 || o.escaped || !o.holders.empty() || o.life == Life::Released || o.origin == instr)
      continue;
    if (o.owner != kNoTerm && !shared_container(s, o.owner)) continue;
    if (o.stale == kNone) o.stale = instr;
  }
}

// Was `v` read from an array of items that any code may change?
const specs::DomainSpec::UnstableField* Borrows::unstable_read(TermId v) const {
  if (terms_[v].kind != TermKind::Initial) return nullptr;
  const TermId array = terms_.root(terms_[v].left());
  if (terms_[array].kind != TermKind::Initial) return nullptr;
  const Member* member = trail_.member_at(terms_[array].left(), terms_[array].imm);
  if (!member) return nullptr;
  const std::string name = trail_.full_name(*member);
  const DomainId d = ctx_.unit_domain[unit_id_];
  if (d >= ctx_.specs.domains().size()) return nullptr;
  const auto& fields = ctx_.specs.domains()[d].unstable_fields;
  auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& known) { return known.name == name; });
  return field != fields.end() ? &*field : nullptr;
}

// Was `v` read from the struct that has the counter? What stands there (an object's type) is lent by the object; what
// the object owns stands behind it.
const specs::CountedType* Borrows::header_read(TermId v, std::string_view* field) const {
  if (terms_[v].kind != TermKind::Initial) return nullptr;
  const Member* member = trail_.member_at(terms_[v].left(), terms_[v].imm);
  if (!member) return nullptr;
  const std::vector<program::Step> steps = program::steps_of_path(unit_, member->record, member->path);
  if (steps.empty() || !steps.back().is_field()) return nullptr;
  const specs::CountedType* c = ctx_.specs.find_counted(program::record_name(unit_, steps.back()));
  if (!c || c->count_field.empty()) return nullptr;
  if (field) *field = unit_.str(steps.back().field);
  return c;
}

// Does the call give a reference up, and so run the code of a deallocator? Not one that puts something else in the
// place of what it gives up: that is its own affair.
bool Borrows::runs_code_by_releasing(InstrId call) const {
  const auto ops = body_.ops(body_.instrs[call]);
  if (ops[0].kind != model::OperandKind::Symbol) return false;
  const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
  const auto outcomes = calls_.outcomes_of({.index = call, .spec = spec, .args = {}});
  if (std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) { return !o.stores.empty(); }))
    return false;
  if (spec) return spec->runs_code;
  return std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) {
    return std::any_of(o.counts.begin(), o.counts.end(), [](const specs::CountChange& c) {
      return c.delta < 0 && c.kind.empty() && c.object.root == specs::Place::Root::Arg && c.object.path.empty();
    });
  });
}

// A member is about to get `value`: was what it held given up while it still stood there?
void Borrows::overwriting(State& s, TermId base, std::int64_t offset, TermId value) {
  if (contract_.frees_object || s.cell(base, offset) || terms_[terms_.owner_root(base)].kind != TermKind::Param) return;
  const TermId old = terms_.initial(base, offset, std::max(s.epoch(base), s.epoch(terms_.root(base))));
  const Obj* o = s.object(old);
  if (!o || o->kind != ObjKind::Loaded || o->owned >= 0 || o->escaped || o->indirect || o->stolen ||
      o->released == kNone)
    return;
  if (value == old || body_.instrs[o->released].op != model::Op::Call) return;
  if (!runs_code_by_releasing(o->released) || subject_.fails_by_errno(o->domain) || cxx_library(unit_.name(fn_.symbol)))
    return;
  Event* e = trail_.emit(EventKind::BorrowAcross, s, o, o->released, trail_.callee_name(body_.instrs[o->released]));
  if (!e) return;
  e->get<BorrowAcrossFacts>().replaced_too_late = true;
  // Code that runs gets at members of objects, not at plain structs and variables of callers; an object that is about
  // to go is reached by nobody; and an object of a struct of the program's own runs no code but what that type does.
  const Term& owner = terms_[terms_.owner_root(base)];
  const bool plain = owner.a >= fn_.params.size() || !subject_.counted(fn_.params[owner.a].type);
  const model::TypeId member = old < trail_.term_types_.size() ? trail_.term_types_[old] : model::TypeId{};
  const bool any_object = member == 0 || unit_.type(member).kind != model::TypeKind::Pointer ||
                          ctx_.specs.find_counted(unit_.str(unit_.type(unit_.type(member).elem).name));
  e->doubtful = plain || ctx_.ends_objects[id_] || !any_object;
}

// Without a container among the arguments it borrows from one that all share, such as the list of modules.
void Borrows::before_call(State& s, const Call& call) {
  if (ctx_.free_threaded && !call.spec->safer.empty() && !call.args.empty() &&
      (!calls_.object_parameter(call.index, 0) || shared_container(s, terms_.root(call.args[0]))))
    hooks_.each<&Property::borrowed>(s, call.index, call.callee, call.spec->safer);
}

}  // namespace reckon::engine
