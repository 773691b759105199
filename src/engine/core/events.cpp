#include "engine/core/events.h"

namespace reckon::engine {

EventFacts facts_for(EventKind kind) {
  switch (kind) {
    case EventKind::Leak: return LeakFacts{};
    case EventKind::OverRelease: return OverReleaseFacts{};
    case EventKind::UseAfterRelease: return UseFacts{};
    case EventKind::BorrowedReturned: return BorrowedFacts{};
    case EventKind::NullDereference:
    case EventKind::NullArgument: return NullFacts{};
    case EventKind::UninitUse: return UninitFacts{};
    case EventKind::NoException: return NoExceptionFacts{};
    case EventKind::ValueWithException: return ExceptionFacts{};
    case EventKind::NoLock: return LockFacts{};
    case EventKind::BufferLeft:
    case EventKind::PathPair:
    case EventKind::StatePair:
    case EventKind::CountKept:
    case EventKind::FailureKeeps: return CountFacts{};
    case EventKind::AnnotationBroken: return AnnotationFacts{};
    case EventKind::DepthAtExit: return DepthFacts{};
    case EventKind::BorrowAcross: return BorrowAcrossFacts{};
    case EventKind::FreeThreading: return ThreadFacts{};
    case EventKind::CountLeft:
    case EventKind::MixedResult:
    case EventKind::Unprotected:
    case EventKind::UnprotectedArgument:
    case EventKind::ArgumentOrder:
    case EventKind::DepthNegative:
    case EventKind::DepthInLoop:
    case EventKind::DepthByData:
    case EventKind::PreserveLeak:
    case EventKind::BarrierBypassed:
    case EventKind::TypeKept: break;
  }
  return {};
}

const CountFacts* Event::count_facts() const {
  if (const auto* leak = find<LeakFacts>()) return &leak->ends;
  if (const auto* release = find<OverReleaseFacts>()) return &release->ends;
  return find<CountFacts>();
}

}  // namespace reckon::engine
