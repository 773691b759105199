// Text from outside made safe to print.
#include "support/terminal_text.h"

#include <gtest/gtest.h>

namespace reckon::support {
namespace {

TEST(TerminalText, PlainTextStays) {
  EXPECT_EQ(printable("src/gr\xc3\xbc\xc3\x9f e.c: `x` is 3"), "src/gr\xc3\xbc\xc3\x9f e.c: `x` is 3");
  EXPECT_EQ(printable(""), "");
}

TEST(TerminalText, ControlCharactersAreSpeltOut) {
  EXPECT_EQ(printable("a\nb\tc\rd\033[2J\177"), "a\\nb\\tc\\rd\\x1b[2J\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u009b") << "a control sequence may also start so";
  EXPECT_EQ(printable_lines("a\nb\tc\033"), "a\nb\tc\\x1b");
}

TEST(TerminalText, DirectionsAndLineSeparatorsAreSpeltOut) {
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\u2066");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u2028");
  EXPECT_EQ(printable_lines("\xe2\x80\xa8"), "\\u2028");
}

TEST(TerminalText, BytesThatAreNotUtf8AreSpeltOut) {
  EXPECT_EQ(printable("a\xff"), "a\\xff");
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");
}

}  // namespace
}  // namespace reckon::support
