// The parts of the language server that need no editor: framing, places, and outcomes in words.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lsp/framing.h"
#include "lsp/places.h"
#include "lsp/words.h"
#include "specs/parser.h"
#include "specs/spec_set.h"

namespace reckon::lsp {
namespace {

using nlohmann::json;

TEST(LspFraming, MessagesComeInAnyPieces) {
  const std::string bytes = framed("{\"a\":1}") + "content-length:2\r\nX-Other: 1\r\n\r\n{}";
  MessageReader reader;
  std::vector<std::string> got;
  for (const char c : bytes) {
    reader.add({&c, 1});
    for (std::string body; reader.next(body);) got.push_back(body);
  }
  EXPECT_EQ(got, (std::vector<std::string>{"{\"a\":1}", "{}"}));
  EXPECT_FALSE(reader.broken());
}

TEST(LspFraming, HeaderWithoutLengthIsBroken) {
  for (const char* bytes : {"X: 1\r\n\r\n{}", "Content-Length: many\r\n\r\n", "Content-Length: 99999999999\r\n\r\n"}) {
    MessageReader reader;
    reader.add(bytes);
    std::string body;
    EXPECT_FALSE(reader.next(body)) << bytes;
    EXPECT_TRUE(reader.broken()) << bytes;
  }
}

TEST(LspPlaces, ColumnsCountUtf16Units) {
  const std::string text = "a\n\xf0\x9d\x84\x9e\xc3\xa4x\n";  // a character of two units, one of one, x
  EXPECT_EQ(offset_of(text, {{"line", 1}, {"character", 2}}), 6u);
  EXPECT_EQ(offset_of(text, {{"line", 1}, {"character", 3}}), 8u);
  EXPECT_EQ(offset_of(text, {{"line", 1}, {"character", 99}}), 9u);
  EXPECT_EQ(offset_of(text, {{"line", 9}, {"character", 0}}), text.size());
  const report::SourceFile source = report::make_source(text);
  EXPECT_EQ(position_of(source, 2, 7), (json{{"line", 1}, {"character", 3}}));
}

TEST(LspPlaces, UrisAndWords) {
  EXPECT_EQ(path_of("file:///a%20b/c.c"), "/a b/c.c");
  EXPECT_EQ(path_of("untitled:1"), "");
  const std::string text = "x = N::f (y);";
  const Word word = word_under(text, 7);
  EXPECT_EQ(word.text, "N::f");
  EXPECT_TRUE(word.called);
  EXPECT_FALSE(word_under(text, 10).called);
  EXPECT_EQ(word_under(text, 3).text, "");
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<specs::SpecError> errors;
  const specs::SpecFile file = specs::parse_spec("t.spec", "domain d\n" + line + "\n", errors);
  EXPECT_TRUE(errors.empty()) << line;
  return file.functions.empty() ? std::vector<std::string>() : in_words(behaviour_of(file.functions[0]));
}

using Words = std::vector<std::string>;

TEST(LspWords, ResultsAndFailures) {
  EXPECT_EQ(words_of("fn f(n) -> new | NULL raises"),
            (Words{"returns a new reference", "on failure NULL with an exception"}));
  EXPECT_EQ(words_of("fn f(n) -> new | NULL raises if-oom"),
            (Words{"returns a new reference", "on failure (memory has run out) NULL with an exception"}));
  EXPECT_EQ(words_of("fn f(d, k) -> borrowed d | NULL"),
            (Words{"returns a borrowed reference (`d` keeps it alive) or NULL"}));
  EXPECT_EQ(words_of("fn f(o!) runs-code -> void o-1"),
            (Words{"gives up a reference to `o`", "may run any code", "`o` must not be NULL"}));
  // What always fails has nothing to be told apart from.
  EXPECT_EQ(words_of("fn f(m) -> void raises"), (Words{"sets an exception"}));
  EXPECT_EQ(words_of("fn f(x) -> -1 raises steals x"), (Words{"returns -1 with an exception", "steals `x`"}));
}

TEST(LspWords, WhetherAnEffectHappensOnFailure) {
  EXPECT_EQ(words_of("fn f(l, x) -> 0 steals x into l | -1 raises steals x"),
            (Words{"returns 0", "on failure -1 with an exception", "steals `x`, also when it fails"}));
  EXPECT_EQ(words_of("fn f(l, x) -> 0 steals x into l | -1 raises"),
            (Words{"returns 0", "on failure -1 with an exception", "steals `x`, not when it fails"}));
  EXPECT_EQ(words_of("fn f(x) -> void x-1 when x != NULL | void when x == NULL"),
            (Words{"gives up a reference to `x` when `x` is not 0 or NULL"}));
}

TEST(LspWords, WhatIsOffTheConvention) {
  std::vector<specs::SpecError> errors;
  const specs::SpecFile file = specs::parse_spec(
      "t.spec", "domain d\nfn f(a, b) -> borrowed a steals b | NULL raises\nfn g(a) -> new | NULL raises\n", errors);
  ASSERT_EQ(file.functions.size(), 2u);
  EXPECT_EQ(off_convention(behaviour_of(file.functions[0])), (Words{"returns borrowed", "steals 2nd argument"}));
  EXPECT_EQ(off_convention(behaviour_of(file.functions[1])), Words{});
}

}  // namespace
}  // namespace reckon::lsp
