// The symbol of an object that an outcome of a call makes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/applying.h"
#include "specs/effects.h"

namespace reckon::engine {

inline constexpr std::uint32_t kLeft = 900;  // + number of the object, below the numbers of call_symbols.h

// Objects are numbered within their outcome. One that is only stored where another outcome gives its result (the error
// of a call that gives an object if it succeeds) has a symbol of its own, so that neither gets the other's name.
inline std::uint32_t symbol_of_object(const Applying& call, std::uint32_t number) {
  auto gives = [number](const specs::Outcome& o) {
    return o.result.kind == specs::Value::Kind::Object && o.result.object == number;
  };
  const bool only_left = (call.written || !specs::speaks_of_objects(*call.outcome)) && !gives(*call.outcome) &&
                         std::any_of(call.all.begin(), call.all.end(), gives);
  return only_left ? kLeft + number : number;
}

}  // namespace reckon::engine
