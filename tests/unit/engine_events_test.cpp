// Events: each kind has facts of its own from the beginning, and only those.
#include "engine/core/events.h"

#include <gtest/gtest.h>

namespace reckon::engine {
namespace {

TEST(EngineEvents, FactsFollowTheKind) {
  EXPECT_TRUE(std::holds_alternative<NullFacts>(facts_for(EventKind::NullArgument)));
  EXPECT_TRUE(std::holds_alternative<NullFacts>(facts_for(EventKind::NullDereference)));
  EXPECT_TRUE(std::holds_alternative<CountFacts>(facts_for(EventKind::PathPair)));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(facts_for(EventKind::MixedResult)));
}

TEST(EngineEvents, FactsOfAnotherKindAreAMistake) {
  Event leak(EventKind::Leak);
  leak.get<LeakFacts>().reason = LeakFacts::Reason::Overwritten;
  EXPECT_EQ(leak.find<LeakFacts>()->reason, LeakFacts::Reason::Overwritten);
  EXPECT_EQ(leak.find<NullFacts>(), nullptr);
  EXPECT_THROW(leak.get<NullFacts>(), std::bad_variant_access);
}

TEST(EngineEvents, CountsOfWhateverKind) {
  Event pair(EventKind::PathPair), release(EventKind::OverRelease);
  pair.get<CountFacts>().count = "runtime";
  release.get<OverReleaseFacts>().ends.delta = -1;
  ASSERT_NE(pair.count_facts(), nullptr);
  EXPECT_EQ(pair.count_facts()->count, "runtime");
  ASSERT_NE(release.count_facts(), nullptr);
  EXPECT_EQ(release.count_facts()->delta, -1);
  EXPECT_EQ(Event(EventKind::UninitUse).count_facts(), nullptr);
}

}  // namespace
}  // namespace reckon::engine
