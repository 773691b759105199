#include "specs/outcome.h"

namespace reckon::specs {

namespace {
constexpr std::uint64_t kPropertyMark = std::uint64_t{0x80} << 56;  // the top byte; the name fills the others
}

std::int64_t property_step(std::string_view name) {
  std::uint64_t bits = 0;
  for (char c : name.substr(0, kMaxPropertyName)) bits = bits << 8 | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(kPropertyMark | bits);
}

std::string property_name(std::int64_t step) {
  const auto bits = static_cast<std::uint64_t>(step);
  std::string name;
  if (bits >> 56 != 0x80) return name;
  for (int k = 6; k >= 0; --k) {
    const char c = static_cast<char>(bits >> (8 * k) & 0xff);
    if (c == 0 && name.empty()) continue;
    const bool letter = c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!letter) return {};
    name += c;
  }
  return name;
}

}  // namespace reckon::specs
