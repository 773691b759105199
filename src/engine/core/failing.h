// Whether an end of a function means failure, by what it returns.
#pragma once

#include "engine/core/conditions.h"
#include "engine/core/state.h"

namespace reckon::engine {

// Does this end mean failure: for sure, or for some values of its result?
struct Failing {
  bool sure = false;
  bool maybe = false;
};
inline Failing failing(const TermArena& terms, const State& s, TermId result, model::TypeKind type) {
  if (result == kNoTerm) return {};
  const Range r = s.facts.range(terms, result);
  if (type == model::TypeKind::Int) return {r.hi < 0, r.lo < 0};
  if (type == model::TypeKind::Pointer)
    return {(r.is_single() && r.lo == 0) || (r.lo >= kFirstError && r.hi <= 0), false};
  return {};
}

}  // namespace reckon::engine
