// The size is known from the file `usage`: the sum at the last scan and what was written since. Runs that end at the
// same moment may overwrite each other's addition, so a scan is made at least once a day, and whenever the known size
// comes close to the limit. A scan looks at every file once (some 20 ms for ten thousand).
#include "cache/eviction.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <tuple>
#include <vector>

#include "support/bytes.h"
#include "support/file.h"

namespace reckon::cache {

namespace {

constexpr std::time_t kScanInterval = 24 * 60 * 60;
constexpr std::time_t kTempLife = 60 * 60;

struct Entry {
  std::int64_t used;
  std::uint64_t size;
  std::string path;
};

struct CloseDir {
  void operator()(DIR* d) const { ::closedir(d); }
};

template <typename F>
void each_file(const std::string& folder, F f) {
  std::unique_ptr<DIR, CloseDir> dir(::opendir(folder.c_str()));
  if (!dir) return;  // deleted by somebody else meanwhile
  while (const dirent* e = ::readdir(dir.get())) {
    if (e->d_name[0] == '.') continue;
    struct stat st;
    if (::fstatat(::dirfd(dir.get()), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) f(folder + "/" + e->d_name, st);
  }
}

std::uint64_t size_on_disk(const struct stat& st) {
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(st.st_size),
                                 512 * static_cast<std::uint64_t>(st.st_blocks));
}

bool is_entry_folder(const std::string& name) {
  return name.size() == 2 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

void shrink(const std::string& dir, const std::string& temp_dir, std::uint64_t limit, std::uint64_t written,
            std::string& problem) {
  const std::string usage_file = dir + "/usage";
  const std::time_t now = std::time(nullptr);
  auto note = [&](std::uint64_t total, std::time_t scanned) {
    std::string text;
    support::put_number(text, total);
    support::put_number(text, static_cast<std::uint64_t>(scanned));
    support::write_file(usage_file, temp_dir, text, problem);
  };

  std::string ignored;
  if (auto text = support::read_file(usage_file, ignored)) {
    support::ByteReader in(*text);
    std::uint64_t known = in.number();
    auto scanned = static_cast<std::time_t>(in.number());
    bool recent = in.ok() && scanned <= now && now - scanned < kScanInterval;
    // A quarter of the limit is left for blocks that are only partly filled and for other runs.
    if (recent && known <= limit && known + written <= limit / 4 * 3) {
      if (written != 0) note(known + written, scanned);
      return;
    }
  }

  std::vector<Entry> entries;
  std::uint64_t total = 0;
  each_file(dir, [&](const std::string& folder, const struct stat& st) {
    if (!S_ISDIR(st.st_mode) || !is_entry_folder(folder.substr(folder.rfind('/') + 1))) return;
    each_file(folder, [&](const std::string& path, const struct stat& file) {
      if (!S_ISREG(file.st_mode)) return;
      std::int64_t used = std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec;
      entries.push_back({used, size_on_disk(file), path});
      total += entries.back().size;
    });
  });
  each_file(temp_dir, [&](const std::string& path, const struct stat& st) {
    if (now - st.st_mtime > kTempLife) ::unlink(path.c_str());
  });
  if (total > limit) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
    std::uint64_t goal = limit / 10 * 9;  // so that the next run does not have to do it again
    for (const Entry& e : entries) {
      if (total <= goal) break;
      if (::unlink(e.path.c_str()) != 0 && errno != ENOENT) {
        problem = support::system_error(e.path, errno);
        continue;
      }
      total -= e.size;
    }
  }
  note(total, now);
}

}  // namespace reckon::cache
