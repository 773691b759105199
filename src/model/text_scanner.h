// Reads the textual form item by item; blanks, line ends and comments before an item are skipped. Members that do not
// find their item return false, consume nothing and, unless they only accept(), note what was expected; the first
// note wins.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/id.h"
#include "support/strings.h"

namespace reckon::model {

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  // Whether the line has nothing more.
  bool line_ends() const {
    bool new_line = false;
    next(new_line);
    return new_line;
  }

  bool at_end() const { return next() == text_.size(); }

  char peek() const {
    std::size_t at = next();
    return at < text_.size() ? text_[at] : '\0';
  }

  bool accept(std::string_view s) {
    std::size_t at = next();
    if (!text_.substr(at).starts_with(s)) return false;
    at_ = at + s.size();
    return true;
  }

  bool expect(std::string_view s) { return accept(s) || fail("'" + std::string(s) + "'"); }

  // The identifier that comes next, without consuming it; empty if there is none.
  std::string_view peek_word() const {
    std::size_t at = next();
    if (!support::is_identifier(text_.substr(at, 1))) return {};
    std::size_t n = 1;
    while (at + n < text_.size() && is_word_char(text_[at + n])) ++n;
    return text_.substr(at, n);
  }

  bool accept_word(std::string_view w) {
    if (peek_word() != w) return false;
    at_ = next() + w.size();
    return true;
  }

  bool expect_word(std::string_view w) { return accept_word(w) || fail("'" + std::string(w) + "'"); }

  bool word(std::string_view& w) {
    w = peek_word();
    if (w.empty()) return fail("a word");
    at_ = next() + w.size();
    return true;
  }

  template <typename T>
  bool number(T& v) {
    const char* first = text_.data() + next();
    const char* end = text_.data() + text_.size();
    if (first != end && *first == '+') ++first;
    auto [p, e] = std::from_chars(first, end, v);
    if (e != std::errc{}) return fail("a number");
    at_ = static_cast<std::size_t>(p - text_.data());
    return true;
  }
  template <typename Tag>
  bool number(support::Id<Tag>& id) {
    std::uint32_t n = 0;
    if (!number(n)) return false;
    id = support::Id<Tag>(n);
    return true;
  }

  // A number right after a letter or sign: t12, %5, @3.
  template <typename T>
  bool tagged(char tag, T& v) {
    std::size_t at = next();
    if (at + 1 >= text_.size() || text_[at] != tag || text_[at + 1] < '0' || text_[at + 1] > '9') {
      return fail(std::string("'") + tag + "' and a number");
    }
    at_ = at + 1;
    return number(v);
  }

  bool string(std::string& v) {
    std::size_t at = next(), length = 0;
    auto s = support::unquote(text_.substr(at), length);
    if (!s) return fail("a string in quotes");
    v = std::move(*s);
    at_ = at + length;
    return true;
  }

  bool fail(std::string_view expected) {
    if (!error_.empty()) return false;
    std::string_view before = text_.substr(0, next());
    std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::size_t col = before.size() - (before.rfind('\n') + 1) + 1;  // no line end: npos + 1 is 0
    error_ = std::to_string(line) + ":" + std::to_string(col) + ": expected " + std::string(expected);
    return false;
  }

  const std::string& error() const { return error_; }

 private:
  // Where the next item starts, after blanks, line ends and comments; notes a line end or the end of the text.
  std::size_t next(bool& new_line) const {
    std::size_t at = at_;
    while (at < text_.size()) {
      char c = text_[at];
      if (c == '/' && text_.substr(at).starts_with("//")) {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        new_line = new_line || c == '\n';
        ++at;
      } else {
        return at;
      }
    }
    new_line = true;
    return at;
  }
  std::size_t next() const {
    bool ignored = false;
    return next(ignored);
  }

  static bool is_word_char(char c) { return (c >= '0' && c <= '9') || support::is_identifier({&c, 1}); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace reckon::model
