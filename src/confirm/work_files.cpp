#include "confirm/work_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace reckon::confirm {

namespace fs = std::filesystem;

bool write_in(const std::string& folder, const std::string& path, std::string_view text, std::string& problem) {
  std::error_code ec;
  const fs::path place(path), root = fs::canonical(folder, ec), real = fs::weakly_canonical(place.parent_path(), ec);
  if (ec || std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first != root.end()) {
    problem = path + ": a link leads out of the copy of the project";
    return false;
  }
  fs::create_directories(real, ec);
  const fs::path file = real / place.filename();
  fs::remove(file, ec);  // the name, not what a link leads to
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  bool ok = fd >= 0;
  while (ok && !text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    ok = n > 0;
    if (ok) text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (!ok) problem = path + ": cannot be written: " + std::strerror(errno);
  if (fd >= 0) ::close(fd);
  return ok;
}

}  // namespace reckon::confirm
