// Costs are bounded: what grows is cut short and named, and costs nothing else.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

class Cost : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t) -> void t-1\n");
  }
  static std::string with_leak(const std::string& text) {
    return "struct thing *thing_new(void);\nvoid thing_unref(struct thing *t);\n" + text +
           "\nint forget(void) {\n  struct thing *t = thing_new();\n  return t != 0;\n}\n";
  }
  RunResult check(const std::string& text, std::vector<std::string> options = {}) {
    box_.write("a.c", with_leak(text));
    options.insert(options.begin(), {"check", "--no-cache", "-v", "--specs", "thing.spec"});
    options.insert(options.end(), {"a.c", "--", "-fbracket-depth=100000"});
    return run(box_, options);
  }
  static std::string globals(int n) {
    std::string text, body;
    for (int i = 0; i < n; ++i) {
      const std::string name = "g" + std::to_string(i);
      text += "struct thing *" + name + ";\n";
      body += "  " + name + " = thing_new();\n";
    }
    return text + "void init(void) {\n" + body + "}\n";
  }
  Sandbox box_;
};

std::string chain(int n) {
  std::string text = "int f(int a) { return ";
  for (int i = 0; i < n; ++i) text += "a == " + std::to_string(i) + " ? " + std::to_string(i % 7) + " : ";
  return text + "0; }";
}

// What each block needs must not grow with the number of blocks: 20,000 of them took 2.4 GB.
TEST_F(Cost, AChainOfConditions) {
  const RunResult r = check(chain(20000), {"--memory-limit", "600"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "thing-leak")) << r.out;
  EXPECT_FALSE(contains(r.out, "memory ran out")) << r.out;
}

TEST_F(Cost, ManyObjectsInOneState) {
  const RunResult r = check(globals(1600));
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "thing-leak")) << r.out;
  EXPECT_TRUE(contains(r.out + r.err, "states too large")) << r.out << r.err;
}

TEST_F(Cost, LoopsInLoops) {
  std::string text = "void f(int n) {\n";
  for (int i = 0; i < 12000; ++i) text += "while (n) {";
  text += "thing_unref(thing_new());" + std::string(12000, '}') + "}\n";
  const RunResult r = check(text);
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "thing-leak")) << r.out;
  EXPECT_TRUE(contains(r.out + r.err, "too many loops")) << r.out << r.err;
}

// The analysing process keeps to the limit, too, and what needs more is the only thing that is lost.
TEST_F(Cost, MemoryRunsOutInOneFunction) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "memory cannot be limited under the sanitizer";
#endif
  // How much it takes differs between machines: somewhere between failing altogether and enough for all.
  bool one_only = false;
  for (const char* limit : {"60", "70", "80", "90", "100", "120"}) {
    const RunResult r = check(chain(20000), {"-j1", "--memory-limit", limit});
    EXPECT_TRUE(r.code == 1 || r.code == 3) << limit << " " << r.code << r.err;
    one_only = one_only || (r.code == 1 && contains(r.out, "thing-leak") && contains(r.out, "f: memory ran out"));
    if (one_only || (r.code == 1 && !contains(r.out, "ran out"))) break;
  }
  EXPECT_TRUE(one_only);
}

}  // namespace
}  // namespace reckon::cli
