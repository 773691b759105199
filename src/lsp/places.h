// Places as the protocol has them: lines and columns from 0, columns in UTF-16 units, files by their URI. Ours count
// from 1, and columns are bytes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "report/sources.h"

namespace reckon::lsp {

// The absolute path behind a file: URI; "" for any other.
std::string path_of(std::string_view uri);

// The offset in `text` of a position of the protocol; what lies behind a line's end is its end.
std::size_t offset_of(std::string_view text, const nlohmann::json& position);

nlohmann::json position_of(const report::SourceFile& source, std::uint32_t line, std::uint32_t col);
nlohmann::json range_of(const report::SourceFile& source, std::uint32_t line, std::uint32_t col, std::uint32_t end_line,
                        std::uint32_t end_col);
// The word, or else the rest of the line, that begins at a place.
nlohmann::json word_at(const report::SourceFile& source, std::uint32_t line, std::uint32_t col);

// The name in C under or right before a position, with `a::` in front of it where it is written; "" if there is none.
// `called`: an opening parenthesis follows.
struct Word {
  std::string text;
  std::size_t start = 0, end = 0;  // offsets of its last part
  bool called = false;
};
Word word_under(std::string_view text, std::size_t offset);

}  // namespace reckon::lsp
