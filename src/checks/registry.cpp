// The list of checks, and which event each answers to.

#include <fnmatch.h>

#include <array>

#include "checks/checks.h"
#include "checks/static_checks.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kNamedLeak = "leak";  // of a named count

struct Row {
  EventKind event;
  Check check;
};

constexpr std::array kRows{
    Row{EventKind::Leak, {"leak", "a reference is owned at the end and nobody can release it", report_leak}},
    Row{EventKind::OverRelease, {"over-release", "a reference is released that is not owned", report_over_release}},
    Row{EventKind::CountLeft,
        {"over-release", "an entry function changes the count of its argument", report_count_left}},
    Row{EventKind::UseAfterRelease,
        {"use-after-release", "an object is used after its release", report_use_after_release}},
    Row{EventKind::BorrowedReturned,
        {"borrowed-return", "a borrowed reference is returned as a new one", report_borrowed_return}},
    Row{EventKind::BufferLeft, {"buffer-leak", "a buffer is acquired and not released", report_buffer_leak}},
    Row{EventKind::BufferLeft, {"section-leak", "a critical section is begun and not ended", report_buffer_leak}},
    Row{EventKind::NullDereference, {"null-deref", "NULL from a failed call is dereferenced", report_null_dereference}},
    Row{EventKind::NullArgument, {"null-arg", "NULL is passed where it is dereferenced", report_null_argument}},
    Row{EventKind::UninitUse, {"uninit", "an uninitialised pointer is used", report_uninitialised}},
    Row{EventKind::NoException,
        {"missing-exception", "failure is returned without an exception", report_missing_exception}},
    Row{EventKind::ValueWithException,
        {"exception-set", "a value is returned while an exception is set", report_value_with_exception}},
    Row{EventKind::NoLock, {"gil", "the interpreter is used without its lock", report_no_lock}},
    Row{EventKind::MixedResult,
        {"ownership-mix", "a result is sometimes new and sometimes borrowed", report_mixed_result}},
    Row{EventKind::BorrowAcross,
        {"borrow-across-call", "a borrowed reference is used after code that may end it", report_borrow_across_call}},
    Row{EventKind::TypeKept, {"type-dealloc", "an object's type or members outlive it unreleased", report_type_kept}},
    Row{EventKind::FreeThreading, {"free-threading", "not safe without the interpreter's lock", report_free_threading}},
    Row{EventKind::PathPair,
        {"path-pair", "two paths callers cannot tell apart change a count differently", report_path_pair}},
    Row{EventKind::StatePair,
        {"state-pair", "two successful paths change a count differently by state out of sight", report_state_pair,
         true}},
    Row{EventKind::AnnotationBroken,
        {"annotation", "a function does not do what its annotation says", report_annotation}},
    Row{EventKind::CountKept,
        {"count-left",
         "a function that owes the count it found leaves another, or gives back more or less than it took",
         report_count_kept}},
    Row{EventKind::Unprotected,
        {"unprotected", "an object is used after a collection it was not protected from", report_unprotected}},
    Row{EventKind::UnprotectedArgument,
        {"unprotected-arg", "an unprotected object is passed to a function that may collect it",
         report_unprotected_argument}},
    Row{EventKind::ArgumentOrder,
        {"arguments", "an argument may be collected while another one is evaluated", report_argument_order}},
    Row{EventKind::DepthAtExit,
        {"imbalance", "the protection stack is not as deep at the end as at the start", report_depth_at_exit}},
    Row{EventKind::DepthInLoop,
        {"imbalance", "the protection stack grows or shrinks with each round of a loop", report_depth_in_loop}},
    Row{EventKind::DepthNegative, {"negative-depth", "more is unprotected than was protected", report_depth_negative}},
    Row{EventKind::DepthByData,
        {"protect-overflow", "the protection stack grows with the length of an object", report_depth_by_data, true}},
    Row{EventKind::PreserveLeak,
        {"preserve-leak", "an object is preserved over code that may not come back", report_preserve_leak}},
    Row{EventKind::BarrierBypassed,
        {"write-barrier", "elements of an object are written without the collector being told",
         report_barrier_bypassed}},
    Row{EventKind::FailureKeeps,
        {"failure-keeps", "failure keeps a count that success gives back", report_failure_keeps}},
};

constexpr auto kChecks = [] {
  std::array<Check, kRows.size() + kStaticChecks.size()> out{};
  for (std::size_t i = 0; i < kRows.size(); ++i) out[i] = kRows[i].check;
  for (std::size_t i = 0; i < kStaticChecks.size(); ++i) out[kRows.size() + i] = kStaticChecks[i];
  return out;
}();

}  // namespace

std::span<const Check> all_checks() { return kChecks; }

const Check* check_for(EventKind kind) {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].event == kind) return &kChecks[i];
  return nullptr;
}

bool names_check(const std::string& glob, const std::string& id) {
  if (fnmatch(glob.c_str(), id.c_str(), 0) == 0) return true;
  std::string kind;  // the longest one: python-buffer-leak is no "leak"
  for (const Check& check : all_checks())
    if (check.kind.size() > kind.size() && id.ends_with("-" + std::string(check.kind))) kind = check.kind;
  if (kind.empty()) return false;
  if (fnmatch(glob.c_str(), kind.c_str(), 0) == 0) return true;
  // A count that a user's spec names has a check of its own: DOMAIN-COUNT-leak.
  if (kind == kNamedLeak)
    for (auto dash = id.find('-'); dash != std::string::npos; dash = id.find('-', dash + 1))
      if (fnmatch(glob.c_str(), id.c_str() + dash + 1, 0) == 0) return true;
  return false;
}

std::string named_leak(std::string_view domain, std::string_view count) {
  return std::string(domain) + "-" + std::string(count) + "-" + std::string(kNamedLeak);
}

}  // namespace reckon::checks
