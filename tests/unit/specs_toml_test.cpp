// The TOML reader by itself; what a project file may hold is in specs_config_test.cpp.
#include "specs/toml.h"

#include <gtest/gtest.h>

namespace reckon::specs {
namespace {

// {a: {b: "text"}, l: [1, 2]}
std::string shown(const TomlValue& value) {
  std::string out;
  switch (value.kind) {
    case TomlValue::Kind::String: return "\"" + value.text + "\"";
    case TomlValue::Kind::Number:
    case TomlValue::Kind::Boolean: return value.text;
    case TomlValue::Kind::List:
      for (const TomlValue& item : value.items) out += (out.empty() ? "" : ", ") + shown(item);
      return "[" + out + "]";
    case TomlValue::Kind::Table:
      for (const TomlEntry& entry : value.entries)
        out += (out.empty() ? "" : ", ") + entry.key + ": " + shown(entry.value);
      return "{" + out + "}";
  }
  return out;
}

std::string read(std::string_view text) {
  TomlError error;
  const std::optional<TomlValue> value = parse_toml(text, error);
  return value ? shown(*value) : std::to_string(error.offset) + ": " + error.message;
}

TEST(Toml, DottedKeys) {
  EXPECT_EQ(read("a.b = 1\na.c . d = 2\n\"x y\".'z' = 3\n"), "{a: {b: 1, c: {d: 2}}, x y: {z: 3}}");
  EXPECT_EQ(read("a = { b.c = 1, b.d = 2 }\n"), "{a: {b: {c: 1, d: 2}}}");
  EXPECT_EQ(read("a.b = 1\na.b = 2\n"), "10: the key `b` twice");
  EXPECT_EQ(read("a = 1\na.b = 2\n"), "6: the key `a` twice");
  EXPECT_EQ(read("a = {}\na.b = 2\n"), "7: the key `a` twice");
}

TEST(Toml, TablesWithPartsAndQuotes) {
  EXPECT_EQ(read("[a.\"b c\"]\nx = 1\n[a]\ny = 2\n[ a . d ]\nz = 3\n"), "{a: {b c: {x: 1}, y: 2, d: {z: 3}}}");
  EXPECT_EQ(read("[a]\n[a]\n"), "5: the key `a` twice");
  EXPECT_EQ(read("[a.b]\n[a.b]\n"), "9: the key `b` twice");
  EXPECT_EQ(read("a = 1\n[a.b]\n"), "7: the key `a` twice");
  EXPECT_EQ(read("[]\n"), "1: expected a key, found `]`");
  EXPECT_EQ(read("[a.]\n"), "3: expected a key, found `]`");
}

TEST(Toml, ListsOfTables) {
  EXPECT_EQ(read("[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 3\n"), "{a: [{x: 1}, {x: 2, b: {y: 3}}]}");
  EXPECT_EQ(read("a = []\n[[a]]\n"), "9: the key `a` twice");
  EXPECT_EQ(read("[[a]\n"), "4: expected `]]`, found the end of the line");
}

TEST(Toml, Escapes) {
  EXPECT_EQ(read(R"(a = "\u0041\u00e9\U0001F600\t\r\b\f\\\"")"), "{a: \"A\xc3\xa9\xf0\x9f\x98\x80\t\r\b\f\\\"\"}");
  EXPECT_EQ(read(R"("\u006b" = 1)"), "{k: 1}");
  EXPECT_EQ(read(R"(a = "\u12")"), "5: expected 4 hexadecimal digits behind `\\u`");
  EXPECT_EQ(read(R"(a = "\ud800")"), "5: no character has this number");
  EXPECT_EQ(read(R"(a = "\U00110000")"), "5: no character has this number");
  EXPECT_EQ(read("a = '\\u0041'"), "{a: \"\\u0041\"}");
}

TEST(Toml, StringsOfSeveralLines) {
  EXPECT_EQ(read("a = \"\"\"\none\ntwo \\\n   three\"\"\"\n"), "{a: \"one\ntwo three\"}");
  EXPECT_EQ(read("a = '''it''s \\n'''"), "{a: \"it''s \\n\"}");
  EXPECT_EQ(read("a = \"\"\"\"quoted\"\"\"\"\"\n"), "{a: \"\"quoted\"\"\"}");
  EXPECT_EQ(read("a = \"\"\"x\n"), "4: a string without an end");
}

TEST(Toml, NumbersAndDatesAreText) {
  EXPECT_EQ(read("a = [1_000, 0xff, -1.5e3, +inf, nan, 1979-05-27T07:32:00Z, 07:32]"),
            "{a: [1_000, 0xff, -1.5e3, +inf, nan, 1979-05-27T07:32:00Z, 07:32]}");
  EXPECT_EQ(read("a = yes"), "4: expected a value, found `yes`; strings need quotes");
}

TEST(Toml, DepthIsBounded) {
  std::string lists = "a = ", dots = "a", tables = "a = ";
  for (int i = 0; i < 100'000; ++i) {
    lists += '[';
    dots += ".a";
    tables += "{a = ";
  }
  for (const std::string& text : {lists, dots + " = 1", tables, "[" + dots + "]"})
    EXPECT_NE(read(text).find("nested too deeply"), std::string::npos);
}

TEST(Toml, ManyKeysAreReadInOrder) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "key" + std::to_string(i) + " = 1\n";
  TomlError error;
  const std::optional<TomlValue> value = parse_toml(text, error);
  ASSERT_TRUE(value);
  ASSERT_EQ(value->entries.size(), 100'000u);
  EXPECT_EQ(value->entries[99'999].key, "key99999");
}

}  // namespace
}  // namespace reckon::specs
