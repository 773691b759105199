// Calls of functions of which nothing is known.

#include <algorithm>

#include "engine/composition.h"
#include "engine/core/call_symbols.h"
#include "engine/core/conditions.h"
#include "engine/core/places.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;

// A function without spec or body. It is assumed to borrow what it is given, and to fill the locals whose
// address it gets; code that does not know objects may keep them.
void Calls::unknown_call(State s, std::uint32_t index, const std::vector<TermId>& args, States& out) {
  const Instr& i = body_.instrs[index];
  const model::Type* type = nullptr;
  if (i.aux != kNone && body_.calls[i.aux].type != 0) type = &unit_.type(body_.calls[i.aux].type);
  // A function of the program whose outcomes are not known, for they are too many, does something with what it is
  // given.
  const model::Operand& callee = body_.ops(i)[0];
  const bool ours = callee.kind == model::OperandKind::Symbol && ctx_.program.definition(unit_id_, callee.id) != kNone;
  for (std::size_t a = 0; a < args.size(); ++a) {
    const TermId root = terms_.root(args[a]);
    if (ours && terms_[root].kind == TermKind::Slot)
      for (const Cell& c : s.memory)
        if (Obj* o = c.base == root ? s.object(c.value) : nullptr) o->escaped = true;
    const bool as_object = type && a < type->params.size() && subject_.counted(type->params[a]) != 0;
    if (terms_[root].kind == TermKind::Slot || terms_[root].kind == TermKind::Param) {
      memory_.clobber(s, args[a], index);
    } else if (args[a] != root && terms_[args[a]].kind == TermKind::Offset && !as_object) {
      auto [base, off] = terms_.split(args[a]);
      s.write(base, off, terms_.fresh(index, 0, kOutParam + static_cast<std::uint32_t>(a)));
    }
    if (Obj* o = s.object(root)) {
      o->garbage = false;
      if (!as_object) o->escaped = true;
    }
    if (Obj* o = s.object(args[a]); o && as_object) o->handed = true;
    // An object that lives by a part of it is lent, like others, unless even its type is not told.
    const bool as_struct = type && a < type->params.size() &&
                           unit_.type(type->params[a]).kind == model::TypeKind::Pointer &&
                           unit_.type(unit_.type(type->params[a]).elem).kind == model::TypeKind::Struct;
    if (!as_struct)
      for (Obj& o : s.objects)
        if (o.kind == ObjKind::New && subject_.embedded(o.term) && terms_.root(o.term) == root) o.escaped = true;
  }
  // A function pointer called with an object that stands beside it is what that object is given up with.
  if (const TermId function = memory_.eval(s, body_.ops(i)[0], index);
      !gc_ && terms_[function].kind == TermKind::Initial)
    for (TermId t : args)
      if (terms_[t].kind == TermKind::Initial && terms_.owner_root(t) == terms_.owner_root(function))
        props().deferred->kept(s, t, index);
  props().deferred->hand_to_callback(s, args);
  if (gc_) props().collector->gc_unknown(s, index, args);
  // Code of the C++ runtime raises nothing, nor do functions of C that its own code calls with text and numbers.
  const bool cxx = unit_.language == model::Language::Cxx;
  auto plain = [&](model::TypeId t) {
    while (unit_.type(t).kind == model::TypeKind::Pointer) t = unit_.type(t).elem;
    return unit_.type(t).kind != model::TypeKind::Struct && unit_.type(t).kind != model::TypeKind::Function;
  };
  const bool runtime = cxx && (callee.kind == model::OperandKind::Symbol
                                   ? cxx_runtime(unit_.name(callee.id))
                                   : type && cxx_library(unit_.name(fn_.symbol)) &&
                                         std::all_of(type->params.begin(), type->params.end(), plain));
  if (s.exception == ExcState::Set)
    s.helped = s.helped || !runtime;
  else if (!runtime)
    trail_.note_mode(s, ExcState::Maybe, s.lock, index);  // it may be a helper that raises
  if (i.result != kNone) {
    const auto known = predicate(index, args);
    const TermId r = known ? *known : terms_.fresh(index, 0, kResult);
    memory_.bind(s, index, r);
    if (subject_.counted(i.type)) {
      props().references->obj(s, r, index);
    } else if (unit_.type(i.type).kind == model::TypeKind::Pointer && args.size() == 1) {
      // What one object was asked for may be the object in another guise.
      if (const Obj* o = s.object(args[0]); o && o->kind == ObjKind::New && o->owned > 0 && !o->escaped)
        props().references->guise_of_.emplace(r, o->term);
    }
  }
  out.push_back(std::move(s));
}

}  // namespace reckon::engine
