#include "report/text_source.h"

#include <algorithm>
#include <vector>

#include "support/terminal_text.h"

namespace reckon::report {

namespace {

constexpr std::size_t kTab = 8;
constexpr std::size_t kMargin = 10;           // columns kept to the right of the caret when a line is cut
constexpr std::size_t kWidest = 400;          // of a line when nothing else limits it: generated code has huge lines
constexpr std::size_t kReach = 16 * kWidest;  // bytes looked at on each side of the place

// Takes what is far from the place off a huge line. The columns then count from another place, which nobody sees: the
// line would be cut there anyway.
void keep_near(std::string_view& line, std::uint32_t& col) {
  const std::size_t place = std::min<std::size_t>(col > 0 ? col - 1 : 0, line.size());
  if (line.size() - place > kReach) line = line.substr(0, place + kReach);
  if (place <= kReach) return;
  std::size_t from = place - kReach;
  while (from < place && (static_cast<unsigned char>(line[from]) & 0xc0) == 0x80) ++from;  // within a character
  line.remove_prefix(from);
  col -= static_cast<std::uint32_t>(from);
}

}  // namespace

Excerpt make_excerpt(std::string_view line, std::uint32_t col, std::size_t width) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  keep_near(line, col);
  std::vector<std::string> cells;  // what stands in each column
  std::size_t caret = 0;
  bool placed = false;
  for (std::size_t i = 0; i < line.size();) {
    if (!placed && col > 0 && i + 1 >= col) caret = cells.size(), placed = true;
    const std::size_t length = support::utf8_length(line, i);
    if (line[i] == '\t') {
      do cells.emplace_back(" ");
      while (cells.size() % kTab != 0);
      ++i;
    } else if (length == 0) {
      cells.emplace_back("\xef\xbf\xbd");  // not UTF-8: the replacement character
      ++i;
    } else {
      // What is written from right to left by a mark would show other code than the compiler sees.
      const bool control = support::is_unprintable(line, i, length);
      cells.push_back(!control      ? std::string(line.substr(i, length))
                      : length == 1 ? std::string(" ")
                                    : std::string("\xef\xbf\xbd"));
      i += length;
    }
  }
  if (!placed) caret = col > 0 ? cells.size() : 0;

  width = width == 0 ? kWidest : std::clamp<std::size_t>(width, 20, kWidest);
  std::size_t from = 0, to = cells.size();
  if (to > width) {
    if (caret + kMargin > width) from = caret + kMargin - width;
    from = std::min(from, to - width);
    to = from + width;
  }
  Excerpt excerpt{"", caret - from};
  for (std::size_t i = from; i < to; ++i) excerpt.line += cells[i];
  return excerpt;
}

}  // namespace reckon::report
