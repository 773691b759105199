// Repairs: offered only if they work, applied on request.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/one_file.h"

namespace reckon::cli {
namespace {

class Fixes : public OneFile {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t!) -> void t-1\n");
    box_.write("thing.h",
               "struct thing;\nstruct thing *thing_new(void);\nvoid thing_unref(struct thing *t);\nint work(void);\n");
  }
};

const char* const kLeak =
    "#include \"thing.h\"\n"
    "int forget(void) {\n"
    "  struct thing *t = thing_new();\n"
    "  if (!t)\n"
    "    return -1;\n"
    "  if (work())\n"
    "    return -2;\n"
    "  thing_unref(t);\n"
    "  return 0;\n"
    "}\n";

TEST_F(Fixes, DryRunPrintsAPatchThatWorks) {
  box_.write("a.c", kLeak);
  const RunResult r = check({"--fix-dry-run"});
  EXPECT_EQ(r.out,
            "--- a/a.c\n+++ b/a.c\n"
            "@@ -3,8 +3,10 @@\n"
            "   struct thing *t = thing_new();\n"
            "   if (!t)\n"
            "     return -1;\n"
            "-  if (work())\n"
            "+  if (work()) {\n"
            "+    thing_unref(t);\n"
            "     return -2;\n"
            "+  }\n"
            "   thing_unref(t);\n"
            "   return 0;\n"
            " }\n")
      << r.err;
  EXPECT_EQ(file("a.c"), kLeak);
}

TEST_F(Fixes, FixChangesTheFile) {
  box_.write("a.c", kLeak);
  const RunResult r = check({"--fix"});
  EXPECT_TRUE(contains(r.out, "note: repair (--fix): release `t` before returning")) << r.out << r.err;
  EXPECT_TRUE(contains(file("a.c"), "  if (work()) {\n    thing_unref(t);\n    return -2;\n  }\n")) << file("a.c");
  EXPECT_EQ(check({}).code, 0);
}

TEST_F(Fixes, WhatDoesNotHelpIsNotOffered) {
  // Behind the label the object may have been released already: a release there would be one too many.
  box_.write("a.c",
             "#include \"thing.h\"\n"
             "int forget(int n) {\n"
             "  struct thing *t = thing_new();\n"
             "  if (!t)\n"
             "    return -1;\n"
             "  if (n)\n"
             "    thing_unref(t);\n"
             "  return 0;\n"
             "}\n");
  const RunResult r = check({"--offer-fixes", "--format=json"});
  const auto finding = nlohmann::json::parse(r.out.substr(0, r.out.find('\n')));
  EXPECT_EQ(finding["check"], "thing-leak");
  EXPECT_FALSE(finding.contains("fixes")) << r.out;
}

TEST_F(Fixes, SarifCarriesTheEdit) {
  box_.write("a.c", kLeak);
  const RunResult r = check({"--offer-fixes", "--format=sarif"});
  const auto result = nlohmann::json::parse(r.out)["runs"][0]["results"][0];
  ASSERT_TRUE(result.contains("fixes")) << r.out;
  EXPECT_EQ(result["fixes"][0]["description"]["text"], "release `t` before returning");
  EXPECT_EQ(file("a.c"), kLeak);
}

// R: what is pushed and popped. The macros are R's own.
class RFixes : public testing::Test {
 protected:
  std::string repaired(const std::string& body) {
    box_.write(
        "Rinternals.h",
        "typedef struct SEXPREC *SEXP;\nextern SEXP R_NilValue;\nSEXP Rf_protect(SEXP);\nvoid Rf_unprotect(int);\n"
        "SEXP Rf_allocVector(unsigned, long);\nint Rf_asInteger(SEXP);\nSEXP SET_VECTOR_ELT(SEXP, long, SEXP);\n"
        "#define PROTECT(s) Rf_protect(s)\n#define UNPROTECT(n) Rf_unprotect(n)\n");
    box_.write("a.c", "#include \"Rinternals.h\"\n" + body);
    const RunResult r = run(box_, {"check", "--no-cache", "--fix", "a.c"});
    EXPECT_EQ(run(box_, {"check", "--no-cache", "a.c"}).code, 0) << r.out << r.err;
    std::ifstream in(box_.path("a.c"));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str().substr(text.str().find('\n') + 1);
  }
  Sandbox box_;
};

TEST_F(RFixes, APushThatIsMissing) {
  EXPECT_EQ(repaired("SEXP f(SEXP n) {\n  SEXP a = Rf_allocVector(13, 1);\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n"
                     "  SET_VECTOR_ELT(b, 0, a);\n  UNPROTECT(1);\n  return b;\n}\n"),
            "SEXP f(SEXP n) {\n  SEXP a = PROTECT(Rf_allocVector(13, 1));\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n"
            "  SET_VECTOR_ELT(b, 0, a);\n  UNPROTECT(2);\n  return b;\n}\n");
}

TEST_F(RFixes, APushWhosePopIsThere) {
  EXPECT_EQ(repaired("SEXP f(SEXP n) {\n  SEXP a = Rf_allocVector(13, 1);\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n"
                     "  SET_VECTOR_ELT(b, 0, a);\n  UNPROTECT(2);\n  return b;\n}\n"),
            "SEXP f(SEXP n) {\n  SEXP a = PROTECT(Rf_allocVector(13, 1));\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n"
            "  SET_VECTOR_ELT(b, 0, a);\n  UNPROTECT(2);\n  return b;\n}\n");
}

TEST_F(RFixes, APopThatIsMissingOrTakesTooMuch) {
  EXPECT_EQ(
      repaired("SEXP f(SEXP n) {\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n  if (Rf_asInteger(n) < 0)\n    return "
               "R_NilValue;\n"
               "  UNPROTECT(1);\n  return b;\n}\n"),
      "SEXP f(SEXP n) {\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n  if (Rf_asInteger(n) < 0) {\n    UNPROTECT(1);\n"
      "    return R_NilValue;\n  }\n  UNPROTECT(1);\n  return b;\n}\n");
  EXPECT_EQ(repaired("SEXP f(SEXP n) {\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n  SET_VECTOR_ELT(b, 0, n);\n  "
                     "UNPROTECT(3);\n  return b;\n}\n"),
            "SEXP f(SEXP n) {\n  SEXP b = PROTECT(Rf_allocVector(19, 1));\n  SET_VECTOR_ELT(b, 0, n);\n  "
            "UNPROTECT(1);\n  return b;\n}\n");
}

}  // namespace
}  // namespace reckon::cli
