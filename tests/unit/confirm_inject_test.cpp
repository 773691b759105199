// Rewritten sources: what is put where, and that lines keep their numbers.
#include "confirm/inject.h"

#include <gtest/gtest.h>

#include "confirm/plan.h"

namespace reckon::confirm {
namespace {

constexpr const char* kFile = "/x/a.c";

struct Source {
  report::Sources sources;
  report::Run run;
  report::Finding finding;
  report::Confirmation result;

  explicit Source(const std::string& text) {
    sources.replace(kFile, text);
    finding.check = "test-leak";
    finding.function = "f";
  }

  void step(std::uint32_t line, std::uint32_t col, const std::string& text, const std::string& callee = "",
            const report::CallEnd& end = {}) {
    report::Step s;
    s.loc = {kFile, line, col, ""};
    s.text = text;
    s.callee = callee;
    if (!callee.empty()) run.call_ends[{callee, 0}] = end;
    finding.path.push_back(std::move(s));
  }

  std::string rewritten(std::uint32_t line, std::uint32_t col, Plans& plans) {
    finding.loc = {kFile, line, col, ""};
    plans = make_plans({{&finding, &result, "test", report::Harm::Grows}}, run, sources);
    const auto files = inject(plans, {"RUNTIME", {{"parse", 1}}, {}}, sources);
    return files.contains(kFile) ? files.at(kFile) : "";
  }
};

TEST(ConfirmInject, AFailingCallDoesAllThatItsEndSays) {
  Source s("int f(void)\n{\n    if (put(list, make(1)) < 0)\n        return -1;\n    return 0;\n}\n");
  report::CallEnd end;
  end.failure = true;
  end.value = -1;
  end.exception = "set";
  end.released = {1};
  s.step(3, 9, "when put() fails", "put", end);
  Plans plans;
  const std::string text = s.rewritten(4, 9, plans);
  EXPECT_EQ(
      text,
      "#line 1 \"reckon/runtime.h\"\nRUNTIME\n#line 1 \"/x/a.c\"\nint f(void)\n{ RECKON_ENTER(1) \n    if "
      "((RECKON_FAILS(2) ? "
      "(RECKON_RELEASE(make(1)), RECKON_RAISE(), (__typeof__(put(list, make(1))))(-1)) : put(list, make(1))) < 0)\n"
      "        return -1;\n    return 0;\n}\n");
  ASSERT_EQ(plans.plans.size(), 1u);
  EXPECT_EQ(plans.plans[0].attempts, (std::vector<std::vector<unsigned>>{{2}}));
}

TEST(ConfirmInject, TheValueComesFromTheBranchWhereNoSpecSaysIt) {
  Source s("int f(void)\n{\n    int e = outside(1);\n    if (e < 0)\n        return -1;\n    return 0;\n}\n");
  s.step(3, 13, "outside()");
  s.step(4, 9, "assuming `e < 0`");
  Plans plans;
  const std::string text = s.rewritten(5, 9, plans);
  EXPECT_NE(text.find("(RECKON_FAILS(2) ? ((__typeof__(outside(1)))(-1)) : outside(1))"), std::string::npos) << text;
  // Without it first: the branch may be taken anyway.
  EXPECT_EQ(plans.plans[0].attempts, (std::vector<std::vector<unsigned>>{{}, {2}}));
}

TEST(ConfirmInject, ACallInAMacroIsCaughtByItsName) {
  Source s("int f(void)\n{\n    ADD(m, 1);\n    return 0;\n}\n");
  report::CallEnd end;
  end.failure = true;
  end.value = 0;
  s.step(3, 5, "when make() fails", "make", end);
  Plans plans;
  const std::string text = s.rewritten(4, 5, plans);
  EXPECT_NE(text.find("#define make(...) ((__LINE__ == 3 && RECKON_FAILS(2)) ? ((__typeof__(make(__VA_ARGS__)))(0)) : "
                      "make(__VA_ARGS__))\n#line 2 \"/x/a.c\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("#pragma pop_macro(\"make\")\n#line 5 \"/x/a.c\"\n}"), std::string::npos) << text;
}

TEST(ConfirmInject, FormatsAreNoted) {
  Source s("int f(void)\n{\n    return parse(args, \"O|i\", &a, &b);\n}\n");
  Plans plans;
  const std::string text = s.rewritten(3, 5, plans);
  EXPECT_NE(text.find("return (RECKON_FORMAT(\"O|i\"), parse(args, \"O|i\", &a, &b));"), std::string::npos) << text;
}

TEST(ConfirmInject, LinesOfThePreprocessorInsideACallAreLeftAlone) {
  Source s(
      "int f(void)\n{\n    if (put(a,\n#ifdef X\n            b\n#endif\n            ) < 0)\n        return -1;\n}\n");
  report::CallEnd end;
  end.failure = true;
  end.value = -1;
  s.step(3, 9, "when put() fails", "put", end);
  Plans plans;
  s.rewritten(8, 9, plans);
  EXPECT_NE(plans.plans[0].untried, "");
}

}  // namespace
TEST(ConfirmInject, AValueFitsAllConditionsOfThePath) {
  Source s(
      "int f(void)\n{\n    int n = find();\n    if (n == -1)\n        return 0;\n    return n < 0 ? g() : 0;\n}\n");
  s.step(3, 13, "find()");
  s.step(4, 9, "assuming `n != -1`");
  s.step(6, 12, "assuming `n < 0`");
  Plans plans;
  s.rewritten(6, 20, plans);
  ASSERT_EQ(plans.sites.size(), 1u);
  EXPECT_EQ(plans.sites[0].end.value, -2);
}

TEST(ConfirmInject, AConditionThatIsTheCallSaysWhatItReturns) {
  Source s("int f(void)\n{\n    if (store(1) < 0)\n        return -1;\n    return 0;\n}\n");
  s.step(3, 9, "assuming `store() < 0`");
  Plans plans;
  const std::string text = s.rewritten(4, 9, plans);
  EXPECT_NE(text.find("(RECKON_FAILS(2) ? ((__typeof__(store(1)))(-1)) : store(1))"), std::string::npos) << text;
}

TEST(ConfirmInject, ACallWhoseEndIsKnownIsNotForced) {
  Source s("int f(void)\n{\n    int n = read(&x);\n    if (n == 0)\n        return 0;\n    return g(x);\n}\n");
  report::CallEnd end;
  end.value = 1;
  s.step(3, 13, "when read() returns", "read", end);
  s.step(4, 9, "assuming `n` is not 0");
  Plans plans;
  s.rewritten(6, 12, plans);
  EXPECT_TRUE(plans.sites.empty());  // it fills its argument, which a value alone does not
}

TEST(ConfirmInject, NorIsOneWhoseEndAnotherStepKnows) {
  Source s("int f(void)\n{\n    if (!convert(o, &x))\n        return -1;\n    return g(x);\n}\n");
  s.step(3, 10, "when convert() returns");
  report::CallEnd end;
  end.value = 131072;
  s.step(3, 10, "convert()", "convert", end);
  s.step(3, 9, "assuming convert() does not return 0");
  Plans plans;
  s.rewritten(5, 12, plans);
  EXPECT_TRUE(plans.sites.empty());
}

// The object that it gives by an argument would be missing.
TEST(ConfirmInject, ACallThatMustGiveAnObjectIsNotMadeToSucceed) {
  Source s("int f(void)\n{\n    if (!convert(o, &x))\n        return -1;\n    return g(x);\n}\n");
  report::CallEnd end;
  end.value = 131072;
  end.decides = true;
  s.step(3, 10, "convert()", "convert", end);
  s.finding.path.back().state = "owned references of `x`: 1";
  Plans plans;
  s.rewritten(5, 12, plans);
  EXPECT_TRUE(plans.sites.empty());
}

TEST(ConfirmInject, ACallThatFailsInAWayNobodyDescribesGivesNullIfItGivesAPointer) {
  Source s("int f(void)\n{\n    void *o = make(1);\n    use(o);\n    return 0;\n}\n");
  s.step(3, 15, "when make() fails");
  s.finding.path.back().change.exception = "set";
  Plans plans;
  const std::string text = s.rewritten(4, 5, plans);
  EXPECT_NE(text.find("void *o = (RECKON_IS_POINTER(make(1)) && RECKON_FAILS(2) ? (RECKON_RAISE(), "
                      "(__typeof__(make(1)))(0)) : make(1));"),
            std::string::npos)
      << text;
  ASSERT_EQ(plans.plans.size(), 1u);
  EXPECT_EQ(plans.plans[0].attempts, (std::vector<std::vector<unsigned>>{{2}}));
}

// Of a number nobody can say which one means failure; here the path does.
TEST(ConfirmInject, WhatALaterStepAssumesIsTheValueOfSuchACall) {
  Source s("int f(void)\n{\n    int n = size(1);\n    if (n < 0)\n        return 1;\n    return 0;\n}\n");
  s.step(3, 13, "when size() fails");
  s.step(4, 9, "assuming `n < 0`");
  Plans plans;
  const std::string text = s.rewritten(5, 9, plans);
  EXPECT_NE(text.find("int n = (RECKON_FAILS(2) ? ((__typeof__(size(1)))(-1)) : size(1));"), std::string::npos) << text;
}

TEST(ConfirmInject, BracesOfAMacroInsideAFunctionDoNotEndIt) {
  Source s(
      "int f(void)\n{\n#define take(n) \\\nif (n) { \\\n    return 1; \\\n} else { \\\n    use(n); \\\n}\n"
      "    if (store(1) < 0)\n        return -1;\n    return 0;\n}\n");
  s.step(9, 9, "assuming `store() < 0`");
  Plans plans;
  s.rewritten(10, 9, plans);
  ASSERT_EQ(plans.entries.size(), 1u);
  EXPECT_EQ(plans.entries[0].begin.line, 2u);
  EXPECT_EQ(plans.entries[0].end.line, 12u);
}

TEST(ConfirmInject, AFunctionIsFoundBehindBracesThatConditionalLinesLeaveOpen) {
  Source s(
      "#ifdef A\nint g(void) {\n#else\nint g(int x) {\n#endif\n    return 0;\n}\n\nint f(void) {\n    void *o = "
      "make(1);\n"
      "    return 0;\n}\n");
  s.step(10, 15, "when make() fails");
  Plans plans;
  const std::string text = s.rewritten(11, 5, plans);
  EXPECT_NE(text.find("int f(void) { RECKON_ENTER(1) "), std::string::npos) << text;
}

}  // namespace reckon::confirm
