// C and C++ source as HTML lines with their tokens marked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/sources.h"

namespace reckon::report {

// One string a line; no tag is left open at its end.
std::vector<std::string> highlight(std::string_view text);

// `line`, one of the strings above, with the token at byte column `col` (from 1) inside <b class="at">. A column
// beyond the line leaves it as it is.
std::string mark_column(std::string_view line, std::uint32_t col);

// `line`, one of the strings above, as far as its first `bytes` bytes of source go, and a word on how many `more` there
// are.
std::string cut_line(std::string_view line, std::size_t bytes, std::size_t more);

// Each file read and highlighted once. Of a line that is beyond what anybody reads, the beginning is there.
class HtmlSources {
 public:
  explicit HtmlSources(const std::map<std::string, std::string>& originals = {}) : sources_(originals) {}
  // Empty: unreadable.
  const std::vector<std::string>& lines(const std::string& path);
  const SourceFile& file(const std::string& path) { return sources_.file(path); }

 private:
  Sources sources_;
  std::unordered_map<std::string, std::vector<std::string>> lines_;
};

}  // namespace reckon::report
