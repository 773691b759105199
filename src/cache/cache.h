// The cache: captured units (and later outcomes) by content.
//
// A unit is found in two steps. The request key (directory, file, arguments, versions of Reckon and Clang)
// leads to a manifest: the files the unit read, a hash over the state (size, times) of all of them, a hash over their
// contents, and the content key. If the states are as they were, and none of the files is so young that it may have
// changed without a new time stamp, or else if the contents are as they were, the entry under the content key is the
// captured unit. The content key is a hash of the unit itself: equal units of different requests are one entry, and
// a change that does not reach the unit leaves everything that later stages keep under that key valid.
//
// There is a second manifest for each text that the source itself had. So going back to an earlier text, as on another
// branch, finds the unit again, and so does whoever asks for the unit of a text that does not lie on disk (`texts`).
//
// Entries are written to a temporary name and renamed; each carries a checksum that is verified on
// reading, so a torn or damaged entry is noticed and made again. Any number of processes may share a folder.
//
// Whoever can write the folder of others could leave them entries of his own. So those who share one have a secret
// besides: it goes into every checksum, and into the names of the files, and what was written without it is not there.
// Names and keys are hashes for which nobody can choose two texts that have the same.
//
// One Cache belongs to one thread. It asks for the state of each file at most once, so files that change while it
// lives are seen as they were at first; a unit whose files changed after the Cache was made gets no manifest.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "support/strong_hash.h"

namespace reckon::cache {

class FileStates;
struct Manifest;

struct UnitMeta {  // what a later run wants to know besides the unit
  std::vector<std::string> dropped_flags;
};

// Where a cache is, and who may leave something there.
struct Place {
  std::string folder;            // "": there is no cache
  std::uint64_t size_limit = 0;  // 0: none
  support::Secret secret;        // of those who share the folder
};

class Cache {
 public:
  // Without a folder every lookup misses, and store() does nothing.
  // Creates the folder. If it is there and cannot be written, it is only read; problem() says why. If it cannot be
  // made, or is not a folder, problem() says why and the cache is off.
  // `texts`: what files (absolute) are taken to hold, whatever lies on disk; may be null, and has to outlive the Cache.
  explicit Cache(Place place, const std::map<std::string, std::string>* texts = nullptr);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  bool enabled() const { return !place_.folder.empty(); }
  bool writable() const { return enabled() && !read_only_; }
  const std::string& problem() const { return problem_; }
  std::size_t damaged() const { return damaged_; }  // entries that were found so, and deleted

  // Request key of one compiler call.
  static std::string request_key(std::string_view directory, std::string_view file,
                                 const std::vector<std::string>& arguments, std::string_view version);

  // The content key of the unit this request would produce now, if a manifest is still valid. `source`: the file that
  // is compiled (absolute).
  std::optional<std::string> lookup(std::string_view request_key, const std::string& source);

  // Reads an entry; false if absent or damaged (a damaged one is deleted).
  bool load(std::string_view content_key, model::Unit& unit, UnitMeta& meta);

  // The same, but only what the unit has read, and `meta`. The rest of the entry is not looked at.
  bool describe(std::string_view content_key, std::vector<std::string>& headers, UnitMeta& meta);

  // Writes entry and manifests; false if the disk refuses (problem() is set; the run goes on).
  // Returns the content key through `content_key`.
  bool store(std::string_view request_key, const std::vector<std::string>& dependencies, const model::Unit& unit,
             const UnitMeta& meta, std::string& content_key);

  // Blobs by key: outcomes and findings of later stages. Same guarantees.
  bool load_blob(std::string_view key, std::string& bytes);
  bool store_blob(std::string_view key, std::string_view bytes);

  // Deletes least recently used entries until the folder is below the limit. Call it once, at the end of a run.
  void evict();

 private:
  // What a file holds is part of its name, so that one key can have one of each.
  enum class Kind : char { Unit = 'u', Manifest = 'm', Blob = 'b' };

  std::string path_of(Kind kind, std::string_view key) const;
  std::string temp_dir() const { return place_.folder + "/tmp"; }
  bool read(Kind kind, std::string_view key, std::string& payload);
  bool write(Kind kind, std::string_view key, std::string_view payload, const std::vector<std::size_t>& seams = {});
  bool read_unit(std::string_view content_key);
  bool read_manifest(std::string_view key, Manifest& m);
  // The key of the manifest for the present text of the source; "" if that cannot be read.
  std::string key_of_text(std::string_view request_key, const std::string& source);
  void discard(Kind kind, std::string_view key);

  Place place_;
  std::string problem_;
  bool read_only_ = false;
  bool as_on_disk_ = true;
  std::size_t damaged_ = 0;
  std::uint64_t written_ = 0;          // bytes this process added
  std::unique_ptr<FileStates> files_;  // what is known of the sources
  // The entry that lookup() read last: load() mostly wants the same.
  std::string unit_key_, unit_payload_;
};

}  // namespace reckon::cache
