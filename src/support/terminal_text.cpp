#include "support/terminal_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace reckon::support {

namespace {

std::uint32_t code_point(std::string_view text, std::size_t at, std::size_t length) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (length == 1) return lead;
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3fu);
  return code;
}

bool is_unprintable(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;  // controls, in ASCII and in Latin-1
  return code == 0x61c || code == 0x200e || code == 0x200f ||     // marks of direction
         (code >= 0x2028 && code <= 0x202e) ||                    // ends of lines and paragraphs, embeddings, overrides
         (code >= 0x2066 && code <= 0x2069) ||                    // isolates
         code == 0xfeff;                                          // a mark without width
}

std::string spelt(const char* format, unsigned value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string made_printable(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      out += spelt("\\x%02x", static_cast<unsigned char>(text[i++]));
      continue;
    }
    const std::uint32_t code = code_point(text, i, length);
    const bool kept = !is_unprintable(code) || (keep_lines && (code == '\n' || code == '\t'));
    if (kept)
      out.append(text.substr(i, length));
    else if (code == '\n' || code == '\t' || code == '\r')
      out += code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r";
    else
      out += spelt(code < 0x80 ? "\\x%02x" : "\\u%04x", code);
    i += length;
  }
  return out;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return 0;
  return length;
}

bool is_unprintable(std::string_view text, std::size_t at, std::size_t length) {
  return is_unprintable(code_point(text, at, length));
}

std::string printable(std::string_view text) { return made_printable(text, false); }

std::string printable_lines(std::string_view text) { return made_printable(text, true); }

// Outside of its strings JSON is ASCII, and writers escape controls below a space: all that is left stands in strings.
std::string printable_json(std::string_view json) {
  constexpr unsigned kDelete = 0x7f;
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(json, i), 1);
    const std::uint32_t code = code_point(json, i, length);
    if (code >= kDelete && is_unprintable(code))
      out += spelt("\\u%04x", code);
    else
      out.append(json.substr(i, length));
    i += length;
  }
  return out;
}

}  // namespace reckon::support
