// Reports: formats and where they go, suppression in the source.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/one_file.h"

namespace reckon::cli {
namespace {

std::string leaky(const std::string& comment) {
  return "struct thing;\n"
         "struct thing *thing_new(void);\n"
         "int forget(void) {\n"
         "  struct thing *t = thing_new();\n"
         "  return t ? 0 : -1;" +
         comment +
         "\n"
         "}\n";
}

class Reports : public OneFile {
 protected:
  void SetUp() override {
    box_.write("thing.spec", "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\n");
    box_.write("a.c", leaky(""));
  }
};

TEST_F(Reports, SeveralFormatsInOneRun) {
  const RunResult r =
      check({"--format=sarif", "--output", "a.sarif", "--format=text", "--format", "gitlab", "--output=q.json"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "[thing-leak]")) << r.out;
  EXPECT_EQ(nlohmann::json::parse(file("a.sarif"))["version"], "2.1.0");
  EXPECT_EQ(nlohmann::json::parse(file("q.json")).size(), 1u);
}

TEST_F(Reports, AnOutputBeforeItsFormat) {
  EXPECT_EQ(check({"--output", "a.json", "--format=json"}).out, "");
  EXPECT_EQ(nlohmann::json::parse(file("a.json"))["check"], "thing-leak");
  EXPECT_EQ(check({"--output", "a.txt"}).out, "");
  EXPECT_TRUE(contains(file("a.txt"), "[thing-leak]"));
}

TEST_F(Reports, ContradictionsAreErrors) {
  RunResult r = check({"--format=json", "--format=text"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "two reports to standard output")) << r.err;
  r = check({"--format=json", "--output", "a", "--output", "b"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "--output b")) << r.err;
  r = check({"--format=yaml"});
  EXPECT_EQ(r.code, 2);
  r = check({"--format=sarif", "--output", "no/such/folder/a.sarif"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no/such/folder/a.sarif: cannot be written")) << r.err;
}

TEST_F(Reports, TheSummaryOfAMachineFormatGoesToStderr) {
  const RunResult r = check({"--format=sarif"});
  EXPECT_TRUE(nlohmann::json::accept(r.out));
  EXPECT_TRUE(contains(r.err, "1 finding:")) << r.err;
  EXPECT_EQ(check({"-q", "--format=sarif"}).err, "");
}

TEST_F(Reports, SuppressedInTheSource) {
  box_.write("a.c", leaky("  // reckon: ignore[thing-leak] the process ends"));
  RunResult r = check({"--format=sarif", "--output", "a.sarif", "--format=text"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(contains(r.out, "suppressed in the source: 1")) << r.out;
  const auto result = nlohmann::json::parse(file("a.sarif"))["runs"][0]["results"][0];
  EXPECT_EQ(result["suppressions"][0]["justification"], "the process ends");

  box_.write("a.c", leaky("  // reckon: ignore[thing-leak]"));
  r = check({});
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.out, "a.c:5:23: warning: this comment gives no reason")) << r.out;

  box_.write("a.c", leaky("  // reckon: ignore[thing-over-release] no such"));
  EXPECT_TRUE(contains(check({}).out, "this comment suppresses nothing")) << check({}).out;
}

TEST_F(Reports, BranchesAreToldInTheTermsOfTheSource) {
  box_.write("thing.spec", "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t!) -> void t-1\n");
  auto told = [&](const std::string& condition) {
    box_.write(
        "a.c",
        "struct thing { struct thing *next; int flags; };\nstruct thing *thing_new(void);\nvoid thing_unref(struct "
        "thing *t);\n"
        "int ready(void);\nint f(struct thing *s, int i, int n, unsigned u) {\n  struct thing *t = thing_new();\n"
        "  if (!t) return 0;\n  if (" +
            condition + ") return 1;\n  thing_unref(t);\n  return 2;\n}\n");
    return check({}).out;
  };
  for (const auto& [condition, words] : {std::pair("i >= n", "assuming `i >= n`"),
                                         {"!(i >= n)", "assuming `i < n`"},
                                         {"i < n && u > 7", "assuming `u > 7`"},
                                         {"!ready()", "assuming ready() returns 0"},
                                         {"ready()", "assuming ready() does not return 0"},
                                         {"s->flags & 4", "assuming `s->flags & 4` is not 0"},
                                         {"(s->flags & 4) == 0", "assuming `s->flags & 4` is 0"},
                                         {"!s->next", "assuming `s->next` is NULL"}}) {
    const std::string out = told(condition);
    EXPECT_TRUE(contains(out, words)) << out;
  }
}

TEST_F(Reports, StepsInsideACallee) {
  box_.write("a.c",
             "struct thing;\nstruct thing *thing_new(void);\n"
             "static struct thing *make(int n) {\n"
             "  if (n < 0) return 0;\n"
             "  return thing_new();\n"
             "}\n"
             "int f(int n) {\n"
             "  struct thing *t = make(n);\n"
             "  return t ? 1 : 0;\n"
             "}\n");
  const RunResult r = check({});
  EXPECT_TRUE(contains(r.out, "a.c:8:21: note: make(); owned references of `t`: 1")) << r.out;
  EXPECT_TRUE(contains(r.out, "a.c:5:10: note:   thing_new(); owned references of")) << r.out;
}

}  // namespace
}  // namespace reckon::cli
