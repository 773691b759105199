// Paths and columns as other tools' formats want them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reckon::report {

std::string file_uri(std::string_view absolute_path);  // "file:///a%20b.c"
std::string relative_uri(std::string_view path);       // "a%20b.c"

// Column `col` (bytes, from 1) of `line`, counted in UTF-16 units from 1. Bytes that are not UTF-8 count one each.
std::uint32_t utf16_column(std::string_view line, std::uint32_t col);

}  // namespace reckon::report
