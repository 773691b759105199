// The types' part of a state: what a deallocator did with its object's memory and with the reference to its type.
#pragma once

#include "engine/core/part.h"

namespace reckon::engine {

struct TypesPart : Part<TypesPart> {
  bool self_freed = false;     // a deallocator has given its object's memory back
  bool type_released = false;  // and the reference to its type
  TermId type_held = kNoTerm;  // an object was freed as it was: the type it held, until that is released

  // ---- what the core asks of a part (core/part.h)
  static void join(const Meeting<TypesPart>& m, JoinNotes& notes);
};

}  // namespace reckon::engine
