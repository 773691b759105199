// Source lines for the text writer: each file read once, a line made fit to print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace reckon::report {

struct Excerpt {
  std::string line;   // tabs expanded, control characters replaced, cut to the width asked for
  std::size_t caret;  // column of the caret in it, from 0
};

class SourceLines {
 public:
  // The line with its caret below byte column `col` (from 1). nullopt: no such file or line.
  std::optional<Excerpt> excerpt(const std::string& file, std::uint32_t line, std::uint32_t col, std::size_t width);

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> starts;  // offset of each line
  };
  const File& file(const std::string& path);
  std::unordered_map<std::string, File> files_;
};

// Cut and cleaned; `col` counts bytes from 1.
Excerpt make_excerpt(std::string_view line, std::uint32_t col, std::size_t width);

}  // namespace reckon::report
