// Source files as the writers need them: each read once, by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace reckon::report {

struct SourceFile {
  std::string text;                 // empty: unreadable or empty
  std::vector<std::size_t> starts;  // offset of each line

  std::uint32_t lines() const { return static_cast<std::uint32_t>(starts.size()); }
  std::string_view line(std::uint32_t number) const;  // from 1, with its end of line; "" if there is none
  // Offset of a place, both from 1, col in bytes; npos if the file has no such line. A column beyond the line is
  // its end.
  std::size_t offset(std::uint32_t number, std::uint32_t col) const;
};

SourceFile make_source(std::string text);

class Sources {
 public:
  Sources() = default;
  // Files that this run has changed read as they were when it looked at them.
  explicit Sources(const std::map<std::string, std::string>& originals) {
    for (const auto& [path, text] : originals) replace(path, text);
  }
  const SourceFile& file(const std::string& path);
  // From now on the file reads like this, whatever is on disk.
  void replace(const std::string& path, std::string text) { files_[path] = make_source(std::move(text)); }

 private:
  std::unordered_map<std::string, SourceFile> files_;
};

}  // namespace reckon::report
