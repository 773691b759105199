// A user's own API, described in a few lines of spec, and the promise that threads do not change the report.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

const char* const kSpec =
    "domain thing\n"
    "check leaks pairs\n"
    "fn thing_new()    -> new | NULL\n"
    "fn thing_unref(t) -> void t-1\n"
    "fn thing_get(t)   -> 0 t.use+1 | <0 fails\n"
    "fn thing_put(t)   -> void t.use-1\n";

const char* const kDeclarations =
    "struct thing;\n"
    "struct thing *thing_new(void);\n"
    "void thing_unref(struct thing *t);\n"
    "int thing_get(struct thing *t);\n"
    "void thing_put(struct thing *t);\n"
    "int work(struct thing *t);\n";

class OwnApi : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec", kSpec);
    box_.write("thing.h", kDeclarations);
  }
  Sandbox box_;
};

TEST_F(OwnApi, FindsTheLeakAndThePair) {
  box_.write("a.c",
             "#include \"thing.h\"\n"
             "int forget(int n) {\n"
             "  struct thing *t = thing_new();\n"
             "  if (!t) return -1;\n"
             "  if (n) return 0;\n"
             "  thing_unref(t);\n"
             "  return 0;\n"
             "}\n"
             "int keep(struct thing *t) {\n"
             "  int r = thing_get(t);\n"
             "  if (r) return r;\n"
             "  r = work(t);\n"
             "  if (r) return r;\n"
             "  thing_put(t);\n"
             "  return 0;\n"
             "}\n"
             "int fine(struct thing *t) {\n"
             "  int r = thing_get(t);\n"
             "  if (r) return r;\n"
             "  r = work(t);\n"
             "  thing_put(t);\n"
             "  return r;\n"
             "}\n");
  const RunResult r = run(box_, {"check", "--no-cache", "--specs", "thing.spec", "a.c"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "a.c:5:10: warning: reference to `t` is leaked [thing-leak]")) << r.out;
  EXPECT_TRUE(contains(r.out, "[thing-path-pair]")) << r.out;
  EXPECT_TRUE(contains(r.out, "2 findings:")) << r.out;
}

TEST_F(OwnApi, TheReportDoesNotDependOnThreads) {
  std::vector<std::string> arguments = {"check", "--no-cache", "-q", "--specs", "thing.spec"};
  for (int file = 0; file < 4; ++file) {
    std::string text = "#include \"thing.h\"\n";
    for (int f = 0; f < 12; ++f) {
      const std::string name = "f" + std::to_string(file) + "_" + std::to_string(f);
      text += "int " + name + "(int n) {\n  struct thing *t = thing_new(), *u = thing_new();\n"
              "  if (n) return 0;\n  if (t) thing_unref(t);\n  return u ? work(u) : -1;\n}\n";
    }
    const std::string path = "u" + std::to_string(file) + ".c";
    box_.write(path, text);
    arguments.push_back(path);
  }
  std::vector<std::string> one = arguments, four = arguments;
  one.insert(one.begin() + 1, {"-j", "1"});
  four.insert(four.begin() + 1, {"-j", "4"});
  const RunResult first = run(box_, one);
  EXPECT_EQ(first.code, 1) << first.err;
  for (int again = 0; again < 3; ++again) EXPECT_EQ(run(box_, four).out, first.out);
}

}  // namespace
}  // namespace reckon::cli
