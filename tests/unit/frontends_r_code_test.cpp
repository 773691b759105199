// Calls of native code in R code, and the names of routines in a NAMESPACE.
#include <gtest/gtest.h>

#include "frontends/r/r_code.h"

namespace reckon::frontends {
namespace {

const std::vector<NativeInterface> kInterfaces{{".Call"}, {".External"}, {".C", false}};

std::vector<checks::NativeCall> calls(std::string_view code, const NativeNames& names = {}) {
  return native_calls(code, "a.R", kInterfaces, names);
}

TEST(RCode, CountsArguments) {
  const auto found = calls("f <- function(x)\n  .Call(C_f, x, g(1, 2), x[1, , drop = FALSE], {a; b})\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].interface, ".Call");
  EXPECT_EQ(found[0].name, "C_f");
  EXPECT_EQ(found[0].arguments, 4);
  EXPECT_EQ(found[0].line, 2u);
}

TEST(RCode, NoArguments) {
  const auto found = calls(".Call(C_f)");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].arguments, 0);
}

TEST(RCode, OptionsOfTheInterfaceAreNoArguments) {
  const auto found = calls(".C(\"f\", x, n = 3L, PACKAGE = \"p\", NAOK = TRUE)");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "f");
  EXPECT_EQ(found[0].arguments, 2);
  const auto objects = calls(".Call(\"f\", x, n = 3L, PACKAGE = \"p\", NAOK = TRUE)");
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].arguments, 3);
}

TEST(RCode, DotsHaveNoNumber) {
  const auto found = calls(".External(C_f, x, ...)");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].arguments, -1);
}

TEST(RCode, CommentsStringsAndOtherNamesAreNoCalls) {
  EXPECT_TRUE(calls("# .Call(C_f, x)\n'.Call(C_f)'; r\"(.Call(C_f))\"; x.Call(C_f); .Call; .Call(f(x), y)").empty());
  const auto found = calls("g(\"a, b)\", ')')\n`.Call`(C_f, \"x,y\", 'it\\'s')");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].arguments, 2);
  EXPECT_EQ(found[0].line, 2u);
}

TEST(RCode, NamesOfRoutines) {
  const NativeNames names =
      native_names("export(f)\nuseDynLib(\"pkg\", .registration = TRUE, .fixes = \"C_\", own = routine)\n");
  EXPECT_EQ(names.prefix, "C_");
  EXPECT_EQ(names.routine("C_sum"), "sum");
  EXPECT_EQ(names.routine("own"), "routine");
  EXPECT_EQ(names.routine("other"), "other");
  const auto found = calls(".Call(C_sum, x); .Call(\"C_sum\", x)", names);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "sum");
  EXPECT_EQ(found[1].name, "C_sum") << "a string is the name itself";
}

TEST(RCode, NamesWithTheirPackage) {
  const NativeNames names = native_names("useDynLib(pkg, .registration = TRUE, .fixes = \"C_\")\n");
  EXPECT_EQ(names.library, "pkg");
  const auto found =
      calls(".Call(pkg:::C_sum, x); .Call(pkg::C_sum); .Call(other:::C_sum, x); .Call(pkg$C_sum, x)", names);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "sum");
  EXPECT_EQ(found[0].arguments, 1);
  EXPECT_EQ(found[1].arguments, 0);
}

// Each call was read to its end, and with it all calls in it: minutes, and gigabytes.
TEST(RCode, CallsWithinCalls) {
  const auto calls =
      native_calls("f(.Call(C_a, .Call(C_b, x), g(.Call(\"c\", 1, 2)), y = 3), .Call(C_d))", "a.R", {{".Call"}}, {});
  ASSERT_EQ(calls.size(), 4u);
  const std::pair<const char*, int> expected[] = {{"C_a", 3}, {"C_b", 1}, {"c", 2}, {"C_d", 0}};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].name, expected[i].first);
    EXPECT_EQ(calls[i].arguments, expected[i].second);
  }
  std::string deep;
  for (int i = 0; i < 300'000; ++i) deep += ".Call(C_x,";
  EXPECT_GE(native_calls(deep, "a.R", {{".Call"}}, {}).size(), 1000u);
  std::string wide = ".Call(C_x";
  for (int i = 0; i < 300'000; ++i) wide += ", .Call(C_y)";
  EXPECT_EQ(native_calls(wide + ")", "a.R", {{".Call"}}, {}).size(), 300'001u);
}

TEST(RCode, CodeThatCannotRun) {
  const auto found = calls(
      "if (FALSE) {\n .Call(C_dead, x)\n if (y) .Call(C_dead)\n} else .Call(C_live)\nif (FALSE) .Call(C_dead,\n 1)\n"
      "f(if (0) .Call(C_dead), 2)\n.Call(C_live)\nif (FALSE || x) .Call(C_live)\nif (F) .Call(C_dead)");
  ASSERT_EQ(found.size(), 3u);
  for (const checks::NativeCall& call : found) EXPECT_EQ(call.name, "C_live");
}

TEST(RCode, RoutinesNamedAnywhere) {
  const NativeNames names = native_names("useDynLib(pkg, .registration = TRUE, .fixes = \"C_\")\n");
  checks::RoutineNames found;
  add_routine_names(".Call2(\"one\", x)\ndo.call(.Call, list(C_two))\ngetNativeSymbolInfo(\"three\", f(x))\n\"four\"",
                    names, found);
  EXPECT_TRUE(found.contains("one") && found.contains("two") && found.contains("four"));
  EXPECT_FALSE(found.contains("three"));
}

TEST(RCode, UnfinishedTextEnds) {
  EXPECT_EQ(calls(".Call(C_f, x, (y").size(), 1u);
  EXPECT_TRUE(calls(".Call(\"f").size() <= 1u);
  EXPECT_TRUE(calls("r\"(").empty());
}

}  // namespace
}  // namespace reckon::frontends
