#include "engine/properties/formats/formats.h"

#include <gtest/gtest.h>

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
