#include "cache/cache.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "cache/entry.h"
#include "cache/eviction.h"
#include "cache/file_states.h"
#include "cache/manifest.h"
#include "model/binary.h"
#include "support/bytes.h"
#include "support/file.h"

namespace reckon::cache {

namespace {

// Part of every request key: a change of what entries hold makes old ones unreachable.
constexpr std::uint64_t kFormat = 2;

// A file this much older than the moment it was looked at cannot change and keep its time stamp, whatever the
// resolution of the file system's clock.
constexpr std::int64_t kSettled = 2'000'000'000;

// An entry in use is marked as such at most this often, in seconds.
constexpr std::time_t kTouchInterval = 24 * 60 * 60;

std::string name_of(char kind, std::string_view key) { return kind + std::string(key); }

// The payload of a unit: the meta data, then the encoded unit.
bool split(std::string_view payload, UnitMeta& meta, std::string_view& unit) {
  support::ByteReader in(payload);
  meta.dropped_flags.clear();
  std::uint64_t flags = in.number();
  for (std::uint64_t i = 0; i < flags && in.ok(); ++i) meta.dropped_flags.emplace_back(in.text());
  unit = in.rest();
  return in.ok();
}

}  // namespace

Cache::Cache(Place place, const std::map<std::string, std::string>* texts)
    : place_(std::move(place)), as_on_disk_(texts == nullptr), files_(std::make_unique<FileStates>(texts)) {
  if (!enabled()) return;
  bool good = support::make_folders(temp_dir(), problem_);
  if (good && ::access(temp_dir().c_str(), W_OK | X_OK) != 0) {
    problem_ = support::system_error(place_.folder, errno);
    good = false;
  }
  if (good) return;
  struct stat info{};
  const char* folder = place_.folder.c_str();
  read_only_ = ::stat(folder, &info) == 0 && S_ISDIR(info.st_mode) && ::access(folder, R_OK | X_OK) == 0;
  if (!read_only_) place_.folder.clear();
}

Cache::~Cache() = default;

std::string Cache::request_key(std::string_view directory, std::string_view file,
                               const std::vector<std::string>& arguments, std::string_view version) {
  support::StrongHasher h;
  h.number(kFormat);
  h.text(version);
  h.text(directory);
  h.text(file);
  h.number(arguments.size());
  for (const std::string& a : arguments) h.text(a);
  return h.finish().hex();
}

// ---------------------------------------------------------------- files of the cache

std::string Cache::path_of(Kind kind, std::string_view key) const {
  std::string name = support::strong_hash(key, place_.secret).hex();
  return place_.folder + "/" + name.substr(0, 2) + "/" + name.substr(2) + "." + static_cast<char>(kind);
}

bool Cache::read(Kind kind, std::string_view key, std::string& payload) {
  std::string path = path_of(kind, key);
  support::MappedFile file;
  if (int e = file.open(path)) {
    if (e != ENOENT) problem_ = support::system_error(path, e);
    return false;
  }
  if (!unpack(name_of(static_cast<char>(kind), key), file.bytes(), payload, place_.secret)) {
    ++damaged_;
    discard(kind, key);
    return false;
  }
  if (std::time(nullptr) - file.modified() > kTouchInterval) {
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // if it fails the entry only looks older than it is
  }
  return true;
}

bool Cache::write(Kind kind, std::string_view key, std::string_view payload, const std::vector<std::size_t>& seams) {
  if (read_only_) return false;
  std::string bytes = pack(name_of(static_cast<char>(kind), key), payload, place_.secret, seams);
  std::string path = path_of(kind, key);
  if (bytes.empty()) {
    problem_ = path + ": cannot be compressed";
    return false;
  }
  std::string folder = path.substr(0, path.rfind('/'));
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    problem_ = support::system_error(folder, errno);
    return false;
  }
  if (!support::write_file(path, temp_dir(), bytes, problem_)) return false;
  written_ += bytes.size();
  return true;
}

void Cache::discard(Kind kind, std::string_view key) {
  if (read_only_) return;  // it is read again, and noticed again
  std::string path = path_of(kind, key);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) problem_ = support::system_error(path, errno);
}

// ---------------------------------------------------------------- units

bool Cache::read_manifest(std::string_view key, Manifest& m) {
  std::string payload;
  if (!read(Kind::Manifest, key, payload)) return false;
  if (!m.decode(payload)) {
    discard(Kind::Manifest, key);
    return false;
  }
  if (!m.files_in_unit) return true;
  UnitMeta ignored;
  std::string_view unit;
  return read_unit(m.content_key) && split(unit_payload_, ignored, unit) &&
         model::decode_headers(std::as_bytes(std::span(unit)), m.files);
}

std::string Cache::key_of_text(std::string_view request_key, const std::string& source) {
  const std::optional<support::StrongHash> text = files_->content(source);
  return text ? fmt::format("{} of {}", request_key, text->hex()) : "";
}

std::optional<std::string> Cache::lookup(std::string_view request_key, const std::string& source) {
  if (!enabled()) return std::nullopt;
  Manifest m;
  support::StrongHash contents;
  bool found = read_manifest(request_key, m);
  FileStates::Summary now;
  if (found && as_on_disk_) {
    now = files_->summary(m.files);
    if (now.states == m.states && now.newest < m.seen - kSettled) return m.content_key;
  }
  found = found && files_->contents(m.files, contents) && contents == m.contents;
  if (!found) {
    const std::string key = key_of_text(request_key, source);
    Manifest earlier;
    if (key.empty() || !read_manifest(key, earlier) || !files_->contents(earlier.files, contents) ||
        contents != earlier.contents)
      return std::nullopt;
    m = std::move(earlier);
    if (as_on_disk_) now = files_->summary(m.files);
  }
  // The same text with other times, or too young to be trusted last time: note it, so that the next run need not read
  // it again. If this cannot be written, nothing is lost.
  if (as_on_disk_ && now.stable) {
    m.states = now.states;
    m.seen = files_->start();
    write(Kind::Manifest, request_key, m.encode());
  }
  return m.content_key;
}

bool Cache::read_unit(std::string_view content_key) {
  if (unit_key_ == content_key) return true;
  unit_key_.clear();
  if (!read(Kind::Unit, content_key, unit_payload_)) return false;
  unit_key_ = content_key;
  return true;
}

bool Cache::load(std::string_view content_key, model::Unit& unit, UnitMeta& meta) {
  if (!enabled() || !read_unit(content_key)) return false;
  std::string_view bytes;
  bool good = split(unit_payload_, meta, bytes) && model::decode(std::as_bytes(std::span(bytes)), unit);
  unit_key_.clear();
  unit_payload_ = {};
  if (!good) discard(Kind::Unit, content_key);
  return good;
}

bool Cache::describe(std::string_view content_key, std::vector<std::string>& headers, UnitMeta& meta) {
  if (!enabled() || !read_unit(content_key)) return false;
  std::string_view bytes;
  const bool good =
      split(unit_payload_, meta, bytes) && model::decode_headers(std::as_bytes(std::span(bytes)), headers);
  unit_key_.clear();
  unit_payload_ = {};
  if (!good) discard(Kind::Unit, content_key);
  return good;
}

bool Cache::store(std::string_view request_key, const std::vector<std::string>& dependencies, const model::Unit& unit,
                  const UnitMeta& meta, std::string& content_key) {
  content_key.clear();
  if (!enabled()) return true;
  std::string payload;
  support::put_number(payload, meta.dropped_flags.size());
  for (const std::string& f : meta.dropped_flags) support::put_text(payload, f);
  std::size_t before = payload.size();
  payload += model::encode(unit);
  content_key = support::strong_hash(payload).hex();
  std::vector<std::size_t> seams = model::seams(std::as_bytes(std::span(payload).subspan(before)));
  for (std::size_t& s : seams) s += before;
  if (!write(Kind::Unit, content_key, payload, seams)) return false;

  Manifest m;
  m.files = dependencies;
  m.files_in_unit =
      std::equal(dependencies.begin(), dependencies.end(), unit.headers.begin(), unit.headers.end(),
                 [&](const std::string& f, model::StrId h) { return h < unit.strings.size() && unit.str(h) == f; });
  m.content_key = content_key;
  FileStates::Summary now = files_->summary(m.files);
  // If a file changed since this run began, nobody can say which text the compiler saw.
  if (!now.stable || !files_->contents(m.files, m.contents)) return true;
  m.states = now.states;
  m.seen = files_->start();
  if (as_on_disk_ && !write(Kind::Manifest, request_key, m.encode())) return false;
  const std::string key = key_of_text(request_key, unit.path);
  return key.empty() || write(Kind::Manifest, key, m.encode());
}

// ---------------------------------------------------------------- blobs and size

bool Cache::load_blob(std::string_view key, std::string& bytes) { return enabled() && read(Kind::Blob, key, bytes); }

bool Cache::store_blob(std::string_view key, std::string_view bytes) {
  return !enabled() || write(Kind::Blob, key, bytes);
}

void Cache::evict() {
  if (read_only_) return;
  if (!enabled() || place_.size_limit == 0) return;
  shrink(place_.folder, temp_dir(), place_.size_limit, written_, problem_);
  written_ = 0;
}

}  // namespace reckon::cache
