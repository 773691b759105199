// The grammars of formats: which argument has which type, and what is wrong with a format.
#include <gtest/gtest.h>

#include "engine/properties/formats/formats.h"

namespace reckon::engine {
namespace {

std::vector<ArgKind> kinds(const Format& f) {
  std::vector<ArgKind> out;
  for (const FormatUnit& u : f.units) out.push_back(u.kind);
  return out;
}

TEST(FormatGrammar, ParseKinds) {
  const Format f = read_parse_format("O!O&es#y*nfD|$u#:name");
  EXPECT_EQ(f.problem, "");
  EXPECT_EQ(f.items, 8u);
  EXPECT_EQ(kinds(f),
            (std::vector<ArgKind>{ArgKind::Type, ArgKind::Object, ArgKind::Function, ArgKind::Any, ArgKind::Encoding,
                                  ArgKind::Text, ArgKind::Length, ArgKind::Struct, ArgKind::Number, ArgKind::Float,
                                  ArgKind::Struct, ArgKind::WideText, ArgKind::Length}));
  EXPECT_EQ(f.units[6].text, "es#");
  EXPECT_EQ(f.units[8].size, IntSize::Pointer);
  EXPECT_TRUE(f.units[12].optional);
}

TEST(FormatGrammar, GroupsCountOnce) {
  EXPECT_EQ(read_parse_format("i(ii(ss))O").items, 3u);
  EXPECT_EQ(read_parse_format("").items, 0u);
}

TEST(FormatGrammar, BuildPromotesSmallNumbers) {
  const Format f = read_build_format("{s:b, s:[h]} (n)f");
  ASSERT_EQ(f.units.size(), 6u);
  EXPECT_EQ(f.units[1].size, IntSize::Int);
  EXPECT_EQ(f.units[3].size, IntSize::Int);
  EXPECT_EQ(f.units[4].size, IntSize::Pointer);
  EXPECT_EQ(f.units[5].size, IntSize::Long);  // a float arrives as a double
}

TEST(FormatGrammar, PrintSizesWidthsAndPairs) {
  const Format f = read_print_format("%5d %-10.3s %% %ld %lld %zd %*d %V %p %R %c %.100U");
  EXPECT_EQ(f.problem, "");
  EXPECT_EQ(kinds(f),
            (std::vector<ArgKind>{ArgKind::Number, ArgKind::Text, ArgKind::Number, ArgKind::Number, ArgKind::Number,
                                  ArgKind::Number, ArgKind::Number, ArgKind::Object, ArgKind::Text, ArgKind::Any,
                                  ArgKind::Object, ArgKind::Number, ArgKind::Object}));
  EXPECT_EQ(f.units[2].size, IntSize::Long);
  EXPECT_EQ(f.units[3].size, IntSize::LongLong);
  EXPECT_EQ(f.units[4].size, IntSize::Pointer);
  EXPECT_EQ(f.units[1].text, "%-10.3s");
}

TEST(FormatGrammar, Problems) {
  EXPECT_EQ(read_parse_format("iv").problem, "format unit 'v' does not exist");
  EXPECT_EQ(read_parse_format("i i").problem, "format unit ' ' does not exist");
  EXPECT_EQ(read_parse_format("(ii").problem, "'(' is not closed in the format");
  EXPECT_EQ(read_parse_format("ii)").problem, "')' without '(' in the format");
  EXPECT_EQ(read_build_format("[i)").problem, "')' without '(' in the format");
  EXPECT_EQ(read_print_format("%s is %r").problem, "format unit '%r' does not exist");
  EXPECT_EQ(read_print_format("100%").problem, "the format ends in the middle of a unit");
}

}  // namespace
}  // namespace reckon::engine
