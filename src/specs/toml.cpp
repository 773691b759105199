// A strict reader: what it does not know is an error, never skipped. Written by hand because the packaged libraries
// abort or crash on some malformed files, and a user's typing error must not end the program.
//
// The file is read into nodes that keep their place while tables grow, and find their keys by hashing; values are made
// of them at the end.
#include "specs/toml.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "specs/scanner.h"

namespace reckon::specs {
namespace {

constexpr std::size_t max_depth = 16;  // of lists and tables in each other, and of parts of a key

struct Key {
  std::string name;
  std::size_t offset = 0;
};

struct Node {
  // How a table came to be decides what may be added to it.
  enum class Origin { Implied, Header, Dotted, Whole };

  TomlValue::Kind kind = TomlValue::Kind::Table;
  Origin origin = Origin::Whole;
  bool grows = false;  // a list that [[...]] adds to
  std::string text;
  std::size_t offset = 0;
  std::vector<std::unique_ptr<Node>> items;    // of a list
  std::vector<std::pair<Key, Node*>> entries;  // of a table
  std::unordered_map<std::string, std::unique_ptr<Node>> by_key;

  Node* find(const std::string& key) const {
    const auto it = by_key.find(key);
    return it == by_key.end() ? nullptr : it->second.get();
  }
  Node* add(const Key& key) {
    Node* node = (by_key[key.name] = std::make_unique<Node>()).get();
    node->offset = key.offset;
    entries.emplace_back(key, node);
    return node;
  }
};

TomlValue value_of(Node& node) {
  TomlValue value;
  value.kind = node.kind;
  value.text = std::move(node.text);
  value.offset = node.offset;
  for (const auto& item : node.items) value.items.push_back(value_of(*item));
  for (const auto& [key, inner] : node.entries) value.entries.push_back({key.name, key.offset, value_of(*inner)});
  return value;
}

bool append_utf8(std::uint32_t code, std::string& out) {
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  if (code < 0x80) {
    out += static_cast<char>(code);
    return true;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr unsigned char kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kFirst[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
  return true;
}

class TomlReader {
 public:
  TomlReader(std::string_view text, TomlError& error) : text_(text), error_(error) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") pos_ = 3;
  }

  std::optional<TomlValue> document() {
    for (skip_lines(); pos_ < text_.size(); skip_lines()) {
      const bool good = peek() == '[' ? header() : entry(*current_, 0);
      if (!good || !end_of_line()) return std::nullopt;
    }
    return value_of(root_);
  }

 private:
  using Kind = TomlValue::Kind;
  using Origin = Node::Origin;

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
  bool fail_twice(const Key& key) { return fail(key.offset, "the key " + quoted(key.name) + " twice"); }

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

  // ------------------------------------------------------------ keys and tables

  // `a`, `"a b"` or, with dots, several.
  bool keys(std::vector<Key>& out) {
    while (true) {
      Key key;
      key.offset = pos_;
      if (peek() == '"' || peek() == '\'') {
        if (!one_line_string(key.name)) return false;
      } else {
        while (is_word_char(peek()) || peek() == '-') ++pos_;
        key.name = text_.substr(key.offset, pos_ - key.offset);
        if (key.name.empty()) return fail_expected("a key");
      }
      out.push_back(std::move(key));
      if (out.size() > max_depth) return fail(out.back().offset, "lists or tables nested too deeply");
      skip_blanks();
      if (peek() != '.') return true;
      ++pos_;
      skip_blanks();
    }
  }

  // The table that all of `path` but its last key name, made where it is missing.
  Node* descend(Node& from, const std::vector<Key>& path, Origin origin) {
    Node* table = &from;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      Node* next = table->find(path[i].name);
      if (next == nullptr) {
        next = table->add(path[i]);
        next->origin = origin;
      } else if (next->kind == Kind::List && next->grows && origin == Origin::Implied) {
        next = next->items.back().get();
      } else if (next->kind != Kind::Table || next->origin == Origin::Whole ||
                 (origin == Origin::Dotted && next->origin != Origin::Dotted)) {
        fail_twice(path[i]);
        return nullptr;
      }
      table = next;
    }
    return table;
  }

  // [a.b] and [[a.b]]
  bool header() {
    ++pos_;
    const bool list = peek() == '[';
    if (list) ++pos_;
    skip_blanks();
    std::vector<Key> path;
    if (!keys(path)) return false;
    for (int i = list ? 2 : 1; i > 0; --i, ++pos_)
      if (peek() != ']') return fail_expected(list ? "`]]`" : "`]`");
    Node* table = descend(root_, path, Origin::Implied);
    if (table == nullptr) return false;
    Node* node = table->find(path.back().name);
    if (list) {
      if (node == nullptr) {
        node = table->add(path.back());
        node->kind = Kind::List;
        node->grows = true;
      } else if (!node->grows) {
        return fail_twice(path.back());
      }
      node->items.push_back(std::make_unique<Node>());
      node = node->items.back().get();
      node->offset = path.back().offset;
    } else if (node == nullptr) {
      node = table->add(path.back());
    } else if (node->kind != Kind::Table || node->origin != Origin::Implied) {
      return fail_twice(path.back());
    }
    node->origin = Origin::Header;
    current_ = node;
    return true;
  }

  bool entry(Node& table, std::size_t depth) {
    std::vector<Key> path;
    if (!keys(path)) return false;
    Node* inner = descend(table, path, Origin::Dotted);
    if (inner == nullptr) return false;
    if (inner->find(path.back().name) != nullptr) return fail_twice(path.back());
    if (peek() != '=') return fail_expected("`=`");
    ++pos_;
    skip_blanks();
    return value(*inner->add(path.back()), depth + path.size() - 1);
  }

  // ------------------------------------------------------------ values

  bool value(Node& out, std::size_t depth) {
    out.offset = pos_;
    if (depth > max_depth) return fail(pos_, "lists or tables nested too deeply");
    const char c = peek();
    if (c == '"' || c == '\'') {
      out.kind = Kind::String;
      return string(out.text);
    }
    if (c == '[') return list(out, depth);
    if (c == '{') return inline_table(out, depth);
    const std::size_t start = pos_;
    while (is_word_char(peek()) || peek() == '.' || peek() == '+' || peek() == '-' || is_time_colon()) ++pos_;
    out.text = text_.substr(start, pos_ - start);
    out.kind = out.text == "true" || out.text == "false" ? Kind::Boolean : Kind::Number;
    if (out.kind == Kind::Boolean || is_number(out.text)) return true;
    pos_ = start;
    return out.text.empty() ? fail_expected("a value")
                            : fail(start, "expected a value, found " + quoted(out.text) + "; strings need quotes");
  }

  // 07:32 in a date
  bool is_time_colon() const { return peek() == ':' && pos_ > 0 && is_digit(text_[pos_ - 1]) && is_digit(peek(1)); }

  static bool is_number(std::string_view text) {
    std::string_view digits = text;
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    if (digits == "inf" || digits == "nan") return true;
    return text.find_first_of("0123456789") != std::string_view::npos && !is_word_start(text[0]);
  }

  bool list(Node& out, std::size_t depth) {
    out.kind = Kind::List;
    ++pos_;
    while (true) {
      skip_lines();
      if (peek() == ']') break;
      out.items.push_back(std::make_unique<Node>());
      if (!value(*out.items.back(), depth + 1)) return false;
      skip_lines();
      if (peek() == ']') break;
      if (peek() != ',') return fail_expected("`,` or `]`");
      ++pos_;
    }
    ++pos_;
    return true;
  }

  bool inline_table(Node& out, std::size_t depth) {
    out.kind = Kind::Table;
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

  // ------------------------------------------------------------ strings

  bool string(std::string& out) {
    const char quote = peek();
    return peek(1) == quote && peek(2) == quote ? multi_line_string(out) : one_line_string(out);
  }

  bool one_line_string(std::string& out) {
    const std::size_t start = pos_;
    const char quote = peek();
    ++pos_;
    while (pos_ >= text_.size() || peek() != quote) {
      if (pos_ >= text_.size() || peek() == '\n') return fail(start, "a string without an end");
      if (quote == '"' && peek() == '\\') {
        if (!escape(out)) return false;
      } else {
        out += text_[pos_++];
      }
    }
    ++pos_;
    return true;
  }

  // Three quotes; a line end right behind them is not part of the text.
  bool multi_line_string(std::string& out) {
    const std::size_t start = pos_;
    const char quote = peek();
    const std::string end(3, quote);
    pos_ += 3;
    if (peek() == '\r' && peek(1) == '\n') ++pos_;
    if (peek() == '\n') ++pos_;
    while (text_.substr(std::min(pos_, text_.size()), 3) != end) {
      if (pos_ >= text_.size()) return fail(start, "a string without an end");
      if (quote != '"' || peek() != '\\') {
        out += text_[pos_++];
      } else if (const std::size_t next = text_.find_first_not_of(" \t\r", pos_ + 1);
                 next != std::string_view::npos && text_[next] == '\n') {
        pos_ = std::min(text_.find_first_not_of(" \t\r\n", next), text_.size());  // joins the lines
      } else if (!escape(out)) {
        return false;
      }
    }
    for (int more = 0; more < 2 && peek(3) == quote; ++more) {  // up to two quotes may end the text itself
      out += quote;
      ++pos_;
    }
    pos_ += 3;
    return true;
  }

  bool escape(std::string& out) {
    static constexpr std::string_view letters = "\"\\ntrbf", meanings = "\"\\\n\t\r\b\f";
    const char letter = pos_ + 1 < text_.size() ? peek(1) : '\0';
    if (const std::size_t which = letters.find(letter); letter != '\0' && which != std::string_view::npos) {
      out += meanings[which];
      pos_ += 2;
      return true;
    }
    if (letter != 'u' && letter != 'U')
      return fail(pos_, "expected `\\\"`, `\\\\`, `\\n` or `\\t`; in single quotes a backslash is itself");
    const std::size_t digits = letter == 'u' ? 4 : 8;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const char c = peek(2 + i);
      const std::size_t digit = std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
      if (c == '\0' || digit == std::string_view::npos)
        return fail(pos_, "expected " + std::to_string(digits) + " hexadecimal digits behind `\\" + letter + "`");
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    if (!append_utf8(code, out)) return fail(pos_, "no character has this number");
    pos_ += 2 + digits;
    return true;
  }

  std::string_view text_;
  TomlError& error_;
  std::size_t pos_ = 0;
  Node root_;
  Node* current_ = &root_;
};

}  // namespace

std::optional<TomlValue> parse_toml(std::string_view text, TomlError& error) {
  return TomlReader(text, error).document();
}

}  // namespace reckon::specs
