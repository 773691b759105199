// Reads the textual form character by character: blanks and comments are skipped before every item. Each member
// returns false and notes what was expected if it does not find its item; the first note wins.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/strings.h"

namespace reckon::model {

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  // Skips blanks, line ends and comments. True if a line end was among them, or if at the start or the end.
  bool skip() {
    bool new_line = at_ == 0;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '\n') {
        new_line = true;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else {
        return new_line;
      }
    }
    return true;
  }

  // Whether the line has nothing more.
  bool line_ends() {
    std::size_t before = at_;
    bool ends = skip();
    at_ = before;
    return ends;
  }

  bool at_end() {
    skip();
    return at_ == text_.size();
  }

  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(std::string_view s) {
    skip();
    if (!text_.substr(at_).starts_with(s)) return false;
    at_ += s.size();
    return true;
  }

  bool expect(std::string_view s) { return accept(s) || fail("'" + std::string(s) + "'"); }

  // The identifier that comes next, without consuming it; empty if there is none.
  std::string_view peek_word() {
    skip();
    if (!support::is_identifier(text_.substr(at_, 1))) return {};
    std::size_t n = 1;
    while (at_ + n < text_.size() && is_word_char(text_[at_ + n])) ++n;
    return text_.substr(at_, n);
  }

  bool accept_word(std::string_view w) {
    if (peek_word() != w) return false;
    at_ += w.size();
    return true;
  }

  bool expect_word(std::string_view w) { return accept_word(w) || fail("'" + std::string(w) + "'"); }

  bool word(std::string_view& w) {
    w = peek_word();
    at_ += w.size();
    return !w.empty() || fail("a word");
  }

  template <typename T>
  bool number(T& v) {
    skip();
    const char* first = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    if (first != end && *first == '+') ++first;
    auto [p, e] = std::from_chars(first, end, v);
    if (e != std::errc{}) return fail("a number");
    at_ = static_cast<std::size_t>(p - text_.data());
    return true;
  }

  // A number right after a letter or sign: t12, %5, @3.
  template <typename T>
  bool tagged(char tag, T& v) {
    skip();
    if (at_ + 1 >= text_.size() || text_[at_] != tag || text_[at_ + 1] < '0' || text_[at_ + 1] > '9') {
      return fail(std::string("'") + tag + "' and a number");
    }
    ++at_;
    return number(v);
  }

  bool string(std::string& v) {
    skip();
    std::size_t length = 0;
    auto s = support::unquoted(text_.substr(at_), length);
    if (!s) return fail("a string in quotes");
    v = std::move(*s);
    at_ += length;
    return true;
  }

  bool fail(std::string_view expected) {
    if (error_.empty()) {
      std::string_view before = text_.substr(0, at_);
      std::size_t line = 1, start = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] == '\n') {
          ++line;
          start = i + 1;
        }
      }
      error_ = std::to_string(line) + ":" + std::to_string(at_ - start + 1) + ": expected " + std::string(expected);
    }
    return false;
  }

  const std::string& error() const { return error_; }

 private:
  static bool is_word_char(char c) { return (c >= '0' && c <= '9') || support::is_identifier({&c, 1}); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace reckon::model
