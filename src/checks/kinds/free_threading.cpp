// free-threading: what the interpreter's lock used to guard, in a program that runs without one.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;
using engine::ThreadFacts;

constexpr std::string_view kKind = "free-threading";

std::string in_words(const engine::Event& e) {
  const auto& facts = e.get<ThreadFacts>();
  switch (facts.hazard) {
    case ThreadFacts::Hazard::BorrowedItem:
      return (e.callee.empty() ? "an item is borrowed" : e.callee + "() borrows") +
             " from a container that other threads may change: use " + facts.safer + "()";
    case ThreadFacts::Hazard::SharedVariable:
      return "a shared variable is written without a lock: two threads may both do so, and one reference is lost";
    case ThreadFacts::Hazard::CountOfOne: return "a count of one does not prove that nobody else uses the object";
  }
  return {};
}

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = in_words(v.event());
  return f;
}

constexpr Rule kRules[] = {{EventKind::FreeThreading, report}};

}  // namespace

constinit const Check check_free_threading{
    .kind = kKind,
    .summary = "not safe without the interpreter's lock",
    .rules = kRules,
};

}  // namespace reckon::checks
