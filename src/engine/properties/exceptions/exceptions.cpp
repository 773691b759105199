// The exception state across an outcome of a call.

#include <algorithm>

#include "engine/composition.h"
#include "engine/core/call_symbols.h"
#include "engine/core/conditions.h"
#include "engine/core/places.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;

// Which exception must be pending before the call for this outcome to happen.
bool Exceptions::assume_pending(State& s, specs::Pending pending) const {
  if (pending == specs::Pending::Any) return true;
  const bool raised = pending == specs::Pending::Raised;
  const bool clear = s.exception == ExcState::Unset || s.exception == ExcState::Clear;
  if (raised ? clear : s.exception == ExcState::Set) return false;
  if (s.exception == ExcState::Entry) s.pending = pending;
  if (raised)
    s.exception = ExcState::Set;
  else if (!clear)
    s.exception = ExcState::Unset;
  return true;
}

void Exceptions::apply_exception(State& s, const Applying& call) const {
  const Outcome& o = *call.outcome;
  const FunctionSpec* spec = call.spec;
  switch (o.exception) {
    case specs::Exception::Unchanged:
      // Nobody calls what may raise while an exception is set: if that went well, none is.
      if (spec && s.exception == ExcState::Entry)
        for (const Outcome& other : spec->outcomes)
          if (other.exception == specs::Exception::Set) s.exception = ExcState::Unset;
      break;
    case specs::Exception::Set:
      // A function of the program that raises and does not say so: its own affair, not its callers'.
      if (!call.written) s.helped = s.helped || !o.failure;
      s.exception = ExcState::Set;
      break;
    case specs::Exception::Cleared: s.exception = ExcState::Clear; break;
    case specs::Exception::MaybeSet:
      if (s.exception != ExcState::Set) s.exception = ExcState::Maybe;
      break;
  }
}

}  // namespace reckon::engine
