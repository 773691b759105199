// The cache: captured units (and later outcomes) by content.
//
// A unit is found in two steps. The request key (directory, file, arguments, versions of Reckon and Clang)
// leads to a manifest: the files the unit read, each with size, mtime and content hash, and the content
// key. If all of them are unchanged (same size and mtime and not younger than the manifest, else same
// hash), the entry under the content key is the captured unit.
// Entries are written to a temporary name and renamed; each carries a checksum that is verified on
// reading, so a torn or damaged entry is noticed and made again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace reckon::cache {

struct UnitMeta {                          // what a later run wants to know besides the unit
  std::vector<std::string> dropped_flags;
};

class Cache {
 public:
  // `dir` empty: no cache, every lookup misses and store() does nothing.
  // Creates the folder. On failure (read-only, not a folder) problem() says why and the cache is off.
  Cache(std::string dir, std::uint64_t size_limit_bytes);

  bool enabled() const { return !dir_.empty(); }
  const std::string& problem() const { return problem_; }

  // Request key of one compiler call.
  static std::string request_key(std::string_view directory, std::string_view file,
                                 const std::vector<std::string>& arguments, std::string_view version);

  // The content key of the unit this request would produce now, if the manifest is still valid.
  std::optional<std::string> lookup(std::string_view request_key);

  // Reads an entry; false if absent or damaged (a damaged one is deleted).
  bool load(std::string_view content_key, model::Unit& unit, UnitMeta& meta);

  // Writes entry and manifest; false if the disk refuses (problem() is set; the run goes on).
  // Returns the content key through `content_key`.
  bool store(std::string_view request_key, const std::vector<std::string>& dependencies,
             const model::Unit& unit, const UnitMeta& meta, std::string& content_key);

  // Blobs by key: outcomes and findings of later stages. Same guarantees.
  bool load_blob(std::string_view key, std::string& bytes);
  bool store_blob(std::string_view key, std::string_view bytes);

  // Deletes least recently used entries until the folder is below the limit.
  void evict();

 private:
  std::string dir_;
  std::uint64_t limit_;
  std::string problem_;
};

}  // namespace reckon::cache
