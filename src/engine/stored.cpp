// Borrowed references that a function leaves in members which a deallocator releases.
//
// The problem: `self->x = arg;` without taking a reference, where the destructor gives up what `x` holds: the reference
// that goes then was somebody else's. The method: at the ends of a function, each field written is looked up among those
// that deallocators of the program release; what stands there must have come with a reference.
//
// Limits: arguments of functions that only the program itself calls are not judged, since callers may hand them over;
// nor are fields of structs whose deallocator is out of sight.

#include <algorithm>

#include "engine/executor.h"

namespace reckon::engine {

using model::kNone;

namespace {

// The last store to the field, else `otherwise`.
std::uint32_t store_to(const model::Body& body, const model::FieldName& field, std::uint32_t otherwise) {
  std::vector<char> address(body.num_values, 0);
  std::uint32_t found = otherwise;
  for (std::uint32_t n = 0; n < body.instrs.size(); ++n) {
    const model::Instr& i = body.instrs[n];
    const auto ops = body.ops(i);
    if (i.op == model::Op::Field && i.aux != kNone && i.result < address.size() && body.fields[i.aux].record == field.record &&
        body.fields[i.aux].path == field.path)
      address[i.result] = 1;
    if (i.op == model::Op::Store && ops[0].kind == model::OperandKind::Value && ops[0].id < address.size() && address[ops[0].id]) found = n;
  }
  return found;
}

}  // namespace

void Executor::check_stored(const Exit& e) {
  const State& s = e.state;
  if (ctx_.released_fields.empty() || e.by_exception || is_dealloc(contract_) || s.exception == ExcState::Set) return;
  for (const Cell& c : s.memory) {
    if (terms_.is_const(c.value) || terms_[terms_.owner_root(c.base)].kind == TermKind::Slot) continue;
    auto named = field_names_.find(terms_.find_offset(c.base, c.offset));
    if (named == field_names_.end()) continue;
    const model::FieldName& field = body_.fields[named->second];
    const std::string name = std::string(unit_.str(unit_.type(field.record).name)) + "." + std::string(unit_.str(field.path));
    if (!ctx_.released_fields.contains(name)) continue;
    const Obj* holder = s.object(terms_.root(c.base));
    if (holder && (holder->life == Life::Released || holder->escaped)) continue;
    State copy = s;
    const Obj* o = obj(copy, c.value, e.instr);
    if (!o || o->escaped || o->immortal || o->life == Life::Released || o->stolen || o->indirect || !o->holders.empty()) continue;
    if (s.facts.known_zero(terms_, o->term)) continue;
    // An argument with a count of its own is judged as such.
    const bool lent = o->kind == ObjKind::Borrowed || o->kind == ObjKind::Loaded || (o->kind == ObjKind::Global && o->singleton) ||
                      (o->kind == ObjKind::Param && is_entry() && !s.object(c.value));
    const bool returned = o->term == e.result;
    if (!lent || o->owned - (returned ? 1 : 0) - stored_change(copy, *o) >= 0) continue;
    if (Event* event = emit(EventKind::BorrowedReturned, s, o, store_to(body_, field, e.instr)))
      event->note = std::string(unit_.str(field.path));
  }
}

}  // namespace reckon::engine
