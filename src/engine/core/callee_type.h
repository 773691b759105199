// What a call says of the function it calls: the type that function was declared with, as the call saw it.
#pragma once

#include <cstddef>

#include "model/model.h"

namespace reckon::engine {

// nullptr: it is not known.
inline const model::Type* callee_type(const model::Unit& unit, const model::Body& body, model::InstrId instr) {
  const model::Instr& i = body.instrs[instr];
  if (i.op != model::Op::Call || i.aux == model::kNone || body.calls[i.aux].type == 0) return nullptr;
  return &unit.type(body.calls[i.aux].type);
}

// Is the argument declared as a number?
inline bool takes_number(const model::Unit& unit, const model::Body& body, model::InstrId instr, std::size_t argument) {
  const model::Type* callee = callee_type(unit, body, instr);
  if (!callee || argument >= callee->params.size()) return false;
  const model::TypeKind kind = unit.type(callee->params[argument]).kind;
  return kind == model::TypeKind::Int || kind == model::TypeKind::Float;
}

}  // namespace reckon::engine
