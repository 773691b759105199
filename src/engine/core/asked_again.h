// Questions that are asked again: what a function without effects, or an operation, gives for the same operands.
#pragma once

#include <cstdint>

#include "engine/core/applying.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

// Stands for the parts of an object all together: its epoch is the call that put something in place of a part, or took
// one away. A function that reads parts gives the same only until then.
inline TermId version_of_parts(TermArena& terms, TermId object) { return terms.index(object, object, 1); }

// The object `k` of the outcome is a part that the callee has given before, where objects are not counted.
inline bool gives_part_again(const Applying& call, std::uint32_t k, bool counts_objects) {
  const specs::Outcome& o = *call.outcome;
  return !counts_objects && call.answer != kNoTerm && o.result.kind == specs::Value::Kind::Object &&
         o.result.object == k && !o.objects[k].owned && o.objects[k].borrowed_from;
}

}  // namespace reckon::engine
