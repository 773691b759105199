#include "report/c_text.h"

#include <gtest/gtest.h>

namespace reckon::report {
namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> out;
  for (const Token& token : tokenize(source)) out.emplace_back(token.text(source));
  return out;
}

using Texts = std::vector<std::string>;

TEST(CText, WordsMarksAndLiterals) {
  EXPECT_EQ(texts("a1+=\"x\\\"y\";"), (Texts{"a1", "+", "=", "\"x\\\"y\"", ";"}));
  EXPECT_EQ(texts("c = '\"'; d"), (Texts{"c", "=", "'\"'", ";", "d"}));
  EXPECT_EQ(texts("1'000'000 u"), (Texts{"1'000'000", "u"}));
}

TEST(CText, Comments) {
  EXPECT_EQ(texts("a // b \"c\nd"), (Texts{"a", "// b \"c", "d"}));
  EXPECT_EQ(texts("a /* b\n // c */ d"), (Texts{"a", "/* b\n // c */", "d"}));
  EXPECT_EQ(texts("// a \\\nb\nc"), (Texts{"// a \\\nb", "c"}));
  EXPECT_EQ(texts("x /* open"), (Texts{"x", "/* open"}));
  EXPECT_EQ(texts("s = \"// no comment\";"), (Texts{"s", "=", "\"// no comment\"", ";"}));
}

TEST(CText, RawStrings) {
  EXPECT_EQ(texts("R\"x(a\" // )\" b)x\" c"), (Texts{"R\"x(a\" // )\" b)x\"", "c"}));
  EXPECT_EQ(texts("u8R\"(\n)\" c"), (Texts{"u8R\"(\n)\"", "c"}));
}

TEST(CText, Lines) {
  const std::string_view source = "a\nb /* 1\n2 */ c\n\\\nd \"open\ne";
  std::vector<std::uint32_t> lines;
  for (const Token& token : tokenize(source)) lines.push_back(token.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{1, 2, 2, 3, 5, 5, 6}));
}

}  // namespace
}  // namespace reckon::report
