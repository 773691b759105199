#include "report/c_text.h"

#include <algorithm>
#include <string>

namespace reckon::report {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// End of a `"..."` or `'...'` that begins at `at`.
std::size_t literal_end(std::string_view s, std::size_t at) {
  for (std::size_t i = at + 1; i < s.size() && s[i] != '\n'; ++i) {
    if (s[i] == '\\' && i + 1 < s.size())
      ++i;
    else if (s[i] == s[at])
      return i + 1;
  }
  return std::min(s.find('\n', at), s.size());
}

// End of R"tag(...)tag", where `at` is the quote; 0 if it is none.
std::size_t raw_end(std::string_view s, std::size_t at) {
  const std::size_t open = s.find('(', at);
  if (open == std::string_view::npos || open - at > 17) return 0;
  const std::string close = ")" + std::string(s.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = s.find(close, open);
  return end == std::string_view::npos ? s.size() : end + close.size();
}

bool is_raw_prefix(std::string_view word) {
  return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
}

// A line comment goes on behind a backslash at the end of its line.
std::size_t line_comment_end(std::string_view s, std::size_t at) {
  for (std::size_t end = at;; ++end) {
    end = s.find('\n', end);
    if (end == std::string_view::npos) return s.size();
    const std::size_t last = end > at && s[end - 1] == '\r' ? end - 1 : end;
    if (last == at || s[last - 1] != '\\') return last;
  }
}

}  // namespace

std::vector<Token> tokenize(std::string_view s) {
  std::vector<Token> out;
  std::uint32_t line = 1;
  for (std::size_t i = 0; i < s.size();) {
    if (is_space(s[i]) || (s[i] == '\\' && i + 1 < s.size() && (s[i + 1] == '\n' || s[i + 1] == '\r'))) {
      line += s[i++] == '\n';
      continue;
    }
    Token token{Token::Kind::Mark, i, 1, line};
    std::size_t end = i + 1;
    if (s.substr(i, 2) == "//") {
      token.kind = Token::Kind::Comment;
      end = line_comment_end(s, i);
    } else if (s.substr(i, 2) == "/*") {
      token.kind = Token::Kind::Comment;
      end = s.find("*/", i + 2);
      end = end == std::string_view::npos ? s.size() : end + 2;
    } else if (s[i] == '"' || s[i] == '\'') {
      token.kind = Token::Kind::Literal;
      end = literal_end(s, i);
    } else if (is_word(s[i])) {
      token.kind = Token::Kind::Word;
      while (end < s.size() && is_word(s[end])) ++end;
      if (end < s.size() && s[end] == '"' && is_raw_prefix(s.substr(i, end - i))) {
        if (const std::size_t raw = raw_end(s, end); raw > 0) end = raw, token.kind = Token::Kind::Literal;
      } else if (s[i] >= '0' && s[i] <= '9') {
        while (end + 1 < s.size() && s[end] == '\'' && is_word(s[end + 1]))  // 1'000'000
          for (++end; end < s.size() && is_word(s[end]);) ++end;
      }
    }
    token.length = end - i;
    line += static_cast<std::uint32_t>(
        std::count(s.begin() + static_cast<std::ptrdiff_t>(i), s.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    i = end;
    out.push_back(token);
  }
  return out;
}

}  // namespace reckon::report
