#include "cache/file_states.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <filesystem>

#include "support/file.h"

namespace reckon::cache {

namespace {

std::int64_t nanoseconds(const struct timespec& t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

}  // namespace

std::int64_t file_clock() {
  struct timespec now;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

FileStates::File FileStates::ask(const std::string& path) {
  File f;
  struct stat st;
  if (::stat(path.c_str(), &st) != 0) return f;  // whatever the reason, the compiler could not read it, either
  f.what = S_ISREG(st.st_mode) ? What::Regular : S_ISCHR(st.st_mode) ? What::Device : What::Other;
  if (f.what == What::Regular) {
    f.size = static_cast<std::uint64_t>(st.st_size);
    f.modified = nanoseconds(st.st_mtim);
    f.changed = nanoseconds(st.st_ctim);
  } else {
    f.size = st.st_rdev;  // /dev/null stays empty
  }
  return f;
}

const std::string* FileStates::text_of(const std::string& path) const {
  if (!texts_) return nullptr;
  if (const auto it = texts_->find(path); it != texts_->end()) return &it->second;
  std::error_code ignored;
  const auto it = texts_->find(std::filesystem::weakly_canonical(path, ignored).string());
  return it == texts_->end() ? nullptr : &it->second;
}

FileStates::File& FileStates::file(const std::string& path) {
  auto it = files_.find(path);
  if (it != files_.end()) return it->second;
  if (const std::string* text = text_of(path)) {
    File f;
    f.what = What::Regular;
    f.hashed = f.readable = true;
    support::StrongHasher h;  // as hash_file() does
    h.bytes(text->data(), text->size());
    f.content = h.finish();
    return files_.emplace(path, f).first->second;
  }
  return files_.emplace(path, ask(path)).first->second;
}

// False: it is no regular file that could be read in one state.
bool FileStates::read(const std::string& path, File& f) {
  if (f.what == What::Regular && !f.hashed) {
    std::string error;
    auto content = support::hash_file(path, error);
    f.hashed = true;
    // State and content must belong together: look again, whether the file changed in between.
    f.readable = content.has_value() && f.same_state(ask(path));
    if (content) f.content = *content;
  }
  return f.what == What::Regular && f.readable;
}

std::optional<support::StrongHash> FileStates::content(const std::string& path) {
  File& f = file(path);
  return read(path, f) ? std::optional(f.content) : std::nullopt;
}

FileStates::Summary FileStates::summary(const std::vector<std::string>& paths) {
  Summary s;
  support::StrongHasher h;
  for (const std::string& path : paths) {
    const File& f = file(path);
    h.text(path);
    h.number(static_cast<std::uint64_t>(f.what));
    h.number(f.size);
    h.number(static_cast<std::uint64_t>(f.modified));
    h.number(static_cast<std::uint64_t>(f.changed));
    s.newest = std::max({s.newest, f.modified, f.changed});
    // The time of change cannot be set by programs, so it tells even of a file that was replaced by an older one.
    if (f.what == What::Other || f.changed > start_) s.stable = false;
  }
  s.states = h.finish();
  return s;
}

bool FileStates::contents(const std::vector<std::string>& paths, support::StrongHash& hash) {
  support::StrongHasher h;
  for (const std::string& path : paths) {
    File& f = file(path);
    if (!read(path, f) && f.what == What::Regular) return false;
    h.text(path);
    h.number(static_cast<std::uint64_t>(f.what));
    if (f.what == What::Regular) {
      h.text(f.content.view());
    } else {
      h.number(f.size);
    }
  }
  hash = h.finish();
  return true;
}

}  // namespace reckon::cache
