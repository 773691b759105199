#include "engine/properties/types/part.h"

namespace reckon::engine {

void TypesPart::join(const Meeting<TypesPart>& m, JoinNotes&) {
  TypesPart& into = m.into.part;
  into.self_freed |= m.from.part.self_freed;
  into.type_released |= m.from.part.type_released;
  if (into.type_held != m.from.part.type_held) into.type_held = kNoTerm;
}

}  // namespace reckon::engine
