// Versions and names with stars.
#include <algorithm>

#include "specs/parser.h"

namespace reckon::specs {

int compare_versions(std::string_view a, std::string_view b) {
  auto take = [](std::string_view& text) {
    std::uint64_t n = 0;
    while (!text.empty() && text[0] != '.') {
      if (text[0] >= '0' && text[0] <= '9') n = n * 10 + static_cast<std::uint64_t>(text[0] - '0');
      text.remove_prefix(1);
    }
    if (!text.empty()) text.remove_prefix(1);
    return n;
  };
  while (!a.empty() || !b.empty()) {
    std::uint64_t x = take(a);
    std::uint64_t y = take(b);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

bool up_to_version(std::string_view version, std::string_view last) {
  // As many parts of the version as `last` has decide.
  std::size_t cut = 0;
  for (auto dots = std::count(last.begin(), last.end(), '.') + 1; dots > 0 && cut != std::string_view::npos; --dots)
    cut = version.find('.', cut == 0 ? 0 : cut + 1);
  return compare_versions(version.substr(0, cut), last) <= 0;
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace reckon::specs
