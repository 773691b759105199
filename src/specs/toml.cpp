// A strict reader: what it does not know is an error, never skipped. Written by hand because the packaged library
// aborts on some malformed files, and a user's typing error must not end the program.
#include "specs/toml.h"

#include <algorithm>

#include "specs/scanner.h"

namespace reckon::specs {
namespace {

constexpr int max_depth = 16;  // of lists in lists

class TomlReader {
 public:
  TomlReader(std::string_view text, TomlError& error) : text_(text), error_(error) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") pos_ = 3;
  }

  std::optional<TomlValue> document() {
    TomlValue root;
    root.kind = TomlValue::Kind::Table;
    // A table's entries are filled in before the next header makes the vector move.
    std::size_t current = none;
    for (skip_lines(); pos_ < text_.size(); skip_lines()) {
      bool good;
      if (peek() == '[')
        good = header(root, current);
      else
        good = entry(current == none ? root : root.entries[current].value);
      if (!good || !end_of_line()) return std::nullopt;
    }
    return root;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }

  bool fail(std::size_t at, std::string message) {
    error_ = {at, std::move(message)};
    return false;
  }
  bool fail_expected(std::string_view what) {
    std::string found = pos_ >= text_.size()               ? "the end of the file"
                        : peek() == '\n' || peek() == '\r' ? "the end of the line"
                                                           : quoted(text_.substr(pos_, 1));
    return fail(pos_, "expected " + std::string(what) + ", found " + found);
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++pos_;
  }
  void skip_comment() {
    if (peek() == '#') pos_ = std::min(text_.find('\n', pos_), text_.size());
  }
  void skip_lines() {
    while (pos_ < text_.size()) {
      skip_blanks();
      skip_comment();
      if (peek() != '\n' && peek() != '\r') return;
      ++pos_;
    }
  }
  bool end_of_line() {
    skip_blanks();
    skip_comment();
    if (peek() == '\r' && peek(1) == '\n') ++pos_;
    if (pos_ < text_.size() && peek() != '\n') return fail_expected("the end of the line");
    return true;
  }

  bool key(std::string& out) {
    if (peek() == '"' || peek() == '\'') return string(out);
    std::size_t start = pos_;
    while (is_word_char(peek()) || peek() == '-') ++pos_;
    out = text_.substr(start, pos_ - start);
    return !out.empty() || fail_expected("a key");
  }

  bool add_key(const TomlValue& table, const std::string& name, std::size_t at) {
    for (const TomlEntry& other : table.entries)
      if (other.key == name) return fail(at, "the key " + quoted(name) + " twice");
    return true;
  }

  bool header(TomlValue& root, std::size_t& current) {
    ++pos_;
    skip_blanks();
    TomlEntry entry;
    entry.offset = pos_;
    if (!key(entry.key) || !add_key(root, entry.key, entry.offset)) return false;
    skip_blanks();
    if (peek() != ']') return fail_expected("`]`");
    ++pos_;
    entry.value.kind = TomlValue::Kind::Table;
    entry.value.offset = entry.offset;
    root.entries.push_back(std::move(entry));
    current = root.entries.size() - 1;
    return true;
  }

  bool entry(TomlValue& table, int depth = 0) {
    TomlEntry entry;
    entry.offset = pos_;
    if (!key(entry.key) || !add_key(table, entry.key, entry.offset)) return false;
    skip_blanks();
    if (peek() != '=') return fail_expected("`=`");
    ++pos_;
    skip_blanks();
    if (!value(entry.value, depth)) return false;
    table.entries.push_back(std::move(entry));
    return true;
  }

  bool value(TomlValue& out, int depth) {
    out.offset = pos_;
    if (depth > max_depth) return fail(pos_, "lists or tables nested too deeply");
    char c = peek();
    if (c == '"' || c == '\'') return string(out.text);
    if (c == '[') return list(out, depth);
    if (c == '{') return inline_table(out, depth);
    std::size_t start = pos_;
    while (is_word_char(peek()) || peek() == '.' || peek() == '+' || peek() == '-') ++pos_;
    out.text = text_.substr(start, pos_ - start);
    if (out.text == "true" || out.text == "false") {
      out.kind = TomlValue::Kind::Boolean;
      return true;
    }
    out.kind = TomlValue::Kind::Number;
    if (out.text.find_first_of("0123456789") != std::string::npos && !is_word_start(out.text[0])) return true;
    pos_ = start;
    return out.text.empty() ? fail_expected("a value")
                            : fail(start, "expected a value, found " + quoted(out.text) + "; strings need quotes");
  }

  bool list(TomlValue& out, int depth) {
    out.kind = TomlValue::Kind::List;
    ++pos_;
    while (true) {
      skip_lines();
      if (peek() == ']') break;
      TomlValue item;
      if (!value(item, depth + 1)) return false;
      out.items.push_back(std::move(item));
      skip_lines();
      if (peek() == ']') break;
      if (peek() != ',') return fail_expected("`,` or `]`");
      ++pos_;
    }
    ++pos_;
    return true;
  }

  bool inline_table(TomlValue& out, int depth) {
    out.kind = TomlValue::Kind::Table;
    ++pos_;
    skip_blanks();
    if (peek() == '}') return ++pos_, true;
    while (true) {
      skip_blanks();
      if (!entry(out, depth + 1)) return false;
      skip_blanks();
      if (peek() == '}') return ++pos_, true;
      if (peek() != ',') return fail_expected("`,` or `}`");
      ++pos_;
    }
  }

  bool string(std::string& out) {
    std::size_t start = pos_;
    char quote = peek();
    if (peek(1) == quote && peek(2) == quote) return fail(start, "multi-line strings are not read");
    ++pos_;
    while (peek() != quote) {
      if (pos_ >= text_.size() || peek() == '\n') return fail(start, "a string without an end");
      if (quote == '"' && peek() == '\\') {
        static constexpr std::string_view letters = "\"\\nt", meanings = "\"\\\n\t";
        std::size_t which = letters.find(peek(1));
        if (pos_ + 1 >= text_.size() || which == std::string_view::npos)
          return fail(pos_, "expected `\\\"`, `\\\\`, `\\n` or `\\t`; in single quotes a backslash is itself");
        out += meanings[which];
        pos_ += 2;
      } else {
        out += text_[pos_++];
      }
    }
    ++pos_;
    return true;
  }

  std::string_view text_;
  TomlError& error_;
  std::size_t pos_ = 0;
};

}  // namespace

std::optional<TomlValue> parse_toml(std::string_view text, TomlError& error) {
  return TomlReader(text, error).document();
}

}  // namespace reckon::specs
