#include "driver/changes.h"

#include <gtest/gtest.h>

#include "driver/path_glob.h"

namespace reckon::driver {
namespace {

std::string shown(const Changes& changes) {
  std::string out;
  for (const auto& [file, ranges] : changes) {
    out += file + ":";
    for (const LineRange& r : ranges) out += " " + std::to_string(r.first) + "-" + std::to_string(r.last);
    out += "\n";
  }
  return out;
}

namespace {
// The lines that a diff without context adds or touches.
Changes parse_diff(std::string_view diff, const std::string& root) {
  Changes out;
  for (const FileDiff& file : parse_file_diffs(diff))
    for (const Hunk& hunk : file.hunks)
      if (!file.new_name.empty()) out[root + "/" + file.new_name].push_back(hunk.new_lines());
  return out;
}
}  // namespace

TEST(Diff, AddedChangedAndDeletedLines) {
  EXPECT_EQ(shown(parse_diff("diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n"
                             "@@ -3 +3 @@ int f(void)\n-a\n+++ b/y.c\n"  // an added line that looks like a header
                             "@@ -9,0 +10,4 @@\n+a\n+b\n+c\n+d\n"
                             "@@ -20,3 +24,0 @@\n-a\n-b\n-c\n"
                             "diff --git a/gone.c b/gone.c\n--- a/gone.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
                             "/r")),
            "/r/x.c: 3-3 10-13 24-25\n");
}

TEST(Diff, OddNames) {
  EXPECT_EQ(shown(parse_diff("diff --git a b\n+++ b/a b.c\t\n@@ -1 +1 @@\n"
                             "diff --git a b\n+++ \"b/\\303\\244\\t\\\"x.c\"\n@@ -1 +2 @@\n",
                             "/r")),
            "/r/a b.c: 1-1\n/r/\xc3\xa4\t\"x.c: 2-2\n");
}

TEST(PathGlob, FoldersAndStars) {
  EXPECT_TRUE(path_matches("third_party", "third_party/a/b.c"));
  EXPECT_TRUE(path_matches("third_party/", "third_party/a.c"));
  EXPECT_TRUE(path_matches("third_party/**", "third_party/a/b.c"));
  EXPECT_FALSE(path_matches("third_party", "third_party2/a.c"));
  EXPECT_TRUE(path_matches("*.c", "a.c"));
  EXPECT_FALSE(path_matches("*.c", "src/a.c"));
  EXPECT_TRUE(path_matches("**/*.c", "src/x/a.c"));
  EXPECT_TRUE(path_matches("**/*.c", "a.c"));
  EXPECT_TRUE(path_matches("src/*/gen", "src/x/gen/a.c"));
  EXPECT_FALSE(path_matches("src/?/gen", "src/xy/gen/a.c"));
  EXPECT_TRUE(path_matches("src/**/x/*.c", "src/a/x/b/x/c.c"));
  EXPECT_TRUE(path_matches("**", "a"));
  EXPECT_FALSE(path_matches("", "a"));
  EXPECT_TRUE(path_matches("./src", "src/a.c"));
}

// Trying each star at each length took 2^40 steps here.
TEST(PathGlob, StarsDoNotMultiply) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "*a";
  EXPECT_FALSE(path_matches(pattern + "b", std::string(200, 'a')));
  EXPECT_TRUE(path_matches(pattern, std::string(200, 'a')));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "**/";
  EXPECT_TRUE(path_matches(deep + "b", "b"));
}

}  // namespace
}  // namespace reckon::driver
