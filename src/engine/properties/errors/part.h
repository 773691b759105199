// The part of error objects: what this path did about the error that the caller asked for.
#pragma once

#include <cstdint>

#include "engine/core/part.h"

namespace reckon::engine {

struct ErrorsPart : Part<ErrorsPart> {
  enum class Asked : std::uint8_t {
    Untouched,
    Perhaps,  // somebody was given the place to store an error at
    Set,
    Dropped,  // not set, and an error that was there was given up
  };
  Asked asked_error = Asked::Untouched;

  // ---- what the core asks of a part (core/part.h)
  static bool same(const TermArena&, Seen<ErrorsPart> a, Seen<ErrorsPart> b, bool) {
    return a.part.asked_error == b.part.asked_error;
  }
  static void hash(const TermArena&, Seen<ErrorsPart> s, Hasher& h) {
    h.mix(static_cast<std::uint64_t>(s.part.asked_error));
  }
};

}  // namespace reckon::engine
