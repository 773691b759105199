// The rest of a function that stands in a helper of its own is judged as part of it; other helpers stay functions.
#include "findings_fixture.h"
#include "model/verify.h"
#include "program/rests.h"
#include "support/limits.h"

namespace reckon::analysis_test {
namespace {

class Rests : public AnalysisTest {
 protected:
  Rests() {
    describe(R"(failure errno
unknown-result none
check leaks
counted object refs
fn make()         -> new | NULL
fn drop(o!)       -> void o-1
fn described(o!)  -> 0 o-1
)",
             R"(typedef struct object { long refs; } object;
object *make(void);
void drop(object *o);
int other(int n);)");
  }

  std::shared_ptr<const model::Unit> joined(const std::string& source) {
    const std::shared_ptr<const model::Unit> joined = program::with_rests(unit("u.c", source), specs_);
    for (const std::string& defect : model::verify(*joined)) ADD_FAILURE() << defect;
    return joined;
  }

  // Names of the functions that are no rests, in order.
  std::vector<std::string> wholes(const std::string& source) {
    std::vector<std::string> out;
    const std::shared_ptr<const model::Unit> unit = joined(source);
    for (const model::Function& f : unit->functions)
      if (f.rest_of == model::kNone) out.emplace_back(unit->name(f.symbol));
    return out;
  }

  // "function:line" of each finding.
  std::vector<std::string> places(const std::string& source) {
    std::vector<std::string> out;
    for (const report::Finding& f : analyse(program::Program::link({joined(source)})).findings)
      out.push_back(f.function + ":" + std::to_string(f.loc.line));
    return out;
  }
};

using Names = std::vector<std::string>;

TEST_F(Rests, KnowWhatWasDoneBefore) {
  EXPECT_EQ(places("static int rest(object *o, int n) {\n"
                   "  if (n > 3) drop(o);\n"
                   "  return 0;\n"
                   "}\n"
                   "int f(int n) {\n"
                   "  object *o = n > 3 ? make() : 0;\n"
                   "  if (n > 3 && !o) return -1;\n"
                   "  return rest(o, n);\n"
                   "}"),
            Names{});
}

TEST_F(Rests, FindingsStandWhereTheSourceHasThem) {
  EXPECT_EQ(places("static int rest(object *o, int n) {\n"
                   "  if (n) return -1;\n"
                   "  drop(o);\n"
                   "  return 0;\n"
                   "}\n"
                   "int f(int n) {\n"
                   "  object *o = make();\n"
                   "  if (!o) return -1;\n"
                   "  return rest(o, n);\n"
                   "}"),
            Names{"rest:2"});
}

TEST_F(Rests, MayHaveRestsAndLocals) {
  EXPECT_EQ(
      wholes("static int last(int *p) { int a[2] = {1, *p}; for (int i = 0; i < 2; i++) *p += a[i]; return *p; }\n"
             "static int rest(int n, int m) { int k = n + m; if (k > 4) return 3; return last(&k); }\n"
             "int f(int n) { if (n < 0) return rest(n, 5); return other(n); }"),
      Names{"f"});
}

TEST_F(Rests, OfFunctionsWithoutAResult) {
  EXPECT_EQ(wholes("static int rest(int n) { return other(n); }\n"
                   "void f(int n) { if (n) rest(n); }\n"
                   "static void end(int n) { other(n); }\n"
                   "void g(int n) { other(2); end(n); }"),
            (Names{"f", "g"}));
}

TEST_F(Rests, OtherHelpersStayFunctions) {
  const auto stays = [&](const std::string& source) {
    const Names names = wholes(source);
    return std::find(names.begin(), names.end(), "rest") != names.end();
  };
  EXPECT_TRUE(stays("int rest(int n) { return other(n); }\nint f(int n) { return rest(n); }")) << "callers elsewhere";
  EXPECT_TRUE(
      stays("static int rest(int n) { return other(n); }\nint f(int n) { return rest(n); }\n"
            "int g(int n) { return rest(n); }"))
      << "two callers";
  EXPECT_TRUE(
      stays("static int rest(int n) { return other(n); }\nint (*p)(int) = rest;\n"
            "int f(int n) { return rest(n); }"))
      << "its address is taken";
  EXPECT_TRUE(stays("static int rest(int n) { return other(n); }\nint f(int n) { n = rest(n); other(n); return n; }"))
      << "something follows";
  EXPECT_TRUE(stays("static int rest(int n) { return other(n); }\nint f(int n) { return n ? n : rest(n); }"))
      << "one of two results";
  EXPECT_TRUE(stays("static int rest(int n) { return n ? rest(n - 1) : 0; }\nint f(int n) { return rest(n); }"))
      << "it calls itself";
  std::string many = "static int rest(int n) {";
  for (int i = 0; i < support::kLimits.program.rest_instructions; ++i) many += " other(n);";
  EXPECT_TRUE(stays(many + " return 0; }\nint f(int n) { return rest(n); }")) << "too long";
}

TEST_F(Rests, WhatASpecDescribesStaysAFunction) {
  EXPECT_EQ(wholes("static int described(object *o) { drop(o); return 0; }\nint f(object *o) { return described(o); }"),
            (Names{"described", "f"}));
}

TEST_F(Rests, TwoThatEndWithEachOtherAreNoRests) {
  EXPECT_EQ(wholes("static int a(int n);\nstatic int b(int n) { other(n); return a(n - 1); }\n"
                   "static int a(int n) { other(n); return b(n - 1); }"),
            (Names{"b"}));
}

TEST_F(Rests, HaveOutcomesOfTheirOwn) {
  analysis::Options options;
  options.dump = "summary";
  const std::string text = analyse(program::Program::link({joined("static object *rest(object *o, int n) {\n"
                                                                  "  if (n) { drop(o); return 0; }\n"
                                                                  "  return o;\n"
                                                                  "}\n"
                                                                  "object *f(int n) {\n"
                                                                  "  object *o = make();\n"
                                                                  "  if (!o) return 0;\n"
                                                                  "  return rest(o, n);\n"
                                                                  "}")}),
                                   options)
                               .dump_text;
  EXPECT_NE(text.find("rest\n"), std::string::npos) << text;
  EXPECT_NE(text.find("o-1"), std::string::npos) << text;
}

}  // namespace
}  // namespace reckon::analysis_test
