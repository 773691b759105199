#include "report/html_text.h"

#include <cstdint>
#include <cstdio>

namespace reckon::report {

namespace {

// Length of the UTF-8 sequence at `at`; 0: it is none.
std::size_t sequence(std::string_view text, std::size_t at, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  std::size_t size = first < 0x80                    ? 1
                     : first >= 0xC2 && first < 0xE0 ? 2
                     : first >= 0xE0 && first < 0xF0 ? 3
                     : first >= 0xF0 && first < 0xF5 ? 4
                                                     : 0;
  if (size == 0 || at + size > text.size()) return 0;
  code = size == 1 ? first : first & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(at + i) & 0x3Fu);
  }
  if ((size == 3 && code < 0x800) || (size == 4 && (code < 0x10000 || code > 0x10FFFF)) ||
      (code >= 0xD800 && code < 0xE000))
    return 0;
  return size;
}

// Embeddings, overrides and isolates: source that reads differently from what the compiler sees.
bool turns_text(std::uint32_t code) { return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); }

std::string utf8(std::uint32_t code) {
  std::string out;
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
  return out;
}

// Calls plain(piece) for runs that can stay and special(code) for characters that cannot.
template <typename Plain, typename Special>
void walk(std::string_view text, Plain plain, Special special) {
  std::size_t begin = 0, at = 0;
  while (at < text.size()) {
    std::uint32_t code = 0;
    const std::size_t size = sequence(text, at, code);
    const bool keep = size != 0 && !(code < 0x20 && code != '\t' && code != '\n') && code != 0x7F &&
                      !turns_text(code) && code != '<' && code != '>' && code != '&' && code != '"' && code != '\'' &&
                      code != '\\';
    if (!keep) {
      plain(text.substr(begin, at - begin));
      special(size == 0 ? static_cast<unsigned char>(text[at]) : code, size == 0);
      begin = at + (size == 0 ? 1 : size);
      at = begin;
      continue;
    }
    at += size;
  }
  plain(text.substr(begin));
}

std::string visible(std::uint32_t code) {
  if (code < 0x20) return utf8(0x2400 + code);  // a picture of the control character
  if (code == 0x7F) return utf8(0x2421);
  char out[16];
  std::snprintf(out, sizeof out, "[U+%04X]", static_cast<unsigned>(code));
  return out;
}

}  // namespace

std::string html_escape(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  walk(
      text, [&](std::string_view piece) { out += piece; },
      [&](std::uint32_t code, bool stray) {
        if (stray)
          out += code < 0xA0 ? utf8(0xFFFD) : utf8(code);
        else if (code == '<')
          out += "&lt;";
        else if (code == '>')
          out += "&gt;";
        else if (code == '&')
          out += "&amp;";
        else if (code == '"')
          out += "&quot;";
        else if (code == '\'')
          out += "&#39;";
        else if (code == '\\')
          out += '\\';
        else if (code == '\r')
          return;
        else
          out += visible(code);
      });
  return out;
}

std::string html_message(std::string_view text) {
  std::string out;
  bool code = false;
  while (true) {
    const std::size_t quote = text.find('`');
    out += html_escape(text.substr(0, quote));
    if (quote == std::string_view::npos) break;
    out += code ? "</code>" : "<code>";
    code = !code;
    text.remove_prefix(quote + 1);
  }
  if (code) out += "</code>";
  return out;
}

std::string html_plain(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != '`') out += c;
  return html_escape(out);
}

std::string script_string(std::string_view text) {
  std::string out = "\"";
  const auto hex = [&](std::uint32_t code) {
    char buffer[8];
    std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(code));
    out += buffer;
  };
  walk(
      text,
      [&](std::string_view piece) {
        for (char c : piece) {
          if (c == '\n')
            out += "\\n";
          else if (c == '\t')
            out += "\\t";
          else
            out += c;
        }
      },
      [&](std::uint32_t code, bool stray) {
        if (stray)
          hex(code < 0xA0 ? 0xFFFD : code);
        else
          hex(code);  // <, > and & as well: no </script> can appear
      });
  return out + '"';
}

}  // namespace reckon::report
