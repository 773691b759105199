// References that a function leaves in places which are released later, without one to give.
//
// The problem: `self->x = arg;` without taking a reference, where the destructor gives up what `x` holds: the reference
// that goes then was somebody else's. The same if a module or container took over the only reference to an object that
// a member or a global goes on pointing to. The method: at the ends of a function, each place written is judged by who
// releases what it holds: deallocators and functions that clear, for members of structs; or the function itself, if it
// has just given up what stood there before. What stands there now must have come with a reference. So must an argument
// that an entry point leaves in a global, or in a member that others use and nobody releases (lasting_fields.cpp).
//
// Limits: arguments of functions that only the program itself calls are judged if all calls in sight lend them, or if
// there are none; fields of structs whose deallocator is out of sight are not judged.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/properties/references/seldom_lost.h"

namespace reckon::engine {

using model::kNone;

InstrId store_to(const model::Unit& unit, const model::Body& body, std::string_view name, InstrId otherwise) {
  std::vector<char> address(body.num_values, 0);
  InstrId found = otherwise;
  for (InstrId n{}; n < body.instrs.size(); ++n) {
    const model::Instr& i = body.instrs[n];
    const auto ops = body.ops(i);
    if (i.op == model::Op::Field && i.aux != kNone && i.result < address.size() &&
        unit.str(body.fields[i.aux].path) == name)
      address[i.result] = 1;
    if (i.op != model::Op::Store || ops[1].kind == model::OperandKind::Null) continue;
    if (ops[0].kind == model::OperandKind::Value && ops[0].id < address.size() && address[ops[0].id]) found = n;
    if (ops[0].kind == model::OperandKind::Symbol && unit.name(ops[0].symbol_id()) == name) found = n;
  }
  return found;
}

// Will what this place holds be released? `name`: the field or global, for people.
bool ReferenceExits::owning_cell(const State& s, const Cell& c, std::string& name) {
  if (const Member* member = trail_.member_at(c.base, c.offset)) {
    name = member->path;
    if (ctx_.released_fields.contains(trail_.full_name(*member))) return true;
  } else if (terms_[c.base].kind == TermKind::Global && c.offset == 0) {
    name = terms_.global_name(c.base);
    name = name.substr(0, name.find('@'));
  } else {
    return false;
  }
  // The function itself gave up what stood there, and that had no reference besides.
  const TermId old = terms_.initial(c.base, c.offset, 0);
  const Obj* before = old != c.value ? s.object(old) : nullptr;
  return before && before->owned < 0 && !before->escaped && !before->stolen && !before->indirect;
}

// An argument that no caller in sight gives up: all lend it, or there are none.
bool ReferenceExits::hands_nothing_over(TermId t) const {
  if (subject_.borrowed_from_callers(t)) return true;
  const model::Symbol& symbol = unit_.symbols[fn_.symbol];
  return !contract_.given && symbol.linkage == model::Linkage::External && !symbol.address_taken &&
         ctx_.program.callers(id_).empty() && ctx_.program.roles(id_).empty();
}

// An argument other than the object itself, or what was taken from one.
bool ReferenceExits::left_by_caller(const State& s, TermId t) const {
  const Term& stored = terms_[t];
  if (stored.kind == TermKind::Param) return stored.a > 0;
  const Obj* known = s.object(subject_.untagged(t));
  return known && known->kind == ObjKind::Borrowed &&
         (known->unstable || (stored.kind == TermKind::Fresh && stored.imm >= static_cast<std::int64_t>(kOutParam)));
}

// A member of the object an entry point is called with, or that it makes and returns, in which it leaves something that
// others use later. What is held together with the container it came from lives as long as that.
bool ReferenceExits::lasting_member(const Exit& e, const Cell& c, std::string& name) const {
  const State& s = e.state;
  if (!subject_.is_entry() || contract_.fills_view) return false;
  const Term& stored = terms_[c.value];
  const Obj* holder = s.object(c.base);
  const bool returned = c.base == e.result && holder && holder->kind == ObjKind::New &&
                        stored.kind == TermKind::Param && !ctx_.private_params[id_];
  if (!returned && !(c.base == terms_.find_param(0) && left_by_caller(s, c.value))) return false;
  const Member* member = trail_.member_at(c.base, c.offset);
  if (!member || !ctx_.lasting_fields.contains(trail_.full_name(*member))) return false;
  name = member->path;
  return std::none_of(s.objects.begin(), s.objects.end(),
                      [&](const Obj& o) { return o.kind == ObjKind::Param && o.owned > 0 && o.term != c.value; });
}

bool ReferenceExits::is_object_argument(TermId t) const {
  return terms_[t].kind == TermKind::Param && terms_[t].a < fn_.params.size() &&
         subject_.counted(fn_.params[terms_[t].a].type);
}

void ReferenceExits::check_stored_borrows(const Exit& e) {
  const State& s = e.state;
  if (e.by_exception || contract_.frees_object) return;
  auto global_type = [&](TermId base) {
    std::string_view name = terms_.global_name(base);
    name = name.substr(0, name.find('@'));
    for (const model::Symbol& x : unit_.symbols)
      if (x.kind == model::SymbolKind::Variable && unit_.str(x.name) == name) return x.type;
    return model::TypeId{0};
  };
  const bool promised = contract_.gives_new || contract_.result_goes_out;
  for (const Cell& c : s.memory) {
    if (terms_.is_const(c.value) || terms_[terms_.owner_root(c.base)].kind == TermKind::Slot) continue;
    const Obj* known = s.object(subject_.untagged(c.value));
    const bool made_here = known && known->kind == ObjKind::New;
    if (s.exception == ExcState::Set && !made_here) continue;
    const Obj* holder = s.object(terms_.root(c.base));
    if (holder && holder->escaped) trail_.silent(Silence::HolderEscaped, holder->term, e.instr);
    if (holder && (holder->life == Life::Released || holder->escaped)) continue;
    std::string name;
    const bool owning = owning_cell(s, c, name);
    const bool global = terms_[c.base].kind == TermKind::Global && !name.empty();
    // A global of the program that an argument of the interpreter, or what was taken from one, is left in: it outlives
    // it.
    const bool from_outside = left_by_caller(s, c.value);
    const bool remembered =
        global && subject_.is_entry() &&
        ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].failure_value == specs::FailureValue::Exception &&
        from_outside && subject_.counted(global_type(c.base));
    const bool member = !owning && !global && lasting_member(e, c, name);
    if (!owning && !remembered && !member && !(global && made_here)) {
      if (known ? known->owned <= 0 && known->kind != ObjKind::Interior : is_object_argument(c.value))
        trail_.silent(Silence::NobodyReleases, c.value, e.instr);
      continue;
    }
    State copy = s;
    const Obj* o = props().references->obj(copy, c.value, e.instr);
    if (o && o->escaped) trail_.silent(o->escaped.why(), o->term, e.instr);
    if (o && o->indirect) trail_.silent(Silence::ChangedByCallee, o->term, e.instr);
    if (!o || o->escaped || o->immortal || (o->life == Life::Released && !made_here) || o->indirect ||
        s.facts.known_zero(terms_, o->term))
      continue;
    bool lacks = false;
    if (made_here) {
      // Its references went elsewhere, or were given up, and this place still points to it.
      lacks = o->stolen ? o->owned == 0 && s.exception != ExcState::Set && !o->handed
                        : owning && o->holders.empty() && o->owned - (promised && o->term == e.result ? 1 : 0) == 0;
    } else {
      if (o->stolen || !o->holders.empty()) continue;
      // An argument with a count of its own is judged as such.
      const bool entry_argument = o->kind == ObjKind::Param && subject_.is_entry() && !s.object(c.value);
      const bool lent = o->kind == ObjKind::Borrowed || o->kind == ObjKind::Loaded ||
                        (o->kind == ObjKind::Global && o->singleton) || entry_argument ||
                        (o->kind == ObjKind::Param && !subject_.is_entry() && hands_nothing_over(o->term));
      lacks = lent && o->owned - (o->term == e.result ? 1 : 0) - props().references->stored_change(copy, *o) < 0;
    }
    if (!lacks) continue;
    const Member* stored = trail_.member_at(c.base, c.offset);
    const InstrId otherwise = stored && stored->stored != kNone ? stored->stored : e.instr;
    if (Event* event = trail_.emit(EventKind::BorrowedReturned, s, o, store_to(unit_, body_, name, otherwise))) {
      event->get<BorrowedFacts>() = {.stored_in = name, .keeps_pointing = global || member};
      event->doubtful =
          global && id_ < ctx_.phases.size() && ctx_.phases[id_] == Phase::Init && !read_elsewhere(unit_, fn_, name);
    }
  }
}

}  // namespace reckon::engine
