// --why-not FILE:LINE: what the analysis thought there, and why it is silent.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

class WhyNot : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t) -> void t-1\n"
               "fn thing_known(t) -> any\n");
    box_.write("a.c",
               "struct thing;\n"
               "struct thing *thing_new(void);\n"
               "void thing_unref(struct thing *t);\n"
               "int thing_known(struct thing *t);\n"
               "void keep(void *p);\n"
               "int forget(void) {\n"  // 6
               "  struct thing *t = thing_new();\n"
               "  if (!t)\n"
               "    return -1;\n"
               "  keep(t);\n"  // 10
               "\n"
               "  return 0;\n"
               "}\n"
               "int unreached(void) {\n"
               "  int n = 1;\n"
               "  if (n == 2)\n"
               "    return thing_known(0);\n"  // 17
               "  return thing_known(thing_new());\n"
               "}\n"
               "void thing_unref(struct thing *t) {\n"
               "  keep(t);\n"  // 21
               "}\n"
               "void drop(struct thing *t) {\n"
               "  thing_unref(t);\n"
               "  keep(0);\n"  // 25
               "}\n");
  }
  RunResult ask(const std::string& line) {
    return run(box_, {"check", "--no-cache", "--specs", "thing.spec", "--why-not", line, "a.c"});
  }
  Sandbox box_;
};

TEST_F(WhyNot, NamesTheObjectsTheReasonAndTheUnknownCall) {
  const RunResult r = ask("a.c:10");
  EXPECT_TRUE(contains(r.out, "a.c:10 is in forget")) << r.out;
  EXPECT_TRUE(contains(r.out, "known in front of line 10\n    `t`: new, 1 owned, from line 7\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "line 10: `t`: it was given to a function of which nothing is known (UnknownCallee)"))
      << r.out;
  EXPECT_TRUE(contains(r.out, "line 10: keep() has neither a body nor a spec")) << r.out;
  EXPECT_TRUE(contains(r.out, "exit at line 9, returns -1")) << r.out;
}

TEST_F(WhyNot, SaysWhatWasReleasedWithoutBeingTaken) {
  const RunResult r = ask("a.c:25");
  EXPECT_TRUE(contains(r.out, "`t`: argument, 1 more released than taken")) << r.out;
  EXPECT_TRUE(contains(r.out, "1 state at one place, 1 exit\n")) << r.out;
}

TEST_F(WhyNot, ALineWithoutCodeStandsForTheNext) {
  const RunResult r = ask("a.c:11");
  EXPECT_TRUE(contains(r.out, "line 11 has no code of its own; this is about line 12")) << r.out;
}

TEST_F(WhyNot, ALineThatNoPathReaches) {
  const RunResult r = ask("a.c:17");
  EXPECT_TRUE(contains(r.out, "no path that is possible reaches line 17")) << r.out;
  EXPECT_TRUE(contains(r.out, "thing-leak, confidence")) << r.out;
}

TEST_F(WhyNot, AFunctionThatASpecDescribes) {
  const RunResult r = ask("a.c:21");
  EXPECT_TRUE(contains(r.out, "a spec describes it")) << r.out;
}

TEST_F(WhyNot, TheAnswerComesAgainWhenResultsAreKept) {
  for (int n = 0; n < 2; ++n) {
    const RunResult r = run(box_, {"check", "--specs", "thing.spec", "--why-not", "a.c:10", "a.c"});
    EXPECT_TRUE(contains(r.out, "(UnknownCallee)")) << n << r.out;
  }
}

// A depth that is wrong, or may be, is passed over for a reason.
TEST_F(WhyNot, SaysWhyADepthIsNotReported) {
  box_.write("stack.spec",
             "domain stack\ncheck protection\ncounted thing\nfn thing_new() allocates -> new\n"
             "fn thing_push(t) -> void protect t\nfn thing_pop(n) -> void protect-n\n");
  box_.write("b.c",
             "struct thing;\n"
             "struct thing *thing_new(void);\n"
             "void thing_push(struct thing *t);\n"
             "void thing_pop(int n);\n"
             "static struct thing *pushed(void) {\n"
             "  struct thing *t = thing_new();\n"
             "  thing_push(t);\n"
             "  return t;\n"  // 8
             "}\n"
             "void fine(void) {\n"
             "  pushed();\n"
             "  thing_pop(1);\n"
             "}\n"
             "void open(int n) {\n"
             "  thing_push(thing_new());\n"
             "  thing_pop(n);\n"
             "}\n"  // 17
             "int twice(int n) {\n"
             "  thing_push(thing_new());\n"
             "  if (n)\n"
             "    return 1;\n"
             "  return 2;\n"  // 22
             "}\n");
  auto why = [&](const std::string& line) {
    return run(box_, {"check", "--no-cache", "--specs", "stack.spec", "--why-not", "b.c:" + line, "b.c"}).out;
  };
  EXPECT_TRUE(contains(why("8"), "(DepthOnPurpose)")) << why("8");
  EXPECT_TRUE(contains(why("17"), "(DepthUnclear)")) << why("17");
  EXPECT_TRUE(contains(why("22"), "(DepthReported)")) << why("22");
}

TEST_F(WhyNot, WhatIsNoLineIsAnError) {
  for (const char* line : {"a.c", "a.c:", "a.c:x", "a.c:0", ":5", "a.c:99999999999", "a.c:5x"}) {
    const RunResult r = ask(line);
    EXPECT_EQ(r.code, 2) << line;
    EXPECT_TRUE(contains(r.err, "is not FILE:LINE")) << r.err;
  }
  const RunResult r = ask("a.c:1");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "line 1 of ") && contains(r.err, "is in no function that was captured")) << r.err;
  EXPECT_TRUE(contains(ask("b.c:1").err, "b.c is not among the files that were captured"));
}

}  // namespace
}  // namespace reckon::cli
