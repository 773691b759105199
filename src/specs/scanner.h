// Reads a spec text character by character. A logical line may span several physical ones; inside it newlines
// and comments count as white space, and every position maps back to a line and column of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "specs/spec.h"

namespace reckon::specs {

bool is_digit(char c);
bool is_word_start(char c);
bool is_word_char(char c);

// For messages: text shortened, made printable and put in back quotes.
std::string quoted(std::string_view text);

// Closest of `known` to `wrong`, as " (did you mean `x`?)"; empty if none is close.
std::string suggestion(std::string_view wrong, std::span<const std::string_view> known);

// Line and column (both from 1) of an offset.
class Positions {
 public:
  explicit Positions(std::string_view text);
  SpecLoc at(const std::string& file, std::size_t offset) const;

 private:
  std::vector<std::size_t> line_starts_;
};

// The extents of the logical lines of `text`; blank and comment-only ones are left out.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::vector<Extent> logical_lines(std::string_view text);

class Scanner {
 public:
  Scanner(std::string_view text, Extent extent) : text_(text), pos_(extent.begin), end_(extent.end) {}

  std::size_t pos() const { return pos_; }
  void rewind(std::size_t pos) { pos_ = pos; }

  void skip_space();
  bool at_end() {
    skip_space();
    return pos_ >= end_;
  }
  // The character `ahead` places on, without skipping anything; '\0' past the end.
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < end_ ? text_[pos_ + ahead] : '\0'; }

  // Takes `punct` if it comes next, right here.
  bool take(std::string_view punct);
  // The same after white space.
  bool take_spaced(std::string_view punct) {
    skip_space();
    return take(punct);
  }

  // [A-Za-z_][A-Za-z0-9_]*; empty if none. Both start right here.
  std::string_view identifier();
  // Identifiers joined by `-` where a letter follows: `runs-code`, but only `from` of `from-1`.
  std::string_view word();
  // A function name: identifier characters, `*`, `::`, `~`, `$`, `.`, `[digits]`
  std::string_view name_pattern();
  // Everything up to white space or a comment.
  std::string_view blob();
  // For messages: what stands here.
  std::string found() const;

  // [+-]digits or [+-]0xhex. nullopt: no number here (nothing taken) or, with *malformed set, a bad one.
  std::optional<std::int64_t> number(bool* malformed);

 private:
  std::string_view take_while(std::size_t length);
  std::size_t bracketed_number(std::size_t ahead) const;
  std::string_view text_;
  std::size_t pos_;
  std::size_t end_;
};

}  // namespace reckon::specs
