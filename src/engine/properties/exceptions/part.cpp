#include "engine/properties/exceptions/part.h"

namespace reckon::engine {

std::string_view name_of(ExcState state) {
  switch (state) {
    case ExcState::Entry: break;
    case ExcState::Unset: return "not set";
    case ExcState::Clear: return "cleared";
    case ExcState::Set: return "set";
    case ExcState::Maybe: return "may be set";
  }
  return "as on entry";
}

bool ExceptionsPart::same(const TermArena&, Seen<ExceptionsPart> a, Seen<ExceptionsPart> b, bool) {
  return a.part.exception == b.part.exception;
}

void ExceptionsPart::hash(const TermArena&, Seen<ExceptionsPart> s, Hasher& h) {
  h.mix(static_cast<std::uint64_t>(s.part.exception));
}

// `helped` and `pending` alone are no reason to look at the joined state again: changed() leaves them out.
void ExceptionsPart::join(const Meeting<ExceptionsPart>& m, JoinNotes&) {
  ExceptionsPart& into = m.into.part;
  into.exception_settled |= m.from.part.exception_settled;
  if (into.pending != m.from.part.pending) into.pending = specs::Pending::Any;
}

bool ExceptionsPart::describe_change(const TermArena&, const ExceptionsPart& before, Change& change) const {
  describe(change);
  return exception != before.exception;
}

}  // namespace reckon::engine
