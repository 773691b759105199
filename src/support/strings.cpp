#include "support/strings.h"

namespace reckon::support {

namespace {

constexpr char kHex[] = "0123456789abcdef";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool is_identifier(std::string_view s) {
  if (s.empty() || !is_letter(s[0])) return false;
  for (char c : s) {
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

bool is_utf8(std::string_view s) {
  for (std::size_t i = 0; i < s.size();) {
    auto c = static_cast<unsigned char>(s[i]);
    std::size_t more = c < 0x80                ? 0
                       : c >= 0xc2 && c < 0xe0 ? 1
                       : c >= 0xe0 && c < 0xf0 ? 2
                       : c >= 0xf0 && c < 0xf5 ? 3
                                               : 4;
    if (more == 4 || s.size() - i <= more) return false;
    unsigned value = more == 0 ? c : c & (0x3fu >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      auto d = static_cast<unsigned char>(s[i + k]);
      if ((d & 0xc0) != 0x80) return false;
      value = value << 6 | (d & 0x3f);
    }
    bool overlong = (more == 2 && value < 0x800) || (more == 3 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return false;
    i += more + 1;
  }
  return true;
}

std::string quote(std::string_view s) {
  bool keep_high = is_utf8(s);
  std::string r = "\"";
  for (char c : s) {
    auto b = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      r += '\\';
      r += c;
    } else if (c == '\n') {
      r += "\\n";
    } else if (c == '\t') {
      r += "\\t";
    } else if (b < 0x20 || b == 0x7f || (b >= 0x80 && !keep_high)) {
      r += "\\x";
      r += kHex[b >> 4];
      r += kHex[b & 15];
    } else {
      r += c;
    }
  }
  return r + '"';
}

std::optional<std::string> unquote(std::string_view s, std::size_t& length) {
  if (s.empty() || s[0] != '"') return std::nullopt;
  std::string r;
  for (std::size_t i = 1; i < s.size(); ++i) {
    if (s[i] == '"') {
      length = i + 1;
      return r;
    }
    if (s[i] != '\\') {
      r += s[i];
      continue;
    }
    if (++i == s.size()) return std::nullopt;
    switch (s[i]) {
      case '"':
      case '\\': r += s[i]; break;
      case 'n': r += '\n'; break;
      case 't': r += '\t'; break;
      case 'x': {
        if (s.size() - i < 3) return std::nullopt;
        int high = hex_digit(s[i + 1]), low = hex_digit(s[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        r += static_cast<char>(high << 4 | low);
        i += 2;
        break;
      }
      default: return std::nullopt;
    }
  }
  return std::nullopt;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == '\n')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

std::string one_line(std::string_view s) {
  std::string r(s);
  for (char& c : r) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return r;
}

}  // namespace reckon::support
