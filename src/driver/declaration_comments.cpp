#include "driver/declaration_comments.h"

#include <algorithm>
#include <sstream>

#include "host/files.h"

namespace reckon::driver {

program::Written DeclarationComments::at(std::string_view file, std::uint32_t line) {
  const std::vector<std::string>& lines = lines_of(std::string(file));
  if (line == 0 || line > lines.size()) return {};
  program::Written out{comment_at(lines, line), ""};
  constexpr std::size_t kMostLines = 30;
  for (std::size_t k = line - 1; k < lines.size() && k < line - 1 + kMostLines; ++k) {
    out.declaration += lines[k] + "\n";
    if (lines[k].find_first_of(";{") != std::string::npos) break;
  }
  return out;
}

std::string DeclarationComments::comment_at(const std::vector<std::string>& lines, std::uint32_t line) {
  std::string text = lines[line - 1];
  const std::size_t behind = std::min(text.find("/*"), text.find("//"));
  if (behind != std::string::npos) return text.substr(behind);
  // The lines above, up to one that has code, and no more than anybody writes there. The declaration itself may begin
  // some lines above its name.
  text.clear();
  constexpr std::uint32_t kMost = 200, kMostOfDeclaration = 2;
  bool inside = false;
  for (std::uint32_t above = line - 1; above > 0 && above + kMost >= line; --above) {
    const std::string& other = lines[above - 1];
    const std::size_t first = other.find_first_not_of(" \t");
    if (first == std::string::npos) {
      if (inside) continue;
      break;
    }
    const bool ends_here = !inside && other.find("*/") != std::string::npos;
    inside = inside || ends_here;
    const std::size_t opened = inside ? other.find("/*") : std::string::npos;
    // Behind the declaration above: about that one.
    if (opened != std::string::npos && opened > first) return ends_here ? text : "";
    if (inside || other.compare(first, 2, "//") == 0) {
      text = other + " " + text;
      if (opened != std::string::npos) inside = false;
    } else if (!text.empty() || above + kMostOfDeclaration < line || other.find_first_of(";{}#") != std::string::npos) {
      break;
    }
  }
  return inside ? "" : text;
}

const std::vector<std::string>& DeclarationComments::lines_of(const std::string& path) {
  const auto [known, added] = files_.try_emplace(path);
  std::string text, problem;
  if (!added || !host::read_file(path, text, problem)) return known->second;  // a file that is gone has no comments
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) known->second.push_back(line);
  return known->second;
}

}  // namespace reckon::driver
