// C and C++ source text as tokens, as far as reports need it: where comments, literals and words begin and end. The
// preprocessor's lines are tokens like others; nothing is expanded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace reckon::report {

struct Token {
  enum class Kind : std::uint8_t { Word, Literal, Mark, Comment };  // Word: names and numbers; Mark: one character
  Kind kind = Kind::Mark;
  std::size_t at = 0;  // offset
  std::size_t length = 0;
  std::uint32_t line = 0;  // of its first character, from 1

  std::string_view text(std::string_view source) const { return source.substr(at, length); }
};

// All tokens in order. Unterminated literals end with their line, unterminated comments with the text.
std::vector<Token> tokenize(std::string_view source);

}  // namespace reckon::report
