#include "report/repair.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "report/patch.h"

namespace reckon::report {
namespace {

class Repairs : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() / ("reckon-repair-" + std::to_string(getpid()) + ".c")).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // The text after the first repair of a leak of `x` at the place of "@", which is taken out; "" if there is none.
  std::string repaired(std::string text, Repair kind = Repair::Release) {
    Finding f;
    f.object = "x";
    const std::size_t at = text.find('@');
    text.erase(at, 1);
    std::ofstream(path_) << text;
    const auto line_start = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at - 1) + 1;
    f.loc = {
        path_,
        1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
        static_cast<std::uint32_t>(at - line_start + 1), ""};
    Sources sources;
    const auto fixes = propose_fixes(f, kind, {"put", "put_null", "get", "get_null"}, sources);
    return fixes.empty() ? "" : apply_edits(sources.file(path_), fixes[0].edits);
  }

  std::string path_;
};

TEST_F(Repairs, BeforeAReturnOnItsOwnLine) {
  EXPECT_EQ(repaired("int f(void) {\n    g();\n    @return 0;\n}\n"),
            "int f(void) {\n    g();\n    put(x);\n    return 0;\n}\n");
  EXPECT_EQ(repaired("int f(void) { g(); @return 0; }\n"), "int f(void) { g(); put(x); return 0; }\n");
  EXPECT_EQ(repaired("int f(void)\n{\nfail:\n\t@return 0;\n}\n"), "int f(void)\n{\nfail:\n\tput(x);\n\treturn 0;\n}\n");
}

TEST_F(Repairs, AnIfWithoutBracesGetsThem) {
  EXPECT_EQ(repaired("int f(void) {\n  if (a)\n    @return 0;\n  return 1;\n}\n"),
            "int f(void) {\n  if (a) {\n    put(x);\n    return 0;\n  }\n  return 1;\n}\n");
  EXPECT_EQ(repaired("int f(void)\n{\n\tif (a < b(c)) @return 0;\n\treturn 1;\n}\n"),
            "int f(void)\n{\n\tif (a < b(c)) {\n\t\tput(x);\n\t\treturn 0;\n\t}\n\treturn 1;\n}\n");
  EXPECT_EQ(repaired("int f(void) {\n  if (a) g();\n  else @return 0;\n}\n"),
            "int f(void) {\n  if (a) g();\n  else {\n    put(x);\n    return 0;\n  }\n}\n");
}

TEST_F(Repairs, ACommentBehindTheConditionStays) {
  const std::string text = repaired("int f(void) {\n  if (a)  // why\n    @return 0;\n}\n");
  EXPECT_EQ(text, "int f(void) {\n  if (a) {  // why\n    put(x);\n    return 0;\n  }\n}\n");
}

TEST_F(Repairs, ThePlaceMayBeInsideTheReturnedExpression) {
  EXPECT_EQ(repaired("int f(void) {\n  return g(@1);\n}\n"), "int f(void) {\n  put(x);\n  return g(1);\n}\n");
}

TEST_F(Repairs, AtTheEndOfAFunction) {
  EXPECT_EQ(repaired("void f(void) {\n  g();\n@}\n"), "void f(void) {\n  g();\n  put(x);\n}\n");
}

TEST_F(Repairs, NotIfTheObjectIsReturned) {
  EXPECT_EQ(repaired("int f(void) {\n  @return g(x);\n}\n"), "");
  EXPECT_EQ(repaired("void *f(void) {\n  @return x;\n}\n", Repair::Acquire),
            "void *f(void) {\n  get(x);\n  return x;\n}\n");
  EXPECT_EQ(repaired("void *f(void) {\n  @return g(x);\n}\n", Repair::Acquire), "");
}

TEST_F(Repairs, OtherPlacesAreLeftAlone) {
  EXPECT_EQ(repaired("int f(void) {\n  x = @g();\n  return 0;\n}\n"), "");
  EXPECT_EQ(repaired("int f(void) {\n  @return 0;\n}\n", Repair::None), "");
}

TEST_F(Repairs, BeforeTheGotoOfThePath) {
  Finding f;
  f.object = "x";
  std::ofstream(path_) << "int f(void) {\n  if (a)\n    goto done;\ndone:\n  return 0;\n}\n";
  f.loc = {path_, 5, 3, ""};
  Step step;
  step.loc = {path_, 2, 7, ""};
  f.path = {step};
  Sources sources;
  const auto fixes = propose_fixes(f, Repair::Release, {.release = "put"}, sources);
  ASSERT_EQ(fixes.size(), 2u);
  EXPECT_EQ(apply_edits(sources.file(path_), fixes[1].edits),
            "int f(void) {\n  if (a) {\n    put(x);\n    goto done;\n  }\ndone:\n  return 0;\n}\n");
}

// All texts that repairs of a protection stack may leave, the place and the origin at "@" and "$".
class ProtectRepair : public Repairs {
 protected:
  std::vector<std::string> proposals(std::string text, Repair kind, int depth_left = 0) {
    Finding f;
    f.depth_left = depth_left;
    for (const auto& [mark, loc] : {std::pair('@', &f.loc), std::pair('$', &f.origin)}) {
      const std::size_t at = text.find(mark);
      if (at == std::string::npos) continue;
      text.erase(at, 1);
      const std::string before = text.substr(0, at);
      *loc = {path_, 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
              static_cast<std::uint32_t>(at - (before.rfind('\n') + 1) + 1), ""};
    }
    std::ofstream(path_) << text;
    Sources sources;
    std::vector<std::string> out;
    for (const Fix& fix : propose_fixes(f, kind, {.protect = "PROTECT", .unprotect = "UNPROTECT"}, sources))
      out.push_back(apply_edits(sources.file(path_), fix.edits));
    return out;
  }
};

TEST_F(ProtectRepair, ANumberIsChanged) {
  EXPECT_EQ(proposals("SEXP f(void) {\n  UNPROTECT(1);\n  @return x;\n}\n", Repair::Balance, 2)[0],
            "SEXP f(void) {\n  UNPROTECT(3);\n  return x;\n}\n");
  EXPECT_EQ(proposals("SEXP f(void) {\n  UNPROTECT(2);\n  free(p);\n  @return x;\n}\n", Repair::Balance, -1)[0],
            "SEXP f(void) {\n  UNPROTECT(1);\n  free(p);\n  return x;\n}\n");
  EXPECT_EQ(proposals("SEXP f(void) {\n  UNPROTECT(1);\n  @return x;\n}\n", Repair::Balance, -1)[0],
            "SEXP f(void) {\n  return x;\n}\n");
  EXPECT_EQ(proposals("SEXP f(void) {\n  @UNPROTECT(2);\n  return x;\n}\n", Repair::PopLess)[0],
            "SEXP f(void) {\n  UNPROTECT(1);\n  return x;\n}\n");
}

TEST_F(ProtectRepair, APopIsWritten) {
  EXPECT_EQ(
      proposals("SEXP f(void) {\n  x = PROTECT(g());\n  if (a)\n    @return y;\n  UNPROTECT(1);\n  return x;\n}\n",
                Repair::Balance, 1)[0],
      "SEXP f(void) {\n  x = PROTECT(g());\n  if (a) {\n    UNPROTECT(1);\n    return y;\n  }\n  UNPROTECT(1);\n  "
      "return x;\n}\n");
  // A counter is not to be guessed at.
  EXPECT_TRUE(proposals("SEXP f(void) {\n  UNPROTECT(n);\n  @return x;\n}\n", Repair::Balance, 1).empty());
}

TEST_F(ProtectRepair, APushAndItsPops) {
  EXPECT_EQ(
      proposals("SEXP f(void) {\n  SEXP x = $g(1);\n  @use(x);\n  UNPROTECT(1);\n  return x;\n}\n", Repair::Protect)[0],
      "SEXP f(void) {\n  SEXP x = PROTECT(g(1));\n  use(x);\n  UNPROTECT(1);\n  return x;\n}\n");
  EXPECT_EQ(
      proposals("SEXP f(void) {\n  SEXP x = $g(1);\n  if (a) return y;\n  @use(x);\n  UNPROTECT(1);\n  return x;\n}\n",
                Repair::Protect)[1],
      "SEXP f(void) {\n  SEXP x = PROTECT(g(1));\n  if (a) {\n    UNPROTECT(1);\n    return y;\n  }\n  use(x);\n  "
      "UNPROTECT(2);\n  return x;\n}\n");
  EXPECT_EQ(proposals("SEXP f(void) {\n  int n = 0;\n  x = $g(1);\n  @use(x);\n  UNPROTECT(n);\n  return x;\n}\n",
                      Repair::Protect)[1],
            "SEXP f(void) {\n  int n = 0;\n  x = PROTECT(g(1));\n  n++;\n  use(x);\n  UNPROTECT(n);\n  return x;\n}\n");
  EXPECT_EQ(proposals("void f(void) {\n  use(a, $g(1));\n  @h();\n}\n", Repair::ProtectArgument)[1],
            "void f(void) {\n  use(a, PROTECT(g(1)));\n  UNPROTECT(1);\n  h();\n}\n");
}

TEST(Edits, Overlap) {
  const Edit insert{"a", 2, 5, 2, 5, "x"}, same{"a", 2, 5, 2, 5, "y"}, range{"a", 2, 3, 2, 8, ""},
      after{"a", 2, 8, 3, 1, ""};
  EXPECT_FALSE(overlap(insert, same));
  EXPECT_TRUE(overlap(insert, range));
  EXPECT_TRUE(overlap(range, insert));
  EXPECT_TRUE(overlap(range, range));
  EXPECT_FALSE(overlap(range, after));
  EXPECT_FALSE(overlap(insert, {"b", 2, 5, 2, 9, ""}));
}

TEST(Edits, TwoInsertionsAtOnePlace) {
  const SourceFile source = make_source("a;\nb;\n");
  EXPECT_EQ(apply_edits(source, {{"", 2, 1, 2, 1, "y;\n"}, {"", 2, 1, 2, 1, "z;\n"}, {"", 1, 1, 1, 2, "x"}}),
            "x;\ny;\nz;\nb;\n");
}

TEST(Patch, Hunks) {
  std::string before, after;
  for (int i = 1; i <= 30; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    before += line;
    if (i == 3) after += "new\n";
    if (i == 20) continue;
    after += i == 25 ? "other\n" : line;
  }
  EXPECT_EQ(unified_diff("d/a.c", before, after),
            "--- a/d/a.c\n+++ b/d/a.c\n"
            "@@ -1,5 +1,6 @@\n line 1\n line 2\n+new\n line 3\n line 4\n line 5\n"
            "@@ -17,12 +18,11 @@\n line 17\n line 18\n line 19\n-line 20\n line 21\n line 22\n line 23\n line 24\n"
            "-line 25\n+other\n line 26\n line 27\n line 28\n");
  EXPECT_EQ(unified_diff("a", before, before), "");
}

TEST(Patch, EndsOfFiles) {
  EXPECT_EQ(unified_diff("a", "x", "x\n"), "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  // Names as git and patch read them: a line end in one forges no line.
  EXPECT_EQ(unified_diff("a\n+b\\\"\033.c", "", "x\n").substr(0, 39),
            "--- \"a/a\\012+b\\\\\\\"\\033.c\"\n+++ \"b/a\\012+");
  EXPECT_EQ(unified_diff("\xc3\xa4 b.c", "", "x\n").substr(0, 13), "--- a/\xc3\xa4 b.c\n");
  EXPECT_EQ(unified_diff("a", "", "x\n"), "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
}

}  // namespace
}  // namespace reckon::report
