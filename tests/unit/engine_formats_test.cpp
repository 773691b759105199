// Format strings: their units, and what becomes of the objects that they stand for.
#include "engine/properties/formats/formats.h"

#include <gtest/gtest.h>

#include "findings_fixture.h"

namespace reckon::engine {
namespace {

TEST(Formats, ParseUnitsTakeTheirArguments) {
  bool ok = false;
  const auto u = parse_units("O!s#|y*O&$i:name", ok);
  ASSERT_TRUE(ok);
  ASSERT_EQ(u.size(), 8u);
  EXPECT_EQ(u[1].use, UnitUse::Object);
  EXPECT_EQ(u[2].use, UnitUse::Interior);
  EXPECT_FALSE(u[3].optional);
  EXPECT_EQ(u[4].use, UnitUse::Buffer);
  EXPECT_TRUE(u[4].optional);
  EXPECT_EQ(u[6].use, UnitUse::Converter);
  EXPECT_EQ(u[7].argument, 7u);
}

TEST(Formats, BuildUnitsSayWhoTakesTheReference) {
  bool ok = false;
  const auto u = build_units("(NO{s:i})", ok);
  ASSERT_TRUE(ok);
  ASSERT_EQ(u.size(), 4u);
  EXPECT_EQ(u[0].use, UnitUse::Consumed);
  EXPECT_EQ(u[1].use, UnitUse::Object);
  EXPECT_EQ(u[3].use, UnitUse::Plain);
}

TEST(Formats, UnknownUnitsAreSaid) {
  bool ok = true;
  parse_units("O?", ok);
  EXPECT_FALSE(ok);
  build_units("q", ok);
  EXPECT_FALSE(ok);
}

}  // namespace
}  // namespace reckon::engine

namespace reckon::analysis_test {
namespace {

class FormatCalls : public AnalysisTest {
 protected:
  FormatCalls() {
    describe(R"(failure exception
unknown-result new
check leaks formats
counted object refs
fn make()                          -> new | NULL raises
fn drop(o!)                        -> void o-1
fn xdrop(o?)                       -> void when o != NULL o-1 | void when o == NULL
fn build(format!, ...build)        -> new | NULL raises
fn parse(args!, format!, ...parse) -> 1 | 0 raises
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void drop(object *o); void xdrop(object *o);
object *build(const char *format, ...); int parse(object *args, const char *format, ...);)");
  }
};

TEST_F(FormatCalls, TheFormatSaysWhoseTheReferenceIs) {
  const std::string before = "void f(void) { object *a = make();\n if (!a) return;\n ";
  EXPECT_EQ(found(before + "xdrop(build(\"(O)\", a));\n}"), Lines{"leak:4"});
  EXPECT_EQ(found(before + "xdrop(build(\"(N)\", a));\n}"), Lines{});
}

TEST_F(FormatCalls, WhatIsParsedIsBorrowed) {
  EXPECT_EQ(found("void f(object *args) { object *a;\n if (!parse(args, \"O\", &a)) return;\n drop(a); }"),
            Lines{"over-release:3"});
}

TEST_F(FormatCalls, ArgumentsFitTheFormat) {
  EXPECT_EQ(found("object *f(int n) { return build(\"(n)\", n); }"), Lines{"format:1"});
  EXPECT_EQ(found("object *f(int n) { return build(\"(i)\", n); }"), Lines{});
}

}  // namespace
}  // namespace reckon::analysis_test
