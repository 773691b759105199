// Source lines for the text writer: a line made fit to print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reckon::report {

struct Excerpt {
  std::string line;   // tabs expanded, control characters replaced, cut to the width asked for
  std::size_t caret;  // column of the caret in it, from 0
};

// Cut and cleaned; `col` counts bytes from 1.
Excerpt make_excerpt(std::string_view line, std::uint32_t col, std::size_t width);

}  // namespace reckon::report
