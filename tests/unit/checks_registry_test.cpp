// The list of checks: which one an id names, and what globs match.
#include <gtest/gtest.h>

#include "checks/check.h"

namespace reckon::checks {
namespace {

TEST(ChecksRegistry, LongestKindWins) {
  ASSERT_NE(check_of("python-buffer-leak"), nullptr);
  EXPECT_EQ(check_of("python-buffer-leak")->kind, "buffer-leak");
  EXPECT_EQ(check_of("python-leak")->kind, "leak");
  EXPECT_EQ(check_of("mylib-fuse-leak")->kind, "leak") << "a count that a spec names";
  EXPECT_EQ(check_of("python-nothing"), nullptr);
  EXPECT_EQ(check_of("leak"), nullptr) << "no domain";
}

// What is shown at the end of the function wherever it was lost, is grouped by object: all leaks, and nothing else.
TEST(ChecksRegistry, LeaksAreGroupedByObject) {
  for (const Check& check : all_checks())
    EXPECT_EQ(check.grouping == Grouping::ByObject, check.kind.ends_with("leak")) << check.kind;
}

TEST(ChecksRegistry, OnlyNamedCountsHaveChecksOfTheirOwn) {
  EXPECT_TRUE(names_check("fuse-leak", "mylib-fuse-leak"));
  EXPECT_TRUE(names_check("leak", "mylib-fuse-leak"));
  EXPECT_FALSE(names_check("leak", "python-buffer-leak"));
  EXPECT_EQ(named_leak("mylib", "fuse"), "mylib-fuse-leak");
}

}  // namespace
}  // namespace reckon::checks
