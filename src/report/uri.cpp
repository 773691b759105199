#include "report/uri.h"

#include <algorithm>

namespace reckon::report {

namespace {

std::string encoded(std::string_view path) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

}  // namespace

std::string file_uri(std::string_view absolute_path) { return "file://" + encoded(absolute_path); }

std::string relative_uri(std::string_view path) { return encoded(path); }

std::uint32_t utf16_column(std::string_view line, std::uint32_t col) {
  if (col == 0) return 0;
  std::uint32_t units = 1;
  const std::size_t before = std::min<std::size_t>(col - 1, line.size());
  for (std::size_t i = 0; i < before; ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if ((byte & 0xc0) == 0x80) continue;  // continues a character
    units += byte >= 0xf0 ? 2 : 1;        // four bytes are a surrogate pair
  }
  return units + static_cast<std::uint32_t>(col - 1 - before);
}

}  // namespace reckon::report
