// Reasons to be silent: all told apart, and without effect on what states are joined.
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "engine/core/silence.h"

namespace reckon::engine {
namespace {

TEST(Silence, EveryReasonHasANameAndASentenceOfItsOwn) {
  std::set<std::string_view> names, texts;
  std::size_t all = 0;
  for (int n = 1; !name_of(static_cast<Silence>(n)).empty(); ++n, ++all) {
    names.insert(name_of(static_cast<Silence>(n)));
    texts.insert(text_of(static_cast<Silence>(n)));
  }
  EXPECT_GT(all, 40u);
  EXPECT_EQ(names.size(), all);
  EXPECT_EQ(texts.size(), all);
}

TEST(Escape, TheFirstReasonStays) {
  Escape e;
  EXPECT_FALSE(e);
  e.because(Silence::UnknownCallee);
  e.because(Silence::Reported);
  EXPECT_TRUE(e);
  EXPECT_EQ(e.why(), Silence::UnknownCallee);
}

TEST(Escape, ReasonsDoNotKeepStatesApart) {
  Escape a, b, none;
  a.because(Silence::UnknownCallee);
  b.because(Silence::FoundEqual);
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a == none);
  none.join(b);
  EXPECT_EQ(none.why(), Silence::FoundEqual);
}

}  // namespace
}  // namespace reckon::engine
