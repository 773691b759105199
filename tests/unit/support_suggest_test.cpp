// "Did you mean ...?"
#include "support/suggest.h"

#include <gtest/gtest.h>

namespace reckon::support {
namespace {

TEST(Suggest, Distance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("check", "check"), 0u);
  EXPECT_EQ(edit_distance("chekc", "check"), 1u) << "neighbours swapped";
  EXPECT_EQ(edit_distance("chck", "check"), 1u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
}

TEST(Suggest, OnlyWhatIsAlike) {
  const std::vector<std::string> known = {"check", "run", "r"};
  const std::vector<std::string_view> words(known.begin(), known.end());
  EXPECT_EQ(most_alike("chekc", words, 1), "check");
  EXPECT_EQ(most_alike("rnu", words, 1), "run");
  EXPECT_EQ(most_alike("chx", words, 1), "") << "three changes";
  EXPECT_EQ(most_alike("nonsense", words, 2), "");
  EXPECT_EQ(most_alike("", words, 1), "");
  EXPECT_EQ(most_alike("x", words, 1), "") << "one letter for another is no likeness";
  EXPECT_EQ(did_you_mean("chekc", known), " (did you mean `check`?)");
  EXPECT_EQ(did_you_mean("nonsense", known), "");
}

}  // namespace
}  // namespace reckon::support
