// What events of exceptions tell beside what all events do.
#pragma once

#include <cstdint>

namespace reckon::engine {

// NoException.
struct NoExceptionFacts {
  bool of_member = false;  // the NULL is what a member holds, if that can be NULL at all
};

// ValueWithException.
struct ExceptionFacts {
  // Does the function ask whether the call failed that set the exception?
  enum class Asked : std::uint8_t {
    Unknown,
    Later,  // after this call
    Never,
  };
  Asked asked = Asked::Unknown;
};

}  // namespace reckon::engine
