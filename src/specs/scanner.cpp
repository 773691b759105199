#include "specs/scanner.h"

#include <algorithm>
#include <charconv>

#include "support/suggest.h"

namespace reckon::specs {
namespace {

constexpr std::size_t max_quoted = 40;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return is_letter(c); }
bool is_word_char(char c) { return is_letter(c) || is_digit(c); }

std::string quoted(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out = "`";
  for (char c : text.substr(0, max_quoted)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      out += "\\x";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  if (text.size() > max_quoted) out += "...";
  out += '`';
  return out;
}

std::string suggestion(std::string_view wrong, std::span<const std::string_view> known) {
  // Words of specs are short and many: more than two changes make another word of most of them.
  if (wrong.size() < 3 || wrong.size() > 32) return "";
  const std::string_view best = support::most_alike(wrong, known, wrong.size() < 6 ? 1 : 2);
  if (best.empty() || best == wrong) return "";  // nothing is like it, or it is a right word in the wrong place
  return " (did you mean " + quoted(best) + "?)";
}

Positions::Positions(std::string_view text) : line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_starts_.push_back(i + 1);
}

SpecLoc Positions::at(const std::string& file, std::size_t offset) const {
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  SpecLoc loc;
  loc.file = file;
  loc.line = static_cast<std::uint32_t>(after - line_starts_.begin());
  loc.col = static_cast<std::uint32_t>(offset - *(after - 1) + 1);
  return loc;
}

std::vector<Extent> logical_lines(std::string_view text) {
  std::vector<Extent> lines;
  bool joined = false;  // the line before ended in a backslash
  std::size_t pos = text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
  while (pos < text.size()) {
    std::size_t eol = std::min(text.find('\n', pos), text.size());
    std::string_view line = text.substr(pos, eol - pos);
    std::string_view code = line.substr(0, line.find('#'));
    while (!code.empty() && is_blank(code.back())) code.remove_suffix(1);
    std::size_t indent = 0;
    while (indent < code.size() && is_blank(code[indent])) ++indent;
    bool blank = indent == code.size();
    bool starts_indented = !line.empty() && is_blank(line[0]);
    if (!blank) {
      if (!lines.empty() && (joined || starts_indented))
        lines.back().end = pos + code.size();
      else
        lines.push_back({pos + indent, pos + code.size()});
    }
    joined = !blank && code.back() == '\\';
    pos = eol + 1;
  }
  return lines;
}

void Scanner::skip_space() {
  while (pos_ < end_) {
    char c = text_[pos_];
    if (is_blank(c) || c == '\n') {
      ++pos_;
    } else if (c == '#') {
      pos_ = std::min(text_.find('\n', pos_), end_);
    } else if (c == '\\') {
      // A backslash that ends its line, white space and a comment aside, is white space.
      std::size_t next = pos_ + 1;
      while (next < end_ && is_blank(text_[next])) ++next;
      if (next < end_ && text_[next] != '\n' && text_[next] != '#') return;
      pos_ = next;
    } else {
      return;
    }
  }
}

bool Scanner::take(std::string_view punct) {
  if (text_.substr(pos_, std::min(punct.size(), end_ - pos_)) != punct) return false;
  pos_ += punct.size();
  return true;
}

std::string_view Scanner::take_while(std::size_t length) {
  std::string_view taken = text_.substr(pos_, length);
  pos_ += length;
  return taken;
}

std::string_view Scanner::identifier() {
  if (!is_letter(peek())) return {};
  std::size_t n = 1;
  while (is_word_char(peek(n))) ++n;
  return take_while(n);
}

std::string_view Scanner::word() {
  if (!is_letter(peek())) return {};
  std::size_t n = 1;
  while (is_word_char(peek(n)) || (peek(n) == '-' && is_letter(peek(n + 1)))) ++n;
  return take_while(n);
}

// The length of `[digits]` `ahead` places on; 0 if there is none.
std::size_t Scanner::bracketed_number(std::size_t ahead) const {
  if (peek(ahead) != '[' || !is_digit(peek(ahead + 1))) return 0;
  std::size_t n = 2;
  while (is_digit(peek(ahead + n))) ++n;
  return peek(ahead + n) == ']' ? n + 1 : 0;
}

std::string_view Scanner::name_pattern() {
  std::size_t n = 0;
  while (true) {
    char c = peek(n);
    if (is_word_char(c) || c == '*' || c == '~' || c == '$' || c == '.')
      ++n;
    else if (c == ':' && peek(n + 1) == ':')
      n += 2;
    else if (std::size_t index = bracketed_number(n))
      n += index;
    else if (n > 0 && c == '/' && is_digit(peek(n + 1)))
      n += 2;
    else
      break;
  }
  return take_while(n);
}

std::string_view Scanner::blob() {
  std::size_t n = 0;
  while (pos_ + n < end_ && !is_blank(peek(n)) && peek(n) != '\n' && peek(n) != '#' && peek(n) != '\\') ++n;
  return take_while(n);
}

std::string Scanner::found() const {
  Scanner copy = *this;
  if (copy.at_end()) return "the end of the line";
  std::string_view text;
  std::size_t start = copy.pos_;
  char c = copy.peek();
  if (is_word_start(c)) {
    text = copy.word();
  } else if (is_digit(c) || ((c == '-' || c == '+') && is_digit(copy.peek(1)))) {
    do ++copy.pos_;
    while (is_word_char(copy.peek()) || copy.peek() == '.');
    text = text_.substr(start, copy.pos_ - start);
  } else {
    static constexpr std::string_view longer[] = {"...", "->", "..", "==", "!=", "<=", ">="};
    text = text_.substr(start, 1);
    for (std::string_view punct : longer)
      if (text_.substr(start, std::min(punct.size(), end_ - start)) == punct) {
        text = punct;
        break;
      }
  }
  return quoted(text);
}

std::optional<std::int64_t> Scanner::number(bool* malformed) {
  *malformed = false;
  std::size_t n = peek() == '-' || peek() == '+' ? 1 : 0;
  if (!is_digit(peek(n))) return std::nullopt;
  bool negative = peek() == '-';
  bool hex = peek(n) == '0' && (peek(n + 1) == 'x' || peek(n + 1) == 'X');
  std::size_t first = pos_ + n + (hex ? 2 : 0);
  std::size_t last = first;
  while (last < end_ && is_word_char(text_[last])) ++last;
  std::uint64_t magnitude = 0;
  auto [stop, failure] = std::from_chars(text_.data() + first, text_.data() + last, magnitude, hex ? 16 : 10);
  constexpr std::uint64_t min_magnitude = std::uint64_t{1} << 63;
  bool in_range = magnitude < min_magnitude || (negative && magnitude == min_magnitude) || (hex && !negative);
  if (failure != std::errc{} || stop != text_.data() + last || first == last || !in_range) {
    *malformed = true;
    return std::nullopt;
  }
  pos_ = last;
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

}  // namespace reckon::specs
