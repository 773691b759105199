// What the source files of units look like now: state (size and times) and content hash of each, asked for at most
// once while this object lives. Some may be looked at as if they held another text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/strong_hash.h"

namespace reckon::cache {

// Nanoseconds since 1970, by the clock that stamps files.
std::int64_t file_clock();

class FileStates {
 public:
  // `texts`: what files (absolute) are taken to hold, whatever lies on disk; may be null.
  explicit FileStates(const std::map<std::string, std::string>* texts = nullptr)
      : start_(file_clock()), texts_(texts) {}

  // What a list of files looks like as a whole.
  struct Summary {
    support::StrongHash states;
    std::int64_t newest = 0;  // latest time stamp of any of them
    bool stable = true;       // false: one changed after start(), or is a pipe or the like
  };
  Summary summary(const std::vector<std::string>& paths);

  // Hash over the contents of all; false if one cannot be read or is being changed.
  bool contents(const std::vector<std::string>& paths, support::StrongHash& hash);

  // Of one file; nullopt: it is no file, or cannot be read.
  std::optional<support::StrongHash> content(const std::string& path);

  // States and contents are those of this time or later.
  std::int64_t start() const { return start_; }

 private:
  enum class What : std::uint8_t { Absent, Regular, Device, Other };
  struct File {
    What what = What::Absent;
    std::uint64_t size = 0;  // of a device: its number
    std::int64_t modified = 0, changed = 0;
    bool hashed = false, readable = false;
    support::StrongHash content;
    bool same_state(const File& o) const {
      return what == o.what && size == o.size && modified == o.modified && changed == o.changed;
    }
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  static File ask(const std::string& path);
  File& file(const std::string& path);
  bool read(const std::string& path, File& f);
  const std::string* text_of(const std::string& path) const;

  std::int64_t start_;
  const std::map<std::string, std::string>* texts_;
  std::unordered_map<std::string, File, TextHash, std::equal_to<>> files_;
};

}  // namespace reckon::cache
