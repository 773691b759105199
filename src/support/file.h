// Files, read whole and written whole. Errors come back as text with the path and the system's reason.
//
// What an input names (sources, databases, specs, settings, baselines) is read by read_input() and by nothing else: a
// pipe would make us wait for ever, a device never ends. So only regular files are read, up to a size that no source
// and no compilation database of a whole kernel comes near to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "support/strong_hash.h"

namespace reckon::support {

// "PATH: what went wrong" from errno.
std::string system_error(std::string_view path, int error_number);

constexpr std::uint64_t kMaxInputBytes = std::uint64_t{256} << 20;

// False: `reason` says why, without the path.
bool read_input(const std::string& path, std::string& text, std::string& reason);

// Why read_input() would refuse the file; "" if it would not.
std::string complaint_about_input(const std::string& path);

// At most that many; fewer if the file is shorter or read_input() would refuse it.
std::string first_bytes(const std::string& path, std::size_t count);

// read_input() with the path in the error.
std::optional<std::string> read_file(const std::string& path, std::string& error);

// Hash of the content, read in pieces, so that a huge file needs no memory.
std::optional<StrongHash> hash_file(const std::string& path, std::string& error);

// Writes to a new file in `temp_dir` (same file system as `path`) and renames: others see the old file, no file or the
// whole new one. On failure nothing is left behind.
bool write_file(const std::string& path, const std::string& temp_dir, std::string_view bytes, std::string& error);

// Makes a folder and those above it. True if it is there afterwards.
bool make_folders(const std::string& path, std::string& error);

// A file in memory, read-only. Files changed in place while mapped are not guarded against: use it for files that are
// only ever replaced by renaming.
class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // 0, or the error number. An empty file is mapped as no bytes.
  int open(const std::string& path);
  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }
  std::time_t modified() const { return modified_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::time_t modified_ = 0;
};

}  // namespace reckon::support
