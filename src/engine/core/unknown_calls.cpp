// Calls of functions of which nothing is known.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::OperandKind;

// A function without spec or body. It is assumed to borrow what it is given, and to fill the locals whose
// address it gets; code that does not know objects may keep them.
void Calls::unknown_call(State s, InstrId index, const std::vector<TermId>& args, States& out) {
  const Instr& i = body_.instrs[index];
  const model::Type* type = nullptr;
  if (i.aux != kNone && body_.calls[i.aux].type != 0) type = &unit_.type(body_.calls[i.aux].type);
  // A function of the program whose outcomes are not known, for they are too many, does something with what it is
  // given.
  const model::Operand& callee = body_.ops(i)[0];
  const bool ours =
      callee.kind == model::OperandKind::Symbol && ctx_.program.definition(unit_id_, callee.symbol_id()) != kNone;
  const Call call{.index = index, .args = args};
  if (answer_.asked() &&
      std::find(answer_.unknown_calls.begin(), answer_.unknown_calls.end(), index) == answer_.unknown_calls.end())
    answer_.unknown_calls.push_back(index);
  for (std::size_t a = 0; a < args.size(); ++a) {
    hooks_.each<&Property::handing>(s, call, a, ours);
    const TermId root = terms_.root(args[a]);
    const bool as_object = type && a < type->params.size() && subject_.counted(type->params[a]);
    // The address of a number or pointer in a local struct: that member is filled.
    const auto points_to = [&](model::TypeId t) { return unit_.type(unit_.type(t).elem).kind; };
    const bool member = terms_[root].kind == TermKind::Slot && type && a < type->params.size() &&
                        (points_to(type->params[a]) == model::TypeKind::Int ||
                         points_to(type->params[a]) == model::TypeKind::Pointer) &&
                        points_to(body_.instrs[terms_[root].a].type) == model::TypeKind::Struct;
    if (member) {
      memory_.fill_member(s, args[a], index, kOutParam + static_cast<std::uint32_t>(a));
    } else if (terms_[root].kind == TermKind::Slot || terms_[root].kind == TermKind::Param) {
      memory_.clobber(s, args[a], index);
    } else if (args[a] != root && terms_[args[a]].kind == TermKind::Offset && !as_object) {
      auto [base, off] = terms_.split(args[a]);
      s.write(base, off, terms_.fresh(index, 0, kOutParam + static_cast<std::uint32_t>(a)));
    }
    hooks_.each<&Property::handed>(s, call, a, type);
  }
  hooks_.each<&Property::unknown>(s, call, type);
  if (i.result != kNone) {
    const auto known = predicate(index, args);
    const TermId r = known ? *known : terms_.fresh(index, 0, kResult);
    memory_.bind(s, index, r);
    hooks_.each<&Property::unknown_result>(s, call, r);
  }
  out.push_back(std::move(s));
}

}  // namespace reckon::engine
