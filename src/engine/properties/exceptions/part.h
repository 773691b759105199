// The exceptions' part of a state: whether one is set, and what the path took for granted of the one at entry.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/core/part.h"
#include "specs/outcome.h"

namespace reckon::engine {

enum class ExcState : std::uint8_t {
  Entry,  // as the caller left it
  Unset,  // not set, and this function did nothing about it
  Clear,  // cleared by this function
  Set,
  Maybe,
};

std::string_view name_of(ExcState state);

struct ExceptionsPart : Part<ExceptionsPart> {
  ExcState exception = ExcState::Entry;
  specs::Pending pending = specs::Pending::Any;  // what this path took for granted of the exception at entry
  bool exception_settled = false;  // an exception that is set may have been cleared out of sight, or has been told

  // ---- what the core asks of a part (core/part.h)
  struct Change {
    ExcState exception = ExcState::Entry;
  };
  static bool same(const TermArena& terms, Seen<ExceptionsPart> a, Seen<ExceptionsPart> b, bool strict);
  bool same_execution(const ExceptionsPart& other) const { return exception_settled == other.exception_settled; }
  static void hash(const TermArena& terms, Seen<ExceptionsPart> s, Hasher& h);
  static void join(const Meeting<ExceptionsPart>& m, JoinNotes& notes);
  void describe(Change& change) const { change.exception = exception; }
  bool describe_change(const TermArena& terms, const ExceptionsPart& before, Change& change) const;
};

}  // namespace reckon::engine
